// Combines the git use cases with parts of the shell: landing, manual resolution, recovery.
import { join } from 'node:path';
import type { State } from '../core/engine/state.ts';
import type { ForecastPair, Overlap } from '../shell/git/merge/merge-forecast.ts';
import { REFS } from '../shell/git/store/ref-names.ts';
import { rememberChecks, type RememberedChecks } from '../shell/merge/remembered-checks.ts';
import { checksIn, type StartCheck } from '../shell/merge/run-check.ts';
import { historyIn, taskIn } from '../shell/merge/merge-history.ts';
import { AGENT_NEEDS } from '../shell/sandbox/isolation/agent-needs.ts';
import type { FoundSandbox, Sandbox, SandboxOpened, SandboxRequest } from '../shell/sandbox/sandbox.ts';
import type { Sandboxes } from '../shell/sandbox/sandboxes.ts';
import { openConflict, type ConflictOpened, type ConflictRequest } from '../shell/sandbox/open-conflict.ts';
import type { GroundOpened } from './sandbox-parts.ts';

export type Ground = Extract<GroundOpened, { type: 'opened' }>;
/** A sandbox as it is found on the disk. */
export type Found = FoundSandbox;
/** A sandbox that is open. */
export type Workplace = Sandbox;
export type Pair = ForecastPair;
export type Touching = Overlap;

export const runBranchOf = REFS.runBranch;

/** The provider hosts of this kind of agent, for plans that list allowed hosts. */
export const hostsOfAgent = (use: string): readonly string[] => AGENT_NEEDS.get(use)?.hosts ?? [];

/** The tasks merged into a run branch with their commits, oldest first. */
export const mergesOn = (
  { repository }: Ground,
  { tip, base }: { readonly tip: string; readonly base: string },
): Promise<readonly { readonly task: string; readonly commit: string }[]> => historyIn(repository).at(tip, base);

/** The published history of a run: a commit for the end of each task's work, the oldest first. */
export async function publishedOf(
  { repository }: Ground,
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

export interface CheckerOrder {
  readonly run: string;
  readonly home: string;
  readonly ground: Ground;
  readonly environment: Readonly<Record<string, string>>;
}

/** Reuses the merge queue's results. Landing numbers its files apart, because the queue may be running. */
export const checkerFor = ({ run, home, ground, environment }: CheckerOrder): Checker => ({
  remembered: rememberChecks(join(home, 'checks', run)),
  start: checksIn({ run: `${run}@land`, home, candidates: ground.sandboxes.candidate, environment }),
});

/** Sandboxes under names of another's choosing. */
export interface Apart {
  readonly open: (order: SandboxRequest) => Promise<SandboxOpened>;
  readonly openConflict: (run: string, order: ConflictRequest) => Promise<ConflictOpened>;
}

export function sandboxesApart({ repository, sandboxes }: Ground, nameOf: (task: string) => string): Apart {
  const open: Sandboxes['open'] = (order) => sandboxes.open({ ...order, task: nameOf(order.task) });
  const apart = { ...sandboxes, open };
  return { open, openConflict: (run, order) => openConflict({ run, repository, sandboxes: apart }, order) };
}
