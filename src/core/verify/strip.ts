// Finds the resources that the proof may leave out, because the net is sound with them exactly when it is sound without
// them.
//
// Constant: no transition changes it, and it holds enough for every transition that reads it.
// Switch: it can be flipped at any time, so no transition waits for it for ever.
// Pool: taken by starts into running places, where
//   (1) a running place is empty initially and each of its tokens represents the same tokens of the pool: every start
//       that fills it takes exactly those, and every exit gives exactly those back, or hands them to another such
//       place;
//   (2) an exit needs one token of its running place and nothing else, not even another resource;
//   (3) no start needs more than the pool has;
//   (4) a start takes something else besides, which is not left out: without the pool, nothing would bound how often a
//       start that lives beside the flow fires.
//
// Then everything that runs can stop at once, so any run without the pool can be reordered until each exit directly
// follows its start. Such a run never holds more than the tokens of one start, which the pool has by (3). Conversely,
// every run with the pool is a run without it. (1) makes pool + running constant, so the pool is complete whenever
// nothing runs. Other marked places do not matter: a start or reader of the pool may need any other token.

import { at } from '../assert.ts';
import { SINK } from './reduce/linked-net.ts';
import type { FlatNet } from './search/flat-net.ts';
import type { WorkflowShape } from './workflow-shape.ts';

export interface Stripping {
  /** By place: 1 where it is left out. */
  readonly stripped: Int32Array;
  readonly pools: readonly number[];
  /** Resources that stay in the net, with the reason. */
  readonly kept: readonly KeptResource[];
  /** A start that needs more than the pool ever has. */
  readonly excess: Excess | undefined;
}

export type KeptReason = 'not-returned' | 'hold-and-wait' | 'shared-running-place' | 'consumed' | 'taken-alone';

export interface KeptResource {
  readonly place: number;
  readonly reason: KeptReason;
  readonly transition: number;
}

export interface Excess {
  readonly place: number;
  readonly transition: number;
  readonly wanted: number;
}

export function strip(shape: WorkflowShape): Stripping {
  const stripped = new Int32Array(shape.net.placeCount);
  for (const place of [...shape.switches.flat(), ...shape.constants]) stripped[place] = 1;
  const kept = new Map<number, KeptResource>();
  let pools = shape.resources.filter((place) => at(stripped, place) === 0);
  for (;;) {
    const trial = startTrial(shape, stripped, pools);
    findHoldings(trial);
    const refused = judgePools(trial);
    if (refused.length === 0) break;
    for (const resource of refused) if (!kept.has(resource.place)) kept.set(resource.place, resource);
    pools = pools.filter((place) => !kept.has(place));
  }
  const excess = findExcess(shape.net, [...pools, ...shape.constants]);
  for (const place of pools) stripped[place] = 1;
  return { stripped, pools, kept: [...kept.values()], excess };
}

/** Candidate pools, each until a transition disproves it. */
interface Trial {
  readonly net: FlatNet;
  readonly role: Int32Array;
  readonly stripped: Int32Array;
  readonly isPool: Int32Array;
  /** By place: the index in `holdings` of the pool tokens that a token there represents, or -1. */
  readonly holdingAt: Int32Array;
  /** Pools and token counts, alternating. */
  readonly holdings: (readonly number[])[];
  /** A sum by pool, all zero between uses, and the pools with an entry: a plan has a million starts to weigh. */
  readonly sum: Int32Array;
  readonly entries: number[];
}

function startTrial({ net, role }: WorkflowShape, stripped: Int32Array, pools: readonly number[]): Trial {
  const isPool = new Int32Array(net.placeCount);
  for (const pool of pools) isPool[pool] = 1;
  const holdingAt = new Int32Array(net.placeCount).fill(-1);
  return { net, role, stripped, isPool, holdingAt, holdings: [], sum: new Int32Array(net.placeCount), entries: [] };
}

/** Follows tokens from the starts that take them through the running places that hand them on. */
function findHoldings(trial: Trial): void {
  const { net, holdings, holdingAt } = trial;
  let isGrowing = true;
  while (isGrowing) {
    isGrowing = false;
    for (let transition = 0; transition < net.transitionCount; transition += 1) {
      const place = runningPlaceOf(trial, transition);
      if (place < 0 || at(holdingAt, place) >= 0) continue;
      weighTakes(trial, transition);
      const held = cleared(trial);
      if (held.length === 0 || held.some((tokens, index) => index % 2 === 1 && tokens < 0)) continue;
      holdingAt[place] = sharedHolding(holdings, held);
      isGrowing = true;
    }
  }
}

/** The index of a holding in the list; most steps of a plan hold the same, so recent entries are compared first. */
function sharedHolding(holdings: (readonly number[])[], held: readonly number[]): number {
  for (let index = holdings.length - 1; index >= 0 && index > holdings.length - 8; index -= 1) {
    const other = holdings[index];
    if (other?.length === held.length && held.every((value, slot) => value === other[slot])) return index;
  }
  return holdings.push(held) - 1;
}

/** The only ordinary place that a transition fills, when there is exactly one and it gets one token; else -1. */
function runningPlaceOf({ net: { gives }, role, isPool, stripped }: Trial, transition: number): number {
  let found = -1;
  for (let arc = at(gives.start, transition); arc < at(gives.start, transition + 1); arc += 1) {
    const place = at(gives.place, arc);
    if (at(isPool, place) + at(stripped, place) > 0) continue;
    // A sink is marked at the end, when all pool tokens must have been given back.
    if (found >= 0 || at(gives.weight, arc) !== 1 || at(role, place) === SINK) return -1;
    found = place;
  }
  return found;
}

function enter({ sum, entries }: Trial, pool: number, tokens: number): void {
  if (at(sum, pool) === 0) entries.push(pool);
  sum[pool] = at(sum, pool) + tokens;
}

function enterHolding(trial: Trial, place: number, times: number): void {
  const holding = trial.holdings[at(trial.holdingAt, place)];
  if (holding === undefined) return;
  for (let index = 0; index + 1 < holding.length; index += 2) {
    enter(trial, holding[index] ?? 0, times * (holding[index + 1] ?? 0));
  }
}

/** Sums the pool tokens that a firing takes, minus those it gives back, minus those that its input tokens represent. */
function weighTakes(trial: Trial, transition: number): void {
  const { takes, gives } = trial.net;
  for (let arc = at(takes.start, transition); arc < at(takes.start, transition + 1); arc += 1) {
    const place = at(takes.place, arc);
    if (at(trial.isPool, place) === 1) enter(trial, place, at(takes.weight, arc));
    else if (at(trial.holdingAt, place) >= 0) enterHolding(trial, place, at(takes.weight, arc));
  }
  for (let arc = at(gives.start, transition); arc < at(gives.start, transition + 1); arc += 1) {
    const place = at(gives.place, arc);
    if (at(trial.isPool, place) === 1) enter(trial, place, -at(gives.weight, arc));
  }
}

/** Subtracts the pool tokens that the output tokens represent; a remainder is an imbalance. */
function weighGives(trial: Trial, transition: number): void {
  const { gives } = trial.net;
  for (let arc = at(gives.start, transition); arc < at(gives.start, transition + 1); arc += 1) {
    const place = at(gives.place, arc);
    if (at(trial.holdingAt, place) >= 0) enterHolding(trial, place, -at(gives.weight, arc));
  }
}

/** The sum as alternating pools and token counts; resets the sum to zero. */
function cleared({ sum, entries }: Trial): readonly number[] {
  if (entries.length === 0) return NOTHING;
  const pairs: number[] = [];
  for (const pool of entries) {
    if (at(sum, pool) !== 0) pairs.push(pool, at(sum, pool));
    sum[pool] = 0;
  }
  entries.length = 0;
  return pairs;
}

const NOTHING: readonly number[] = [];

/** Pools that violate (1), (2) or (4), each with a transition that shows it. */
function judgePools(trial: Trial): readonly KeptResource[] {
  const { net, holdings, holdingAt } = trial;
  const refused: KeptResource[] = [];
  for (let transition = 0; transition < net.transitionCount; transition += 1) {
    weighTakes(trial, transition);
    weighGives(trial, transition);
    const balance = cleared(trial);
    for (let index = 0; index + 1 < balance.length; index += 2) {
      const reason = (balance[index + 1] ?? 0) > 0 ? 'consumed' : 'not-returned';
      refused.push({ place: balance[index] ?? 0, reason, transition });
    }
    refuseSharedExit(trial, transition, refused);
    refuseLoneStart(trial, transition, refused);
  }
  net.initial.forEach((tokens, place) => {
    const holding = tokens > 0 ? holdings[at(holdingAt, place)] : undefined;
    for (const pool of poolsIn(holding)) refused.push({ place: pool, reason: 'not-returned', transition: -1 });
  });
  return refused;
}

const poolsIn = (holding: readonly number[] | undefined): readonly number[] =>
  (holding ?? []).filter((_, index) => index % 2 === 0);

/** (2): a transition that leaves a running place must need that one token alone. */
function refuseSharedExit(trial: Trial, transition: number, refused: KeptResource[]): void {
  const { takes } = trial.net;
  let needed = 0;
  let holders = 0;
  let wantsPool = false;
  for (let arc = at(takes.start, transition); arc < at(takes.start, transition + 1); arc += 1) {
    const place = at(takes.place, arc);
    if (at(trial.stripped, place) === 1) continue;
    needed += at(takes.weight, arc);
    wantsPool ||= at(trial.isPool, place) === 1;
    if (at(trial.holdingAt, place) >= 0) holders += 1;
  }
  if (holders === 0 || needed === 1) return;
  const reason: KeptReason = wantsPool ? 'hold-and-wait' : 'shared-running-place';
  for (let arc = at(takes.start, transition); arc < at(takes.start, transition + 1); arc += 1) {
    const holding = trial.holdings[at(trial.holdingAt, at(takes.place, arc))];
    for (const place of poolsIn(holding)) refused.push({ place, reason, transition });
  }
}

/** (4): a transition that takes nothing but resources that are left out, and gives to something that is not. */
function refuseLoneStart({ net, isPool, stripped }: Trial, transition: number, refused: KeptResource[]): void {
  const { takes, gives } = net;
  const isLeftOut = (place: number): boolean => at(isPool, place) + at(stripped, place) > 0;
  let takesPool = false;
  for (let arc = at(takes.start, transition); arc < at(takes.start, transition + 1); arc += 1) {
    if (!isLeftOut(at(takes.place, arc))) return;
    takesPool ||= at(isPool, at(takes.place, arc)) === 1;
  }
  if (!takesPool) return;
  let givesOther = false;
  for (let arc = at(gives.start, transition); arc < at(gives.start, transition + 1); arc += 1)
    givesOther ||= !isLeftOut(at(gives.place, arc));
  if (!givesOther) return;
  for (let arc = at(takes.start, transition); arc < at(takes.start, transition + 1); arc += 1) {
    const place = at(takes.place, arc);
    if (at(isPool, place) === 1) refused.push({ place, reason: 'taken-alone', transition });
  }
}

/** Checks (3), and for a constant place that no reader needs more than it holds. */
function findExcess({ takes, transitionCount, initial }: FlatNet, pools: readonly number[]): Excess | undefined {
  const isPool = new Int32Array(initial.length);
  for (const pool of pools) isPool[pool] = 1;
  for (let transition = 0; transition < transitionCount; transition += 1) {
    for (let arc = at(takes.start, transition); arc < at(takes.start, transition + 1); arc += 1) {
      const place = at(takes.place, arc);
      const wanted = at(takes.weight, arc);
      if (at(isPool, place) === 1 && wanted > at(initial, place)) return { place, transition, wanted };
    }
  }
  return undefined;
}
