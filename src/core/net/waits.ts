// The state of each transition of a play: ready, waiting on a place, or in no heap. Flat arrays, allocated once.
//
// A heap orders transitions by rank, their index in the order of priority; all ranks differ.

import { at } from '../assert.ts';
import { emptyHeaps } from '../graph/heap.ts';
import { emptySlots } from '../graph/least-of-first.ts';
import { placeCount, transitionCount } from './net.ts';
import type { Heaps } from '../graph/heap.ts';
import type { LeastOfFirst } from '../graph/least-of-first.ts';
import type { Marking } from './marking.ts';
import type { Arcs, Net } from './net.ts';

/** In `waitsOn`: the transition is in the ready heap. */
export const READY = -1;
/** In `waitsOn`: the transition is in no heap. */
export const AWAY = -2;
/** In `wokenBy` and `postponedOn`: no place. */
export const NOWHERE = -1;

/** A net being played. `play.ts` starts one; only `fire.ts` and `enabled-set.ts` change it. */
export interface Play<C extends {}> {
  readonly net: Net;
  readonly marking: Marking<C>;
  readonly waits: Waits;
}

export interface Waits {
  readonly watched: Uint8Array;
  readonly rank: Int32Array;
  readonly byRank: Int32Array;
  /**
   * Heap `p` holds the transitions that wait on place `p` for one token. Transitions that wait for more have heaps of
   * their own, numbered after the places and found through `byWeight`. The last heap is the ready heap.
   */
  readonly heaps: Heaps;
  readonly ready: number;
  /** By place that some transition needs several tokens of. */
  readonly byWeight: ReadonlyMap<number, WeightedHeaps>;
  /** By transition: the place in one of whose heaps it is, or READY, or AWAY. */
  readonly waitsOn: Int32Array;
  /** By transition: the taking arc to examine first when looking for a lacking place. */
  readonly lookFrom: Int32Array;
  /** By transition that is ready: the place that woke it, or NOWHERE. */
  readonly wokenBy: Int32Array;
  /** By transition: 1 while it is deferred or postponed. */
  readonly held: Uint8Array;
  /** By transition that is postponed: the place whose next token ends that, else NOWHERE. */
  readonly postponedOn: Int32Array;
  readonly postponed: Map<number, Set<number>>;
}

/** The heaps of a place, one for each weight, the lightest first. */
export interface WeightedHeaps {
  readonly weights: Int32Array;
  readonly heaps: Int32Array;
  /** The rank of the first transition in each heap. */
  readonly tops: LeastOfFirst;
}

interface WaitsOptions {
  readonly net: Net;
  readonly priority: Float64Array | undefined;
  readonly watch: Uint8Array | undefined;
}

export function emptyWaits({ net, priority, watch }: WaitsOptions): Waits {
  const count = transitionCount(net);
  const watched = watch ?? new Uint8Array(count).fill(1);
  const byRank = orderOf(watched, priority);
  const rank = new Int32Array(count).fill(NOWHERE);
  byRank.forEach((transition, index) => {
    rank[transition] = index;
  });
  const byWeight = weightedHeaps(net);
  const rooms = roomsFor(net, watched, byWeight);
  return {
    watched,
    rank,
    byRank,
    heaps: emptyHeaps(rooms),
    ready: rooms.length - 1,
    byWeight,
    waitsOn: new Int32Array(count).fill(AWAY),
    lookFrom: new Int32Array(count),
    wokenBy: new Int32Array(count).fill(NOWHERE),
    held: new Uint8Array(count),
    postponedOn: new Int32Array(count).fill(NOWHERE),
    postponed: new Map(),
  };
}

/** The number of weights up to `tokens`. */
export function weightsWithin({ weights }: WeightedHeaps, tokens: number): number {
  let [low, high] = [0, weights.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(weights, middle) <= tokens) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The watched transitions in the order of priority; the rest are never asked for. */
function orderOf(watched: Uint8Array, priority: Float64Array | undefined): Int32Array {
  const order = new Int32Array(watched.reduce((sum, isWatched) => sum + isWatched, 0));
  let length = 0;
  watched.forEach((isWatched, transition) => {
    if (isWatched === 1) order[length] = transition;
    length += isWatched;
  });
  if (priority === undefined) return order;
  return order.sort((left, right) => (priority[right] ?? 0) - (priority[left] ?? 0) || left - right);
}

function weightedHeaps(net: Net): Waits['byWeight'] {
  const weightsOf = new Map<number, Set<number>>();
  for (const arcs of [net.takes, net.reads]) {
    for (let arc = 0; arc < arcs.place.length; arc += 1) {
      const weight = at(arcs.weight, arc);
      if (weight === 1) continue;
      const place = at(arcs.place, arc);
      const weights = weightsOf.get(place) ?? new Set([1]);
      weightsOf.set(place, weights.add(weight));
    }
  }
  let next = placeCount(net);
  return new Map(
    [...weightsOf].map(([place, weights]) => {
      const sorted = Int32Array.from(weights).sort();
      const heaps = sorted.map((weight) => (weight === 1 ? place : next++));
      return [place, { weights: sorted, heaps, tops: emptySlots(sorted.length) }];
    }),
  );
}

/** A transition is in one heap at a time, so a heap needs room for the watched arcs that lead to it and no more. */
function roomsFor(net: Net, watched: Uint8Array, byWeight: Waits['byWeight']): Int32Array {
  let heaps = placeCount(net);
  // The heap for one token has the number of its place.
  for (const { weights } of byWeight.values()) heaps += weights.length - 1;
  const rooms = new Int32Array(heaps + 1);
  const addRoom = (arcs: Arcs, transition: number): void => {
    for (let arc = at(arcs.start, transition); arc < at(arcs.start, transition + 1); arc += 1) {
      const place = at(arcs.place, arc);
      const weighted = byWeight.get(place);
      const heap =
        weighted === undefined ? place : at(weighted.heaps, weightsWithin(weighted, at(arcs.weight, arc)) - 1);
      rooms[heap] = at(rooms, heap) + 1;
    }
  };
  for (let transition = 0; transition < watched.length; transition += 1) {
    if (watched[transition] !== 1) continue;
    addRoom(net.takes, transition);
    addRoom(net.reads, transition);
    rooms[heaps] = at(rooms, heaps) + 1;
  }
  return rooms;
}
