// A net being played: its tokens, and the data that determines the next enabled transition. `fire.ts` moves the tokens
// and `enabled-set.ts` maintains the set; no other file changes a play.

import { assert, at } from '../assert.ts';
import { coloursAt, firstMarking } from './marking.ts';
import { transitionCount } from './net.ts';
import { emptyWaits } from './waits.ts';
import { parkAll } from './enabled-set.ts';
import type { Net } from './net.ts';
import type { Play } from './waits.ts';

export type { Play } from './waits.ts';

export interface PlayOptions<C extends {}> {
  readonly net: Net;
  /** The colour of a token that is there at the start. */
  readonly colour: (place: number) => C;
  /** By transition: the higher goes first. Without it, and among equals, the lower index goes first. */
  readonly priority?: Float64Array;
  /** By transition: 1 when the enabled set should hold it. All of them, when absent. */
  readonly watch?: Uint8Array;
}

export function startPlay<C extends {}>({ net, colour, priority, watch }: PlayOptions<C>): Play<C> {
  const count = transitionCount(net);
  assert(priority === undefined || priority.length === count, 'Priorities must be given for every transition.');
  assert(watch === undefined || watch.length === count, 'What to watch must be given for every transition.');
  const play = { net, marking: firstMarking(net, colour), waits: emptyWaits({ net, priority, watch }) };
  parkAll(play);
  return play;
}

export function countAt<C extends {}>(play: Play<C>, place: number): number {
  return at(play.marking.counts, place);
}

/** The colours at a place, oldest first; a counted place has none. */
export function tokensAt<C extends {}>(play: Play<C>, place: number): readonly C[] {
  return coloursAt(play.marking, place);
}

/** Token counts by place id, sorted, without empty places; for tests and for people. */
export function markingOf<C extends {}>(play: Play<C>): Readonly<Record<string, number>> {
  const { net, marking } = play;
  const held = net.places.map((place, index): [string, number] => [place.id, at(marking.counts, index)]);
  const marked = held.filter(([, count]) => count > 0);
  return Object.fromEntries(marked.sort(([left], [right]) => (left < right ? -1 : 1)));
}
