// The monotonic clock of a server, for the leases of its hosts: it leaves out the time in which this process did not run, because
// a machine slept or a debugger held it.
//
// awake-clock/A1. Hosts that could not be heard lose no lease: after such a time they have as much left as before it.
import type { Clock } from '../ports/clock.ts';

export interface AwakeClock extends Clock {
  readonly close: () => void;
}

const TICK_MS = 1_000;
/** A busy process is late by less. */
const ASLEEP_MS = 5_000;

export function awakeClock({ now, monotonic }: Clock): AwakeClock {
  let readAt = monotonic();
  let sleptMs = 0;
  const read = (): number => {
    const at = monotonic();
    if (at - readAt > ASLEEP_MS) sleptMs += at - readAt;
    readAt = at;
    return at - sleptMs;
  };
  const ticking = setInterval(read, TICK_MS).unref();
  return { now, monotonic: read, close: () => clearInterval(ticking) };
}
