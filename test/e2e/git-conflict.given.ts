// A task's sandbox over a user's repository, for what is done about conflicts.
import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import type { SandboxSettings } from '../../src/shell/sandbox/tree/sandbox-context.ts';
import type { Sandbox } from '../../src/shell/sandbox/sandbox.ts';
import { openSandboxes } from '../../src/shell/sandbox/sandboxes.ts';
import type { ConflictContext } from '../../src/shell/sandbox/open-conflict.ts';
import { homeOf, makeProject } from './git-project.given.ts';
import type { Files, Project } from './git-project.given.ts';

export const RUN = 'run-1';
export const TASK = 'late';

export const SETTINGS: SandboxSettings = {
  include: [],
  setup: undefined,
  link: [],
  ports: 0,
  tree: 'checkout',
  isolation: 'none',
  network: undefined,
  limits: { disk: 20_000_000_000, memory: undefined, processes: 4_000 },
};

/** What the task made, and what it is to fit with. */
export interface Met {
  readonly project: Project;
  readonly base: string;
  readonly tip: string;
  readonly onto: string;
  readonly integration: ConflictContext;
}

export interface PathOverlap {
  readonly base: Files;
  readonly ours: Files;
  readonly theirs: Files;
}

export async function givenConflict({ base: files, ours, theirs }: PathOverlap): Promise<Met> {
  const project = makeProject(files);
  const base = project.git('rev-parse', 'HEAD');
  const [tip, onto] = [project.branch(base, ours), project.branch(base, theirs)];
  return { project, base, tip, onto, integration: await integrationOf(project) };
}

export async function integrationOf(project: Project): Promise<ConflictContext> {
  const repository = await project.open();
  const opened = await openSandboxes({
    home: homeOf(project.folder),
    repository,
    settings: SETTINGS,
    isolation: { name: 'none', wrap: (argv) => argv },
    network: 'none',
    probe: undefined,
  });
  if (opened.type === 'refused') throw new Error(opened.failure.code);
  onTestFinished(async () => void (await opened.sandboxes.recover({ isWanted: () => false })));
  return { run: RUN, repository, sandboxes: opened.sandboxes };
}

/** Runs a shell command in a sandbox, as an agent would. */
export function workIn(
  { folder, wrap, environment }: Pick<Sandbox, 'folder' | 'wrap' | 'environment'>,
  command: string,
): string {
  const [program = '', ...args] = wrap(['sh', '-c', command]);
  return execFileSync(program, args, { cwd: folder, env: { ...process.env, ...environment }, encoding: 'utf8' });
}
