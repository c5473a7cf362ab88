// What a host does now and then so that nothing piles up: leftovers of steps, and workers that nobody needs.
import type { Floor } from './floor.ts';
import { IDLE_MS } from './processes/crew.ts';

/** One look serves all claims that have ended since the last one; a look at every process is too dear for each step. */
export function sweepOver(floor: Floor): void {
  void floor.sweeper.sweep();
}

export function trim(floor: Floor): void {
  if (floor.crew.trim()) floor.agenda.within('trim', IDLE_MS);
}
