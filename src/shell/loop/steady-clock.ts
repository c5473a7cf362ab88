// The clock of a run: it follows the system's clock forwards and never goes back, even when the system's clock is set
// back.
//
// steady-clock/J1. Between two readings it advances by at least the time that has passed, so a backoff of one second takes one
//     second even when the system's clock was set back by an hour.
// steady-clock/J2. It starts no earlier than the latest event of the log, so a restart never goes back in the run's time.
import type { Clock } from '../ports/clock.ts';

export function steadyClock({ now, monotonic }: Clock, noEarlierThan: number): () => number {
  let last = Math.max(noEarlierThan, now());
  let readAt = monotonic();
  return () => {
    const at = monotonic();
    last = Math.round(Math.max(now(), last + (at - readAt)));
    readAt = at;
    return last;
  };
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
