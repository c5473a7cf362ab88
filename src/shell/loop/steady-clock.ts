// The time of a run: it follows the system's clock forwards and never goes back, whatever people do to the clock.
//
// J1. Between two readings it goes on by at least what has really passed, so a rest that was to take a second takes a
//     second though the clock was set back by an hour.
// J2. It begins no earlier than the latest event of the log, so a restart does not take a run into its own past.
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
