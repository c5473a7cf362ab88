// The two limits of a step while it works: how long it may take, and how long it may be silent.
//
// L1. Time in which this process was itself stopped (a laptop asleep, SIGSTOP) is not silence of the step: it may have
//     spoken, and nobody listened.
// L2. Output that has come and was not yet read is not silence either, nor is the time in which a tool of the step works.
import type { Limits } from '../../core/protocol/assignment.ts';

/** A timer this much too late means that we were stopped, not merely busy. */
const LATE_MS = 1000;
/** We look at least this often, so that a stop in the middle of a long wait is seen. */
const LOOK_MS = 5000;

export interface LimitWatch {
  readonly heard: () => void;
  readonly stop: () => void;
}

export interface Watching {
  readonly onLimit: (limit: 'timeout' | 'idle') => void;
  readonly isBusy: () => boolean;
}

export function watchLimits(limits: Limits, { onLimit, isBusy }: Watching): LimitWatch {
  const timeoutAt = performance.now() + limits.timeoutMs;
  let heardAt = performance.now();
  let dueAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const idleAt = (): number => heardAt + limits.idleTimeoutMs;
  const arm = (): void => {
    const now = performance.now();
    dueAt = Math.max(now, Math.min(now + LOOK_MS, timeoutAt, idleAt()));
    timer = setTimeout(wake, dueAt - now);
  };
  const wake = (): void => {
    const now = performance.now();
    if (now - dueAt > LATE_MS || isBusy()) heardAt = now;
    // What is readable is read before this is called, so silence is judged only then.
    if (now >= Math.min(timeoutAt, idleAt())) setImmediate(judge);
    else arm();
  };
  const judge = (): void => {
    if (isOver) return;
    const now = performance.now();
    if (now >= timeoutAt) onLimit('timeout');
    else if (now >= idleAt()) onLimit('idle');
    else arm();
  };
  arm();
  return {
    heard: () => {
      heardAt = performance.now();
    },
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
