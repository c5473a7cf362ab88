// The time since this machine was started, the same for all of its processes. Time asleep counts: a lease goes on meanwhile.
import { uptime } from 'node:os';

/** To a hundredth of a second on Linux, and to a second elsewhere. */
export const elapsedMs = (): number => uptime() * 1_000;
