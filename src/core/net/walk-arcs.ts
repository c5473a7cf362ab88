// Ways to walk the arcs of a net: from a transition to its places, and from a place to its transitions.
// Where every nanosecond counts, loop from `start[t]` to `start[t + 1]` by hand.

import { at } from '../assert.ts';
import { placeCount } from './net.ts';
import type { Arcs, Net } from './net.ts';

/** The arcs of one kind turned round: those at place `p` lie at `start[p]` up to `start[p + 1]`. */
export interface ArcsByPlace {
  readonly start: Int32Array;
  readonly transition: Int32Array;
  readonly weight: Int32Array;
}

export function forEachArc(arcs: Arcs, transition: number, visit: (place: number, weight: number) => void): void {
  const end = at(arcs.start, transition + 1);
  for (let arc = at(arcs.start, transition); arc < end; arc += 1) visit(at(arcs.place, arc), at(arcs.weight, arc));
}

export function placesOf(arcs: Arcs, transition: number): readonly number[] {
  return [...arcs.place.subarray(at(arcs.start, transition), at(arcs.start, transition + 1))];
}

export function weightOf(arcs: Arcs, transition: number, place: number): number {
  const end = at(arcs.start, transition + 1);
  for (let arc = at(arcs.start, transition); arc < end; arc += 1) {
    if (arcs.place[arc] === place) return at(arcs.weight, arc);
  }
  return 0;
}

export const transitionsTaking = (net: Net): ArcsByPlace => arcsByPlace(net.takes, placeCount(net));

/** A counting sort: the transitions of each place come out in ascending order. */
export function arcsByPlace(arcs: Arcs, placeCount: number): ArcsByPlace {
  const start = new Int32Array(placeCount + 1);
  for (const place of arcs.place) start[place + 1] = at(start, place + 1) + 1;
  for (let place = 0; place < placeCount; place += 1) start[place + 1] = at(start, place + 1) + at(start, place);
  const free = start.slice();
  const transition = new Int32Array(arcs.place.length);
  const weight = new Int32Array(arcs.place.length);
  for (let from = 0; from < arcs.start.length - 1; from += 1) {
    forEachArc(arcs, from, (place, tokens) => {
      const slot = at(free, place);
      free[place] = slot + 1;
      transition[slot] = from;
      weight[slot] = tokens;
    });
  }
  return { start, transition, weight };
}
