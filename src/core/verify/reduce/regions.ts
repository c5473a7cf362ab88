// Finds the regions of a net in which tokens move alone, and the common exit of each region.

import { at } from '../../assert.ts';
import { NONE, ORDINARY, RESOURCE } from './linked-net.ts';
import type { FlatNet } from '../search/flat-net.ts';
import type { LinkedParts } from './link-net.ts';

/** In `wayOut`, beside NONE where no exit is known: the exits differ. */
const MIXED = -2;

export interface Regions {
  readonly flat: FlatNet;
  readonly role: Int32Array;
  readonly stripped: Int32Array;
  /** By transition: its only input place, with weight one; NONE when it takes more or nothing. */
  readonly sole: Int32Array;
  /** By place: 1 when every taker takes from this place alone. */
  readonly isFree: Uint8Array;
  /** By transition from a free place to a single place: that place; else NONE. */
  readonly leadsTo: Int32Array;
  /** By place: the last transition that leads to it from a free place; the others follow through `nextInto`. */
  readonly lastInto: Int32Array;
  readonly nextInto: Int32Array;
  /** By place: the last transition that leads from it to a free place; the others follow through `nextFrom`. */
  readonly lastFrom: Int32Array;
  readonly nextFrom: Int32Array;
  readonly wayOut: Int32Array;
}

export function findRegions({ flat, role, stripped }: LinkedParts): Regions {
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
  findWaysOut(regions);
  return regions;
}

/** Records a transition from a free place as internal to the region, or as an exit. */
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

/** Propagates exits backwards through the region: first the known exits, then their absence. */
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

/**
 * Whether two transitions give the same tokens in the same order of arcs. A different order only misses a reduction.
 */
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

/** By place: 1 when a transition outside all regions fills the place or the region before it (collapse/G1). */
export function filledFromOutside({ flat, isFree, leadsTo, lastFrom, nextFrom }: Regions): Uint8Array {
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

/** By free place: the first transition of a shortest path out of its region; NONE where no exit is reached. */
export function pathsOut({ flat, sole, isFree, leadsTo, lastInto, nextInto }: Regions): Int32Array {
  const first = new Int32Array(flat.placeCount).fill(NONE);
  const pending: number[] = [];
  const reach = (place: number, by: number): void => {
    if (at(first, place) !== NONE) return;
    first[place] = by;
    pending.push(place);
  };
  for (let transition = 0; transition < flat.transitionCount; transition += 1) {
    const from = at(sole, transition);
    if (from !== NONE && isFree[from] === 1 && at(leadsTo, transition) === NONE) reach(from, transition);
  }
  // The list is read while it grows, so the nearest come first.
  for (const place of pending) {
    for (let into = at(lastInto, place); into !== NONE; into = at(nextInto, into)) reach(at(sole, into), into);
  }
  return first;
}
