// What a host does now and then so that nothing piles up: leftovers of steps, and workers that nobody needs.
import type { Floor } from './host-state.ts';
import { IDLE_MS } from './worker-pool.ts';

/** One look serves all claims that have ended since the last one; a look at every process is too dear for each step. */
export function reapNow(floor: Floor): void {
  void floor.reaper.reap();
}

export function trim(floor: Floor): void {
  if (floor.crew.trim()) floor.timers.within('trim', IDLE_MS);
}
