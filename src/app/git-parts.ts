// Combines the git use cases with parts of the shell: landing, manual resolution, recovery, reports.
import { failureText } from '../core/protocol/sandbox-failure.ts';
import { join } from 'node:path';
import type { State } from '../core/engine/state.ts';
import { REFS } from '../shell/git/store/ref-names.ts';
import { rememberChecks, type RememberedChecks } from '../shell/merge/remembered-checks.ts';
import { checksIn, type StartCheck } from '../shell/merge/run-check.ts';
import { taskIn } from '../shell/merge/merge-history.ts';
import type { SandboxOpened, SandboxRequest } from '../shell/sandbox/sandbox.ts';
import type { Sandboxes } from '../shell/sandbox/sandboxes.ts';
import { openConflict, type ConflictOpened, type ConflictRequest } from '../shell/sandbox/open-conflict.ts';
import type { IntegrationOpened } from './sandbox-parts.ts';
import type { Author } from '../core/engine/event.ts';
import type { GitKept } from '../core/view/report/kept.ts';
import { openRepository } from '../shell/git/repository.ts';
import { gitAt } from '../shell/git/run/git.ts';
import { errorAsValue } from '../shell/git/run/git-error.ts';
import { messagesOf, runCommits } from '../shell/git/store/run-commits.ts';
import type { PublishedCommit } from '../shell/git/user/published-history.ts';

export type Integration = Extract<IntegrationOpened, { type: 'opened' }>;
/** The published history of a run: a commit for the end of each task's work, the oldest first. */
export async function publishedOf(
  { repository }: Integration,
  { compiled, run }: State,
  { tip, base }: { readonly tip: string; readonly base: string },
): Promise<readonly { readonly task: string; readonly commit: string }[]> {
  const { commits } = compiled.plan.settings.merge;
  const history = await repository.history({ base, tip, commits, author: run.author });
  return history.map(({ commit, merge }) => ({ commit, task: taskIn(merge.message) ?? '' }));
}

export interface Checker {
  readonly remembered: RememberedChecks;
  readonly start: StartCheck;
}

export interface CheckerOptions {
  readonly run: string;
  readonly home: string;
  readonly integration: Integration;
  readonly environment: Readonly<Record<string, string>>;
}

/** Reuses the merge queue's results. Landing numbers its files apart, because the queue may be running. */
export const checkerFor = ({ run, home, integration, environment }: CheckerOptions): Checker => ({
  remembered: rememberChecks(join(home, 'checks', run)),
  start: checksIn({ run: `${run}@land`, home, candidates: integration.sandboxes.candidate, environment }),
});

/** Sandboxes under names of another's choosing. */
export interface Apart {
  readonly open: (request: SandboxRequest) => Promise<SandboxOpened>;
  readonly openConflict: (run: string, request: ConflictRequest) => Promise<ConflictOpened>;
}

export function sandboxesApart({ repository, sandboxes }: Integration, nameOf: (task: string) => string): Apart {
  const open: Sandboxes['open'] = (options) => sandboxes.open({ ...options, task: nameOf(options.task) });
  const apart = { ...sandboxes, open };
  return { open, openConflict: (run, options) => openConflict({ run, repository, sandboxes: apart }, options) };
}

/** The tasks of some merges, as far as the commits still exist. */
export async function tasksOf(
  { home, project }: Pick<GitPartsOptions, 'home' | 'project'>,
  commits: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const opened = await openRepository({ home, project, repairs: false });
  if (opened.type === 'refused') return new Map();
  const known = await errorAsValue(async () => {
    const messages = await messagesOf(gitAt(opened.repository.gitDir), commits);
    return { type: 'known', messages } as const;
  });
  if (known.type === 'failed') return new Map();
  return new Map(
    [...known.messages].flatMap(([commit, message]) => {
      const task = taskIn(message);
      return task === undefined ? [] : [[commit, task] as const];
    }),
  );
}

/** The tasks that each commit has beyond the run branch, in the order of their merges. */
export async function prefixesOf(
  { home, project, run }: Pick<GitPartsOptions, 'home' | 'project' | 'run'>,
  commits: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const opened = await openRepository({ home, project, repairs: false });
  if (opened.type === 'refused') return new Map();
  const { repository } = opened;
  const known = await errorAsValue(async () => {
    const base = await repository.read(REFS.runBranch(run));
    const git = gitAt(repository.gitDir);
    const entries = commits.map(async (tip) => {
      const merges = base === undefined ? [] : await runCommits(git, { base, tip });
      return [tip, merges.flatMap(({ message }) => taskIn(message) ?? [])] as const;
    });
    return { type: 'known', prefixes: new Map(await Promise.all(entries)) } as const;
  });
  // A check that ends meanwhile may take its commit along.
  return known.type === 'failed' ? new Map() : known.prefixes;
}

export interface GitPartsOptions {
  readonly home: string;
  readonly project: string;
  readonly run: string;
  readonly base: string;
  /** The plan's; the branch that is checked out when it names none. */
  readonly target: string | undefined;
  readonly commits: 'task' | 'step';
  readonly author: Author | undefined;
}

export type GitSummary =
  | { readonly type: 'known'; readonly git: GitKept }
  | { readonly type: 'unknown'; readonly says: string };

export async function gitOf(options: GitPartsOptions): Promise<GitSummary> {
  const { home, project, run } = options;
  const opened = await openRepository({ home, project, repairs: false });
  if (opened.type === 'refused') return { type: 'unknown', says: failureText(opened.failure) };
  const { repository } = opened;
  const target = options.target ?? repository.user.branch;
  const known = await errorAsValue(async () => {
    const tip = await repository.read(REFS.runBranch(run));
    const at = target === undefined ? undefined : await repository.baseOf(`refs/heads/${target}`);
    const history = tip === undefined ? [] : await repository.history({ ...options, tip });
    const ids = history.map(({ commit }) => commit);
    const landed = at === undefined ? new Set<string>() : await repository.landedIn(ids, at);
    const commits = history.flatMap((published) => commitOf(published, landed));
    return { type: 'known', git: { branch: `heddle/${run}`, tip: ids.at(-1) ?? tip, target, commits } } as const;
  });
  return known.type === 'failed' ? { type: 'unknown', says: failureText(known.failure) } : known;
}

function commitOf({ commit, merge }: PublishedCommit, landed: ReadonlySet<string>): GitKept['commits'] {
  const task = taskIn(merge.message);
  if (task === undefined || merge.tip === undefined) return [];
  const [heading = ''] = merge.message.split('\n');
  const subject = heading.startsWith(`${task}: `) ? heading.slice(task.length + 2) : heading;
  return [{ task, commit, tip: merge.tip, subject, isLanded: landed.has(commit) }];
}
