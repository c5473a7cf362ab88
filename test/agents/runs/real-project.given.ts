// A repository with a plan whose agents are real programs, asking the stand-in models.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { givenProject } from '../../e2e/world/given-project.given.ts';
import type { Project } from '../../e2e/world/project.given.ts';
import { startModels, type Models } from '../../models/start-models.ts';
import { CLAUDE, CODEX, OPENCODE, type GivenKind } from '../kinds.given.ts';
import { areRunsWanted, isFetched, pathWithAgents, sayMissing } from '../programs.given.ts';

export const THREE: readonly GivenKind[] = [CLAUDE, CODEX, OPENCODE];

/** Time for programs that are slow to start, on a machine that is busy. */
export const PATIENCE_MS = 240_000;

export interface RealProject extends Project {
  readonly git: (...words: readonly string[]) => string;
  readonly models: Models;
}

/** Says so, in one line each, when a program is not here. */
export function areHere(kinds: readonly GivenKind[]): boolean {
  if (!areRunsWanted()) return false;
  const missing = kinds.filter(({ program }) => !isFetched(program));
  missing.forEach(({ program }) => sayMissing(program));
  return missing.length === 0;
}

export interface RealPlan {
  /** What stands at the head of the plan besides its version and its name. */
  readonly head?: string;
  readonly tasks: string;
  readonly kinds?: readonly GivenKind[];
}

export async function givenRealProject(plan: RealPlan): Promise<RealProject> {
  const models = await startModels();
  onTestFinished(models.close);
  const env: Record<string, string> = { PATH: pathWithAgents() };
  const head = plan.head ?? 'sandbox: { isolation: none }\n';
  const project = givenProject(`heddle: 1\nname: real\n${head}tasks:\n${plan.tasks}`, env);
  for (const { settle } of plan.kinds ?? THREE) Object.assign(env, settle({ home: project.folder, url: models.url }));
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: project.folder, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  writeFileSync(project.file('base.txt'), 'the base\n');
  git('add', 'base.txt');
  git('-c', 'user.name=x', '-c', 'user.email=x@localhost', 'commit', '-qm', 'start');
  return { ...project, git, models };
}
