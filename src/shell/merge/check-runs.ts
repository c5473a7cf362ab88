// The running checks: the commit and the entries of each, and how they are ended.
//
// check-runs/F1. The result of a check is remembered before its end wakes the queue.
import type { SandboxFailure } from '../../core/protocol/sandbox-failure.ts';
import type { Limits } from '../../core/protocol/assignment.ts';
import type { Clock } from '../ports/clock.ts';
import type { RememberedChecks } from './remembered-checks.ts';
import type { Check, StartCheck } from './run-check.ts';

export interface CheckRun {
  readonly commit: string;
  readonly tree: string;
  /** Run in this order, until one fails. */
  readonly commands: readonly Limited[];
  /** Keys of the checked merge requests. */
  readonly about: readonly string[];
  /** When the latest of them was claimed. */
  readonly claimedAt: number;
  /** Whether to repeat a check that has failed. */
  readonly isAgain: boolean;
}

export interface Limited {
  readonly command: string;
  readonly limits: Limits;
}

export interface CheckRuns {
  readonly all: () => readonly CheckRun[];
  readonly start: (checkRun: CheckRun) => void;
  /** Ends a check; it stays listed until all of its processes have exited. */
  readonly stop: (checkRun: CheckRun) => void;
  /** Resolves when no check is left. */
  readonly settled: () => Promise<void>;
}

export interface CheckRunsSettings {
  readonly startCheck: StartCheck;
  readonly remembered: RememberedChecks;
  readonly clock: Clock;
  /** Called at the end of each check, with the error if it could not run. */
  readonly onEnd: (failure: SandboxFailure | undefined) => void;
}

interface RunningCheck {
  check: Check | undefined;
  isStopped: boolean;
  ended: Promise<void>;
}

export function openCheckRuns(settings: CheckRunsSettings): CheckRuns {
  const running = new Map<CheckRun, RunningCheck>();
  const runAndReport = async (checkRun: CheckRun, state: RunningCheck): Promise<void> => {
    const error = await runOne(settings, checkRun, state);
    running.delete(checkRun);
    settings.onEnd(error);
  };
  return {
    all: () => [...running.keys()],
    start: (checkRun) => {
      const state: RunningCheck = { check: undefined, isStopped: false, ended: Promise.resolve() };
      running.set(checkRun, state);
      state.ended = runAndReport(checkRun, state);
    },
    stop: (checkRun) => {
      const state = running.get(checkRun);
      if (state === undefined || state.isStopped) return;
      state.isStopped = true;
      state.check?.stop();
    },
    settled: async () => {
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

/** Returns the error, if the check could not run. */
async function runOne(
  settings: CheckRunsSettings,
  checkRun: CheckRun,
  state: RunningCheck,
): Promise<SandboxFailure | undefined> {
  const { startCheck, remembered, clock } = settings;
  const { commit, tree, commands, claimedAt, isAgain } = checkRun;
  for (const { command, limits } of commands) {
    const about = { tree, command };
    const found = remembered.of(about, claimedAt)?.type;
    if (found === 'passed') continue;
    if (found === 'failed' && !isAgain) return undefined;
    if (state.isStopped) return undefined;
    state.check = startCheck({ commit, command, limits });
    const checked = await state.check.ended;
    if (checked.type === 'error') return checked.failure;
    if (checked.type === 'stopped') return undefined;
    if (checked.type === 'passed') {
      remembered.passed(about);
      continue;
    }
    remembered.failed(about, { at: Math.max(clock.now(), claimedAt), tail: checked.tail, claimedAt });
    return undefined;
  }
  return undefined;
}
