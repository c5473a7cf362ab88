// What all parts of one world share.
import type { Compiled } from '../../src/core/compile/compiled.ts';
import type { Observer } from '../invariants/open-observer.ts';
import type { Trial } from '../trial.ts';
import type { Counts } from './counts.ts';
import type { Dice } from './faults.ts';
import type { Timeline } from './timeline.ts';
import type { Worker } from './worker.ts';

export interface World {
  readonly trial: Trial;
  readonly compiled: Compiled;
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly counts: Counts;
  /** Every worker that was ever started on any machine, by claim. */
  readonly workers: Map<string, Worker>;
  /** Commits that are on the server, which its own machine shares: nothing else can be built on (push, then report). */
  readonly delivered: Set<string>;
  readonly observer: Observer;
  /** What clocks on walls say, in milliseconds since the epoch; it jumps. */
  readonly wall: () => number;
  readonly isCalm: () => boolean;
  readonly say: (line: string) => void;
}

/** What a host and its workers have of it. */
export interface HostWorld extends Omit<World, 'compiled' | 'observer'> {
  readonly observer: Pick<Observer, 'starts' | 'started' | 'acknowledged'>;
}
