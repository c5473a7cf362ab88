// The two limits of a running process: how long it may take, and how long it may be silent.
//
// exec/L1. Time in which our own process was stopped (a laptop asleep, SIGSTOP) is not silence: there may be output that
//     nobody has read.
// exec/L2. Output that was not read yet is not silence either, nor is the time in which a tool of an agent runs.
import type { Limits } from '../../core/protocol/assignment.ts';

/** A timer this much too late means that we were stopped, not merely busy. */
const LATE_MS = 1000;
/** We look at least this often, so that a stop in the middle of a long wait is seen. */
const LOOK_MS = 5000;

export interface LimitWatch {
  readonly onOutput: () => void;
  readonly stop: () => void;
}

export interface Watching {
  readonly onLimit: (limit: 'timeout' | 'idle') => void;
  readonly isBusy: () => boolean;
}

export function watchLimits(limits: Limits, { onLimit, isBusy }: Watching): LimitWatch {
  const timeoutAt = performance.now() + limits.timeoutMs;
  let outputAt = performance.now();
  let dueAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const idleAt = (): number => outputAt + limits.idleTimeoutMs;
  const arm = (): void => {
    const now = performance.now();
    dueAt = Math.max(now, Math.min(now + LOOK_MS, timeoutAt, idleAt()));
    timer = setTimeout(wake, dueAt - now);
  };
  const wake = (): void => {
    const now = performance.now();
    if (now - dueAt > LATE_MS || isBusy()) outputAt = now;
    // What is readable is read before this is called, so silence is decided on only then.
    if (now >= Math.min(timeoutAt, idleAt())) setImmediate(decide);
    else arm();
  };
  const decide = (): void => {
    if (isOver) return;
    const now = performance.now();
    if (now >= timeoutAt) onLimit('timeout');
    else if (now >= idleAt()) onLimit('idle');
    else arm();
  };
  arm();
  return {
    onOutput: () => {
      outputAt = performance.now();
    },
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
