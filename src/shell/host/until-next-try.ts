// How long a host waits before it tries again to bring or to deliver commits.
import { setTimeout } from 'node:timers/promises';

const FIRST_MS = 250;
const LONGEST_MS = 30_000;

/** The process may end meanwhile. */
export const untilNextTry = (tries: number): Promise<void> =>
  setTimeout(Math.min(FIRST_MS * 2 ** tries, LONGEST_MS), undefined, { ref: false });
