// The two limits of a running process: its duration, and its silence.
//
// exec/L1. Time in which this process was suspended (a laptop asleep, SIGSTOP) is not silence: there may be unread
//     output.
// exec/L2. Unread output is not silence either, nor is the time in which a tool of an agent runs.
import type { Limits } from '../../core/protocol/assignment.ts';

/** A timer that is late by more than this means that this process was suspended, not merely busy. */
const LATE_MS = 1000;
/** The longest interval between two checks, so that a suspension during a long wait is detected. */
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
    // Silence is decided on after all readable output has been read.
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
