// All reachable markings, breadth first, within limits.
//
// explore/E1. Complete means that every marking was reached and every enabled transition of each was followed.
// explore/E2. A marking that is greater than one of its ancestors proves that the net is unbounded. The test starts
//   only when many markings are known: most nets are finished before.

import { assert, at } from '../../assert.ts';
import {
  BYTE,
  covers,
  fitsWidth,
  markingStore,
  meet,
  NO_MARKING,
  traceTo,
  unpack,
  WORD,
  WORD_MOST,
} from './marking-store.ts';
import type { Graph } from '../../graph/directed-graph.ts';
import type { FlatNet } from './flat-net.ts';
import type { MarkingStore } from './marking-store.ts';

export interface SearchLimits {
  readonly markingsMax: number;
  /** Words of memory for markings and for the steps between them. */
  readonly wordsMax: number;
  /** Bound on looks at a transition, or at a place of a marking. */
  readonly triesMax: number;
}

/** At most half a gigabyte, arrays that double included, and a few seconds. */
export const SEARCH_LIMITS: SearchLimits = { markingsMax: 1_000_000, wordsMax: 30_000_000, triesMax: 400_000_000 };

/** The configurable limits, and the limit that follows from counting in words. */
export type LimitName = keyof SearchLimits | 'tokensMax';

export type ExplorationEnd =
  | { readonly type: 'complete' }
  | { readonly type: 'stopped'; readonly at: number }
  | { readonly type: 'unbounded'; readonly at: number; readonly above: number }
  | { readonly type: 'limit'; readonly limit: LimitName; readonly most: number };

export interface Exploration {
  readonly net: FlatNet;
  readonly store: MarkingStore;
  readonly ending: ExplorationEnd;
  /** The steps from marking `m` are at `firstStep[m]` up to `firstStep[m + 1]`, for every expanded marking. */
  readonly firstStep: Int32Array;
  readonly stepTo: Int32Array;
  readonly stepBy: Int32Array;
  readonly expanded: number;
  /** By transition: 1 where some marking enabled it. */
  readonly hasFired: Int32Array;
}

/** The steps of a complete exploration as a graph of markings. */
export const stepsOf = ({ firstStep, stepTo, expanded }: Exploration): Graph => ({
  start: firstStep.subarray(0, expanded + 1),
  to: stepTo,
});

/** Called for each marking before its steps are followed; returning true ends the search. */
export type VisitMarking = (marking: Int32Array, enabled: number, index: number) => boolean;

/** Small nets are done before this, and need no comparison; at a limit there is always one. */
const CHECKED_FROM = 4_096;

export interface ExploreOptions {
  readonly limits: SearchLimits;
  readonly visit: VisitMarking;
}

export function explore(net: FlatNet, options: ExploreOptions): Exploration {
  const narrow = walk(startWalk(net, markingStore(net.placeCount, BYTE)), options);
  if (narrow !== undefined) return narrow;
  const wide = walk(startWalk(net, markingStore(net.placeCount, WORD)), options);
  assert(wide !== undefined, 'A search with a word per place never overflows its width.');
  return wide;
}

interface ExplorationWalk {
  readonly net: FlatNet;
  readonly store: MarkingStore;
  readonly marking: Int32Array;
  readonly hasFired: Int32Array;
  readonly firstStep: GrowingNumbers;
  readonly stepTo: GrowingNumbers;
  readonly stepBy: GrowingNumbers;
  /** Transitions enabled in the current marking; only the first `enabledCount` entries are valid. */
  readonly enabled: Int32Array;
  enabledCount: number;
  checked: number;
  triesLeft: number;
}

interface GrowingNumbers {
  items: Int32Array;
  length: number;
}

function startWalk(net: FlatNet, store: MarkingStore): ExplorationWalk {
  const empty = (): GrowingNumbers => ({ items: new Int32Array(64), length: 0 });
  return {
    net,
    store,
    marking: net.initial.slice(),
    hasFired: new Int32Array(net.transitionCount),
    firstStep: empty(),
    stepTo: empty(),
    stepBy: empty(),
    enabled: new Int32Array(net.transitionCount),
    enabledCount: 0,
    checked: 0,
    triesLeft: 0,
  };
}

/** Undefined when a count grew too large for the store. */
function walk(state: ExplorationWalk, { limits, visit }: ExploreOptions): Exploration | undefined {
  const { store, marking } = state;
  if (!fitsWidth(store, marking)) return undefined;
  state.triesLeft = limits.triesMax;
  meet(store, marking, { parent: NO_MARKING, by: NO_MARKING });
  for (let index = 0; index < store.count; index += 1) {
    unpack(store, index, marking);
    push(state.firstStep, state.stepTo.length);
    findEnabled(state);
    if (visit(marking, state.enabledCount, index)) return finish(state, { type: 'stopped', at: index });
    if (!follow(state, index)) {
      return store.bits === BYTE ? undefined : finish(state, { type: 'limit', limit: 'tokensMax', most: WORD_MOST });
    }
    const limit = limitReached(state, limits);
    if (limit === undefined && store.count < CHECKED_FROM) continue;
    const ending = unbounded(state) ?? limit;
    if (ending !== undefined) return finish(state, ending);
  }
  return finish(state, { type: 'complete' });
}

function finish(state: ExplorationWalk, ending: ExplorationEnd): Exploration {
  push(state.firstStep, state.stepTo.length);
  const { net, store, hasFired } = state;
  const [firstStep, stepTo, stepBy] = [state.firstStep, state.stepTo, state.stepBy].map((numbers) =>
    numbers.items.subarray(0, numbers.length),
  );
  assert(firstStep !== undefined && stepTo !== undefined && stepBy !== undefined, 'Three lists stay three.');
  return { net, store, ending, firstStep, stepTo, stepBy, expanded: firstStep.length - 1, hasFired };
}

function findEnabled(state: ExplorationWalk): void {
  const { net, marking, enabled } = state;
  state.enabledCount = 0;
  state.triesLeft -= net.transitionCount;
  for (let transition = 0; transition < net.transitionCount; transition += 1) {
    if (!isEnabledIn(net, marking, transition)) continue;
    enabled[state.enabledCount] = transition;
    state.enabledCount += 1;
    state.hasFired[transition] = 1;
  }
}

export function isEnabledIn({ takes }: FlatNet, marking: Int32Array, transition: number): boolean {
  const end = at(takes.start, transition + 1);
  for (let arc = at(takes.start, transition); arc < end; arc += 1) {
    if (at(marking, at(takes.place, arc)) < at(takes.weight, arc)) return false;
  }
  return true;
}

/** Follows every enabled transition of the current marking and restores that marking. */
function follow(state: ExplorationWalk, parent: number): boolean {
  const { net, store, marking } = state;
  for (let slot = 0; slot < state.enabledCount; slot += 1) {
    const transition = at(state.enabled, slot);
    applyFiring(net, marking, { transition, sign: 1 });
    state.triesLeft -= net.placeCount;
    if (!fitsWidth(store, marking)) return false;
    push(state.stepTo, meet(store, marking, { parent, by: transition }));
    push(state.stepBy, transition);
    applyFiring(net, marking, { transition, sign: -1 });
  }
  return true;
}

/** Fires a transition in place, or undoes a firing. */
export function applyFiring(
  { takes, gives }: FlatNet,
  marking: Int32Array,
  { transition, sign }: { readonly transition: number; readonly sign: 1 | -1 },
): void {
  for (let arc = at(takes.start, transition); arc < at(takes.start, transition + 1); arc += 1) {
    const place = at(takes.place, arc);
    marking[place] = at(marking, place) - sign * at(takes.weight, arc);
  }
  for (let arc = at(gives.start, transition); arc < at(gives.start, transition + 1); arc += 1) {
    const place = at(gives.place, arc);
    marking[place] = at(marking, place) + sign * at(gives.weight, arc);
  }
}

function limitReached({ store, stepTo, triesLeft }: ExplorationWalk, limits: SearchLimits): ExplorationEnd | undefined {
  const words = store.count * (store.width + 6) + 2 * stepTo.length;
  if (store.count > limits.markingsMax) return { type: 'limit', limit: 'markingsMax', most: limits.markingsMax };
  if (words > limits.wordsMax) return { type: 'limit', limit: 'wordsMax', most: limits.wordsMax };
  if (triesLeft < 0) return { type: 'limit', limit: 'triesMax', most: limits.triesMax };
  return undefined;
}

/** explore/E2: compares each new marking with its ancestors. */
function unbounded(state: ExplorationWalk): ExplorationEnd | undefined {
  const { store } = state;
  for (; state.checked < store.count; state.checked += 1) {
    const sum = at(store.sum, state.checked);
    for (let above = at(store.parent, state.checked); above !== NO_MARKING; above = at(store.parent, above)) {
      state.triesLeft -= 1;
      if (at(store.sum, above) >= sum) continue;
      state.triesLeft -= store.placeCount;
      if (covers(store, state.checked, above)) return { type: 'unbounded', at: state.checked, above };
    }
  }
  return undefined;
}

export function markingAt({ store, net }: Exploration, index: number): Int32Array {
  const marking = new Int32Array(net.placeCount);
  unpack(store, index, marking);
  return marking;
}

export const traceOf = ({ store }: Exploration, index: number): number[] => traceTo(store, index);

function push(numbers: GrowingNumbers, value: number): void {
  if (numbers.length === numbers.items.length) {
    const larger = new Int32Array(2 * numbers.length);
    larger.set(numbers.items);
    numbers.items = larger;
  }
  numbers.items[numbers.length] = value;
  numbers.length += 1;
}
