// The state of each transition of a play: ready, waiting on a place, or in no heap. Flat arrays, allocated once.
//
// A heap orders transitions by rank, their index in the order of priority; all ranks differ.

import { at } from '../assert.ts';
import { emptyHeaps } from '../graph/heap.ts';
import { placeCount, transitionCount } from './net.ts';
import type { Heaps } from '../graph/heap.ts';
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
   * their own, numbered after the places and found through `heavier`. The last heap is the ready heap.
   */
  readonly heaps: Heaps;
  readonly ready: number;
  /** By place, by weight above one: the heap of the transitions that wait for that many tokens. */
  readonly heavier: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /** By transition: the place in one of whose heaps it is, or READY, or AWAY. */
  readonly waitsOn: Int32Array;
  /** By transition: which of its taking arcs to look at first when asking what it lacks. */
  readonly lookFrom: Int32Array;
  /** By transition that is ready: the place that woke it, or NOWHERE. */
  readonly wokenBy: Int32Array;
  /** By transition: 1 while it is deferred or postponed. */
  readonly held: Uint8Array;
  /** By transition that is postponed: the place whose next token ends that, else NOWHERE. */
  readonly postponedOn: Int32Array;
  readonly postponed: Map<number, Set<number>>;
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
  const heavier = heavierHeaps(net);
  const rooms = roomsFor(net, watched, heavier);
  return {
    watched,
    rank,
    byRank,
    heaps: emptyHeaps(rooms),
    ready: rooms.length - 1,
    heavier,
    waitsOn: new Int32Array(count).fill(AWAY),
    lookFrom: new Int32Array(count),
    wokenBy: new Int32Array(count).fill(NOWHERE),
    held: new Uint8Array(count),
    postponedOn: new Int32Array(count).fill(NOWHERE),
    postponed: new Map(),
  };
}

/** The heap of the transitions that wait for `weight` tokens of `place`. */
export function heapFor(heavier: Waits['heavier'], place: number, weight: number): number {
  return heavier.get(place)?.get(weight) ?? place;
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

function heavierHeaps(net: Net): Waits['heavier'] {
  const heavier = new Map<number, Map<number, number>>();
  let next = placeCount(net);
  for (const arcs of [net.takes, net.reads]) {
    for (let arc = 0; arc < arcs.place.length; arc += 1) {
      const weight = at(arcs.weight, arc);
      if (weight === 1) continue;
      const place = at(arcs.place, arc);
      const heaps = heavier.get(place) ?? new Map<number, number>();
      heavier.set(place, heaps);
      if (heaps.has(weight)) continue;
      heaps.set(weight, next);
      next += 1;
    }
  }
  return heavier;
}

/** A transition is in one heap at a time, so a heap needs room for the watched arcs that lead to it and no more. */
function roomsFor(net: Net, watched: Uint8Array, heavier: Waits['heavier']): Int32Array {
  let heaps = placeCount(net);
  for (const ofPlace of heavier.values()) heaps += ofPlace.size;
  const rooms = new Int32Array(heaps + 1);
  const addRoom = (arcs: Arcs, transition: number): void => {
    for (let arc = at(arcs.start, transition); arc < at(arcs.start, transition + 1); arc += 1) {
      const heap = heapFor(heavier, at(arcs.place, arc), at(arcs.weight, arc));
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
