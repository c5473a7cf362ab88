// A net as the verifier sees it: every transition needs some tokens and leaves some tokens.
//
// F1. A read is needing a token and leaving it, so it stands in both lists (interleaving makes them the same).
// F2. A place stands at most once in each list of a transition.

import { at } from '../net/at.ts';
import type { Arcs, Net } from '../net/net.ts';

export interface FlatNet {
  readonly placeCount: number;
  readonly transitionCount: number;
  /** What must be there for a transition to fire, and goes when it fires. */
  readonly takes: Arcs;
  /** What is there after it has fired, beside what it did not touch. */
  readonly gives: Arcs;
  readonly initial: Int32Array;
}

export function flatten(net: Net): FlatNet {
  const placeCount = net.places.length;
  return {
    placeCount,
    transitionCount: net.transitions.length,
    takes: joinArcs(net.takes, net.reads, placeCount),
    gives: joinArcs(net.gives, net.reads, placeCount),
    initial: net.initial,
  };
}

/** Writes both lists of each transition one after the other, summing the weights of a place that is in both. */
function joinArcs(first: Arcs, second: Arcs, placeCount: number): Arcs {
  const room = first.place.length + second.place.length;
  const joined = {
    start: new Int32Array(first.start.length),
    place: new Int32Array(room),
    weight: new Int32Array(room),
  };
  const written = new Int32Array(placeCount).fill(-1);
  let length = 0;
  const copy = (arcs: Arcs, transition: number, begin: number): void => {
    const end = at(arcs.start, transition + 1);
    for (let arc = at(arcs.start, transition); arc < end; arc += 1) {
      const place = at(arcs.place, arc);
      const slot = at(written, place);
      if (slot >= begin) {
        joined.weight[slot] = at(joined.weight, slot) + at(arcs.weight, arc);
        continue;
      }
      written[place] = length;
      joined.place[length] = place;
      joined.weight[length] = at(arcs.weight, arc);
      length += 1;
    }
  };
  for (let transition = 0; transition + 1 < first.start.length; transition += 1) {
    const begin = length;
    copy(first, transition, begin);
    copy(second, transition, begin);
    joined.start[transition + 1] = length;
  }
  return { start: joined.start, place: joined.place.subarray(0, length), weight: joined.weight.subarray(0, length) };
}
