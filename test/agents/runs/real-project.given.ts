// A repository with a plan whose agents are real programs, asking the stand-in models. Unless a test says otherwise they
// are kept apart as they are for everybody: by the system where it can.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';
import { givenProject } from '../../e2e/world/given-project.given.ts';
import { processesOf } from '../../e2e/world/processes.given.ts';
import { until, type Project } from '../../e2e/world/project.given.ts';
import { isolation, need } from '../../needs.given.ts';
import { startModels, type Models } from '../../models/start-models.ts';
import { CLAUDE, CODEX, OPENCODE, type GivenKind } from '../kinds.given.ts';
import { fetched, pathWithAgents, wholeRuns } from '../programs.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

export const THREE: readonly GivenKind[] = [CLAUDE, CODEX, OPENCODE];

export interface RealProject extends Project {
  readonly git: (...words: readonly string[]) => string;
  readonly models: Models;
}

/** As plans name them: what everybody gets, and what whoever must have it asks for. */
export const ISOLATIONS = ['auto', 'os'] as const;

/** What a whole run of these kinds needs: that somebody asks for it, the programs, and what keeps them apart. */
export async function needRun(
  context: TestContext,
  kinds: readonly GivenKind[],
  wanted: (typeof ISOLATIONS)[number] = 'auto',
): Promise<void> {
  need(context, wholeRuns());
  for (const { program } of kinds) need(context, fetched(program));
  if (wanted === 'os') need(context, await isolation());
}

/** A command that waits until somebody outside lets it go on; where it works, nothing outside is seen. */
export const WAITS = 'tail -f /dev/null & until [ -e go ]; do sleep 0.1; done; kill $!; rm go';

/** Waits until that many such commands run, and returns the folder of each task, as seen from outside. */
export const foldersOfWaiting = (project: Project, count: number): Promise<ReadonlyMap<string, string>> =>
  until(() => {
    const waiting = processesOf(project.folder).filter(({ command }) => command === 'tail -f /dev/null');
    const folders = new Map(waiting.map(({ pid }) => [taskOf(pid), join('/proc', String(pid), 'cwd')]));
    folders.delete('');
    return folders.size === count && folders;
  }, PATIENCE_MS);

export const letGo = (folder = ''): void => writeFileSync(join(folder, 'go'), '');

/** Of a process that has just gone, of no task. */
function taskOf(pid: number): string {
  try {
    const environment = readFileSync(join('/proc', String(pid), 'environ'), 'utf8');
    return /(?:^|\0)HEDDLE_TASK=([^\0]*)/.exec(environment)?.[1] ?? '';
  } catch {
    return '';
  }
}

export interface RealPlan {
  /** What stands at the head of the plan besides its version and its name. */
  readonly head?: string;
  readonly tasks: string;
  /** Those that find their settings where they usually are. */
  readonly kinds?: readonly GivenKind[];
  readonly env?: Readonly<Record<string, string>>;
}

export async function givenRealProject(plan: RealPlan): Promise<RealProject> {
  const models = await startModels();
  onTestFinished(models.close);
  const env: Record<string, string> = { PATH: pathWithAgents(), ...plan.env };
  const { head = '' } = plan;
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
