// Lays a net place by place and transition by transition into flat arrays that grow by doubling. It knows places and
// transitions by their number alone; names are the caller's.
//
// lay-net/B1. An arc costs two numbers and no object, so building is linear in time and memory.
// lay-net/B2. A place repeated in one list of arcs becomes one arc with the summed weight (N3).
// lay-net/B3. No transition both takes and reads one place. Reading is taking and giving back, so the read is folded
//   into the take and a give, and code that walks the arcs may look at each arc alone.

import { assert, at } from '../assert.ts';
import { emptyNumbers, finished, append } from './numbers.ts';
import type { Numbers } from './numbers.ts';
import type { Arcs, ArcsOfTransition, ArcTo, NetParts, PlaceOptions, Named, NetBuilder } from './net.ts';

interface GrowingArcs {
  readonly start: Numbers;
  readonly place: Numbers;
  readonly weight: Numbers;
}

interface Growing {
  readonly initial: Numbers;
  readonly counted: Numbers;
  readonly takes: GrowingArcs;
  readonly gives: GrowingArcs;
  readonly reads: GrowingArcs;
  /** By place: where its last arc was written. Proves nothing by itself: the arc found there must name the place. */
  readonly lastArc: Numbers;
}

export interface NetLayer {
  /** Adds a place and returns its number. */
  place(options?: PlaceOptions): number;
  /** Adds a transition and returns its number. */
  transition(arcs: ArcsOfTransition): number;
  parts(): NetParts;
}

export function layNet(): NetLayer {
  const growing: Growing = {
    initial: emptyNumbers(),
    counted: emptyNumbers(),
    takes: emptyArcs(),
    gives: emptyArcs(),
    reads: emptyArcs(),
    lastArc: emptyNumbers(),
  };
  return {
    place: (options) => addPlace(growing, options),
    transition: (arcs) => addTransition(growing, arcs),
    parts: () => finishedParts(growing),
  };
}

function addPlace(growing: Growing, { tokens = 0, counted = false }: PlaceOptions = {}): number {
  if (!isCount(tokens)) assert(false, `Place ${growing.initial.length} cannot begin with ${tokens} tokens.`);
  append(growing.initial, tokens);
  append(growing.counted, counted ? 1 : 0);
  append(growing.lastArc, -1);
  return growing.initial.length - 1;
}

function addTransition(growing: Growing, { takes, gives, reads }: ArcsOfTransition): number {
  for (const place of takes) addArc(growing, growing.takes, place);
  for (const place of gives) addArc(growing, growing.gives, place);
  if (reads !== undefined && reads.length > 0) addReads(growing, reads);
  append(growing.takes.start, growing.takes.place.length);
  append(growing.gives.start, growing.gives.place.length);
  append(growing.reads.start, growing.reads.place.length);
  return growing.takes.start.length - 2;
}

function addArc(growing: Growing, arcs: GrowingArcs, to: ArcTo): void {
  const place = typeof to === 'number' ? to : to[0];
  const weight = typeof to === 'number' ? 1 : to[1];
  if (!isCount(place) || place >= growing.initial.length)
    assert(false, `An arc names place ${place}, which does not exist.`);
  if (!isCount(weight) || weight === 0) assert(false, `An arc cannot have weight ${weight}.`);
  const first = at(arcs.start.items, arcs.start.length - 1);
  const last = at(growing.lastArc.items, place);
  const isRepeated = last >= first && last < arcs.place.length && at(arcs.place.items, last) === place;
  if (isRepeated) {
    arcs.weight.items[last] = at(arcs.weight.items, last) + weight;
    return;
  }
  growing.lastArc.items[place] = arcs.place.length;
  append(arcs.place, place);
  append(arcs.weight, weight);
}

/** A read of a place that the same transition takes becomes a heavier take and a give (lay-net/B3). */
function addReads(growing: Growing, reads: readonly ArcTo[]): void {
  const { takes, gives } = growing;
  const taken = new Set(takes.place.items.subarray(at(takes.start.items, takes.start.length - 1), takes.place.length));
  for (const to of reads) if (!taken.has(typeof to === 'number' ? to : to[0])) addArc(growing, growing.reads, to);
  const both = reads.filter((to) => taken.has(typeof to === 'number' ? to : to[0]));
  // One kind of arc after the other: `lastArc` remembers one position a place.
  for (const kind of [takes, gives]) {
    if (both.length > 0) remember(growing, kind);
    for (const to of both) addArc(growing, kind, to);
  }
}

function remember(growing: Growing, arcs: GrowingArcs): void {
  for (let arc = at(arcs.start.items, arcs.start.length - 1); arc < arcs.place.length; arc += 1) {
    growing.lastArc.items[at(arcs.place.items, arc)] = arc;
  }
}

function finishedParts(growing: Growing): NetParts {
  return {
    takes: finishedArcs(growing.takes),
    gives: finishedArcs(growing.gives),
    reads: finishedArcs(growing.reads),
    initial: finished(growing.initial),
    counted: Uint8Array.from(finished(growing.counted)),
  };
}

function finishedArcs(arcs: GrowingArcs): Arcs {
  return { start: finished(arcs.start), place: finished(arcs.place), weight: finished(arcs.weight) };
}

function emptyArcs(): GrowingArcs {
  const start = emptyNumbers();
  append(start, 0);
  return { start, place: emptyNumbers(), weight: emptyNumbers() };
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 0x7fffffff;
}

/** Builds a net whose places and transitions carry their names. Large nets are laid by number, with `layNet`. */
export function buildNet<P extends Named, T extends Named>(): NetBuilder<P, T> {
  const layer = layNet();
  const places: P[] = [];
  const transitions: T[] = [];
  return {
    place: (place, options) => {
      places.push(place);
      return layer.place(options);
    },
    transition: (transition, arcs) => {
      transitions.push(transition);
      return layer.transition(arcs);
    },
    build: () => ({ ...layer.parts(), places: [...places], transitions: [...transitions] }),
  };
}
