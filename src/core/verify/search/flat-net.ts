// The verifier's form of a net: every transition needs some tokens and leaves some tokens.
//
// flat-net/F1. A read needs a token and leaves it, so the place is in both lists (under interleaving both mean the
//   same).
// flat-net/F2. A place occurs at most once in each list of a transition.

import { at } from '../../assert.ts';
import type { Arcs, Net } from '../../net/net.ts';

export interface FlatNet {
  readonly placeCount: number;
  readonly transitionCount: number;
  /** The tokens that a transition needs to fire and consumes. */
  readonly takes: Arcs;
  /** The tokens that a transition produces. */
  readonly gives: Arcs;
  readonly initial: Int32Array;
}

export function flatten(net: Net): FlatNet {
  const placeCount = net.initial.length;
  return {
    placeCount,
    transitionCount: net.takes.start.length - 1,
    takes: joinArcs(net.takes, net.reads, placeCount),
    gives: joinArcs(net.gives, net.reads, placeCount),
    initial: net.initial,
  };
}

/** Writes both lists of each transition consecutively, summing the weights of a place that is in both. */
function joinArcs(first: Arcs, second: Arcs, placeCount: number): Arcs {
  const room = first.place.length + second.place.length;
  const joined: Joined = {
    start: new Int32Array(first.start.length),
    place: new Int32Array(room),
    weight: new Int32Array(room),
    written: new Int32Array(placeCount).fill(-1),
    length: 0,
  };
  for (let transition = 0; transition + 1 < first.start.length; transition += 1) {
    const begin = joined.length;
    copyArcs(first, transition, joined);
    if (at(second.start, transition) < at(second.start, transition + 1)) addArcs(second, transition, { joined, begin });
    joined.start[transition + 1] = joined.length;
  }
  const { start, place, weight, length } = joined;
  return { start, place: place.subarray(0, length), weight: weight.subarray(0, length) };
}

interface Joined {
  readonly start: Int32Array;
  readonly place: Int32Array;
  readonly weight: Int32Array;
  /** By place: the position of its last arc. */
  readonly written: Int32Array;
  length: number;
}

function copyArcs(arcs: Arcs, transition: number, joined: Joined): void {
  const end = at(arcs.start, transition + 1);
  for (let arc = at(arcs.start, transition); arc < end; arc += 1) {
    joined.place[joined.length] = at(arcs.place, arc);
    joined.weight[joined.length] = at(arcs.weight, arc);
    joined.length += 1;
  }
}

function addArcs(arcs: Arcs, transition: number, { joined, begin }: { joined: Joined; begin: number }): void {
  const { place, weight, written } = joined;
  for (let slot = begin; slot < joined.length; slot += 1) written[at(place, slot)] = slot;
  const end = at(arcs.start, transition + 1);
  for (let arc = at(arcs.start, transition); arc < end; arc += 1) {
    const slot = at(written, at(arcs.place, arc));
    if (slot >= begin) {
      weight[slot] = at(weight, slot) + at(arcs.weight, arc);
      continue;
    }
    place[joined.length] = at(arcs.place, arc);
    weight[joined.length] = at(arcs.weight, arc);
    joined.length += 1;
  }
}
