// Takes whole regions out of a net in one sweep, before it is linked for the rules that work arc by arc.
//
// A region is made of ordinary places from which every transition takes one token and nothing else. A token in it
// wanders alone: no other token helps or hinders it. Where all ways out of a place, however far, give the same tokens,
// and a way out can always be reached, it makes no difference when it goes: so whoever fills the place gives what the
// way out gives, and the place and its takers are left out. Any run of what is left is a run of the net in which the
// token leaves at once; any run of the net becomes one of what is left when every token leaves as soon as it has come.
//
// G1. A place is left out only when something outside fills its region, so nothing dead disappears unseen.
// G2. What the way out gives lies outside all regions, and some of it on a place that must be empty when the net ends:
//     then a token that would still wander at the end is still seen to be left over.
// The life of a step, a check, a merge is such a region: of a compiled plan little more than the needs remains.

import { at } from '../../net/at.ts';
import type { Arcs } from '../../net/net.ts';
import type { FlatNet } from '../flat-net.ts';
import { ORDINARY, RESOURCE } from './linked-net.ts';
import type { LinkedParts } from './link-net.ts';

/** In `wayOut`: none is known, or not all are alike; else the number of a transition that is one. */
const NONE = -1;
const MIXED = -2;

interface Regions {
  readonly flat: FlatNet;
  readonly role: Int32Array;
  readonly stripped: Int32Array;
  /** By transition: the one place it takes one token from; NONE when it takes more or nothing. */
  readonly sole: Int32Array;
  /** By place: 1 when every taker takes from it alone. */
  readonly isFree: Uint8Array;
  /** By transition from a free place to one other: that other; else NONE. */
  readonly leadsTo: Int32Array;
  /** By place: the last of the transitions that lead to it from a free place, and so on through `nextInto`. */
  readonly lastInto: Int32Array;
  readonly nextInto: Int32Array;
  /** By place: the last of the transitions that lead from it to a free place, and so on through `nextFrom`. */
  readonly lastFrom: Int32Array;
  readonly nextFrom: Int32Array;
  readonly wayOut: Int32Array;
}

/** The same net with fewer arcs: places that are left out are among the stripped, their takers have no arcs. */
export function collapse({ flat, role, stripped }: LinkedParts): LinkedParts {
  const regions = findRegions({ flat, role, stripped });
  findWaysOut(regions);
  const isFilled = filledFromOutside(regions);
  const gone = stripped.slice();
  for (let place = 0; place < flat.placeCount; place += 1) {
    if (at(regions.wayOut, place) >= 0 && isFilled[place] === 1) gone[place] = 1;
  }
  return { flat: withoutPlaces(regions, gone), role, stripped: gone };
}

function findRegions({ flat, role, stripped }: LinkedParts): Regions {
  const { placeCount, transitionCount, takes } = flat;
  const sole = new Int32Array(transitionCount).fill(NONE);
  const takers = new Int32Array(placeCount);
  for (let transition = 0; transition < transitionCount; transition += 1) {
    let needed = 0;
    let last = NONE;
    for (let arc = at(takes.start, transition); arc < at(takes.start, transition + 1); arc += 1) {
      const place = at(takes.place, arc);
      if (at(stripped, place) === 1) continue;
      takers[place] = at(takers, place) + 1;
      needed += at(takes.weight, arc);
      last = place;
    }
    if (needed === 1) sole[transition] = last;
  }
  for (const place of sole) if (place !== NONE) takers[place] = at(takers, place) - 1;
  const isFree = new Uint8Array(placeCount);
  for (const place of sole) {
    if (place !== NONE && at(takers, place) === 0 && at(role, place) === ORDINARY) isFree[place] = 1;
  }
  const regions: Regions = {
    flat,
    role,
    stripped,
    sole,
    isFree,
    leadsTo: new Int32Array(transitionCount).fill(NONE),
    lastInto: new Int32Array(placeCount).fill(NONE),
    nextInto: new Int32Array(transitionCount),
    lastFrom: new Int32Array(placeCount).fill(NONE),
    nextFrom: new Int32Array(transitionCount),
    wayOut: new Int32Array(placeCount).fill(NONE),
  };
  for (let transition = 0; transition < transitionCount; transition += 1) joinRegion(regions, transition);
  return regions;
}

/** Notes a transition from a free place as leading on inside the region, or as a way out of it. */
function joinRegion(regions: Regions, transition: number): void {
  const { flat, role, stripped, sole, isFree, wayOut } = regions;
  const from = at(sole, transition);
  if (from === NONE || isFree[from] !== 1) return;
  let given = 0;
  let last = NONE;
  let entersRegion = false;
  let isSeen = false;
  for (let arc = at(flat.gives.start, transition); arc < at(flat.gives.start, transition + 1); arc += 1) {
    const place = at(flat.gives.place, arc);
    if (at(stripped, place) === 1) continue;
    given += at(flat.gives.weight, arc);
    last = place;
    entersRegion ||= isFree[place] === 1;
    isSeen ||= at(role, place) !== RESOURCE;
  }
  if (given === 1 && entersRegion) {
    regions.leadsTo[transition] = last;
    regions.nextInto[transition] = at(regions.lastInto, last);
    regions.lastInto[last] = transition;
    regions.nextFrom[transition] = at(regions.lastFrom, from);
    regions.lastFrom[from] = transition;
    return;
  }
  const isClean = isSeen && !entersRegion;
  wayOut[from] = joinWays(regions, at(wayOut, from), isClean ? transition : MIXED);
}

/** Carries ways out back along the region: first what is there, then that nothing is. */
function findWaysOut(regions: Regions): void {
  const { flat, isFree, wayOut } = regions;
  const pending: number[] = [];
  for (let place = 0; place < flat.placeCount; place += 1) if (at(wayOut, place) !== NONE) pending.push(place);
  carryBack(regions, pending);
  for (let place = 0; place < flat.placeCount; place += 1) {
    if (isFree[place] !== 1 || at(wayOut, place) !== NONE) continue;
    wayOut[place] = MIXED;
    pending.push(place);
  }
  carryBack(regions, pending);
}

function carryBack(regions: Regions, pending: number[]): void {
  const { sole, lastInto, nextInto, wayOut } = regions;
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    for (let into = at(lastInto, place); into !== NONE; into = at(nextInto, into)) {
      const before = at(sole, into);
      const joined = joinWays(regions, at(wayOut, before), at(wayOut, place));
      if (joined === at(wayOut, before)) continue;
      wayOut[before] = joined;
      pending.push(before);
    }
  }
}

function joinWays(regions: Regions, known: number, other: number): number {
  if (known === NONE) return other;
  if (known === MIXED || other === MIXED) return MIXED;
  return givesTheSame(regions, known, other) ? known : MIXED;
}

/** Whether two transitions give the same tokens in the same order of arcs; a different order only loses a chance. */
function givesTheSame({ flat: { gives }, stripped }: Regions, one: number, other: number): boolean {
  if (one === other) return true;
  let right = at(gives.start, other);
  const rightEnd = at(gives.start, other + 1);
  for (let left = at(gives.start, one); left < at(gives.start, one + 1); left += 1) {
    if (at(stripped, at(gives.place, left)) === 1) continue;
    while (right < rightEnd && at(stripped, at(gives.place, right)) === 1) right += 1;
    if (right === rightEnd) return false;
    if (gives.place[left] !== gives.place[right] || gives.weight[left] !== gives.weight[right]) return false;
    right += 1;
  }
  while (right < rightEnd && at(stripped, at(gives.place, right)) === 1) right += 1;
  return right === rightEnd;
}

/** By place: 1 when a transition that is not inside a region fills it, or the region before it (G1). */
function filledFromOutside({ flat, isFree, leadsTo, lastFrom, nextFrom }: Regions): Uint8Array {
  const isFilled = new Uint8Array(flat.placeCount);
  const pending: number[] = [];
  const fill = (place: number): void => {
    if (isFree[place] !== 1 || isFilled[place] === 1) return;
    isFilled[place] = 1;
    pending.push(place);
  };
  for (let transition = 0; transition < flat.transitionCount; transition += 1) {
    if (at(leadsTo, transition) !== NONE) continue;
    for (let arc = at(flat.gives.start, transition); arc < at(flat.gives.start, transition + 1); arc += 1) {
      fill(at(flat.gives.place, arc));
    }
  }
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    for (let from = at(lastFrom, place); from !== NONE; from = at(nextFrom, from)) fill(at(leadsTo, from));
  }
  return isFilled;
}

/** The arcs without those of gone places; whoever gave to a region gives what its way out gives. */
function withoutPlaces(regions: Regions, gone: Int32Array): FlatNet {
  const { flat, sole, stripped, wayOut } = regions;
  const takes = growingArcs(flat);
  const gives = growingArcs(flat);
  const isLeftOut = (place: number): boolean => at(gone, place) === 1 && at(stripped, place) === 0;
  for (let transition = 0; transition < flat.transitionCount; transition += 1) {
    const from = at(sole, transition);
    if (from === NONE || !isLeftOut(from)) {
      copyArcs(flat.takes, transition, (place, weight) => at(gone, place) === 0 && append(takes, place, weight));
      copyArcs(flat.gives, transition, (place, weight) => {
        if (at(stripped, place) === 1) return;
        if (!isLeftOut(place)) append(gives, place, weight);
        else
          copyArcs(
            flat.gives,
            at(wayOut, place),
            (out, times) => at(gone, out) === 0 && append(gives, out, weight * times),
          );
      });
    }
    endTransition(takes);
    endTransition(gives);
  }
  return { ...flat, takes: finished(takes), gives: finished(gives) };
}

function copyArcs(
  { start, place, weight }: Arcs,
  transition: number,
  copy: (place: number, weight: number) => void,
): void {
  for (let arc = at(start, transition); arc < at(start, transition + 1); arc += 1)
    copy(at(place, arc), at(weight, arc));
}

interface GrowingArcs {
  readonly start: Int32Array;
  place: Int32Array;
  weight: Int32Array;
  transitions: number;
  length: number;
  /** By place: where its last arc was written; counts only if it belongs to the transition that is being written. */
  readonly lastArc: Int32Array;
}

function growingArcs({ placeCount, transitionCount }: FlatNet): GrowingArcs {
  const room = transitionCount + 16;
  return {
    start: new Int32Array(transitionCount + 1),
    place: new Int32Array(room),
    weight: new Int32Array(room),
    transitions: 0,
    length: 0,
    lastArc: new Int32Array(placeCount).fill(NONE),
  };
}

function append(arcs: GrowingArcs, place: number, weight: number): void {
  const last = at(arcs.lastArc, place);
  if (last >= at(arcs.start, arcs.transitions)) {
    arcs.weight[last] = at(arcs.weight, last) + weight;
    return;
  }
  if (arcs.length === arcs.place.length) {
    arcs.place = doubled(arcs.place);
    arcs.weight = doubled(arcs.weight);
  }
  arcs.place[arcs.length] = place;
  arcs.weight[arcs.length] = weight;
  arcs.lastArc[place] = arcs.length;
  arcs.length += 1;
}

function doubled(array: Int32Array): Int32Array {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}

function endTransition(arcs: GrowingArcs): void {
  arcs.transitions += 1;
  arcs.start[arcs.transitions] = arcs.length;
}

const finished = ({ start, place, weight, length }: GrowingArcs): Arcs => ({
  start,
  place: place.subarray(0, length),
  weight: weight.subarray(0, length),
});
