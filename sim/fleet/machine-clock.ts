// The time of one machine: its clock is a little fast or slow, and at times the machine stands still. What was to happen on it
// then happens when it goes on; its clock has gone on meanwhile.
import { LEASE_LOOK_MS } from '../world/end-in-time.ts';
import type { Timeline } from '../world/timeline.ts';

export interface MachineClock {
  /** Nothing that is scheduled here happens while the machine stands still. */
  readonly timeline: Timeline;
  /** Milliseconds since the machine started, by its own clock. */
  readonly clock: () => number;
  /** It goes on since so short a time that not every worker has looked at its lease. */
  readonly isJustAwake: () => boolean;
  readonly standStill: (forMs: number) => void;
  /** Now, or when the machine goes on. */
  readonly whenAwake: (act: () => void) => void;
}

/** `speed` is that of its clock: 1 is right. */
export function machineClock(time: Timeline, speed: number): MachineClock {
  let stillUntil = 0;
  const whenAwake = (act: () => void): void => {
    const now = time.now();
    if (now >= stillUntil) act();
    else time.schedule(stillUntil - now, () => whenAwake(act));
  };
  return {
    timeline: { ...time, schedule: (afterMs, act) => time.schedule(afterMs, () => whenAwake(act)) },
    clock: () => time.now() * speed,
    isJustAwake: () => stillUntil > 0 && time.now() < stillUntil + LEASE_LOOK_MS,
    standStill: (forMs) => {
      stillUntil = time.now() + forMs;
    },
    whenAwake,
  };
}
