// Which resources the proof may leave out: what is true of the net without them is true with them.
//
// Constant: nothing changes it, and it holds enough for everyone who looks.
// Switch: it can be flipped at any moment, so nobody waits for it in vain.
// Pool: taken by starts into running places, and
//   (1) a running place is empty at first and each of its tokens stands for the same tokens of the pool: every start
//       that fills it takes just those, every way out gives back just those, or hands them to another such place;
//   (2) a way out needs one token of its running place and nothing else, not even another resource;
//   (3) no start needs more than the pool has.
// Then whoever runs can stop at once, so any run without the pool can be reordered until each way out follows its
// start; such a run never holds more than one start's worth, which the pool has by (3). Conversely running with the
// pool is running without it. (1) makes pool + running constant, so the pool is whole whenever nothing runs.
// Nothing here asks about other marked places: a start or reader of the pool may need anything at all.

import { at } from '../net/at.ts';
import type { Arcs } from '../net/net.ts';
import type { FlatNet } from './flat-net.ts';
import type { WorkflowShape } from './shape.ts';

export interface Stripping {
  /** By place: 1 where it is left out. */
  readonly stripped: Int32Array;
  readonly pools: readonly number[];
  /** Resources that stay in the net, with the reason. */
  readonly kept: readonly KeptResource[];
  /** A start that asks for more than the pool ever has. */
  readonly excess: Excess | undefined;
}

export type KeptReason = 'not-returned' | 'hold-and-wait' | 'shared-running-place' | 'consumed';

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

/** By running place: which pools a token there stands for, and how many tokens of each. */
type Holdings = Map<number, ReadonlyMap<number, number>>;

export function strip(shape: WorkflowShape): Stripping {
  const stripped = new Int32Array(shape.net.placeCount);
  const kept = new Map<number, KeptResource>();
  const ofSwitches = new Set(shape.switches.flat());
  for (const place of ofSwitches) stripped[place] = 1;
  for (const place of shape.constants) stripped[place] = 1;
  let pools = new Set(shape.resources.filter((place) => at(stripped, place) === 0));
  for (;;) {
    const holdings = findHoldings(shape, pools, stripped);
    const refused = judgePools(shape, { pools, holdings, stripped });
    if (refused.length === 0) break;
    for (const resource of refused) if (!kept.has(resource.place)) kept.set(resource.place, resource);
    pools = new Set([...pools].filter((place) => !kept.has(place)));
  }
  const excess = findExcess(shape.net, new Set([...pools, ...shape.constants]));
  for (const place of pools) stripped[place] = 1;
  return { stripped, pools: [...pools], kept: [...kept.values()], excess };
}

function forArcs(arcs: Arcs, transition: number, visit: (place: number, weight: number) => void): void {
  const end = at(arcs.start, transition + 1);
  for (let arc = at(arcs.start, transition); arc < end; arc += 1) visit(at(arcs.place, arc), at(arcs.weight, arc));
}

/** What a transition takes from each pool beyond what it gives back; entries may be negative, never 0. */
function demandOf({ takes, gives }: FlatNet, transition: number, pools: ReadonlySet<number>): Map<number, number> {
  const demand = new Map<number, number>();
  const add = (place: number, tokens: number): void => {
    if (!pools.has(place)) return;
    const sum = (demand.get(place) ?? 0) + tokens;
    if (sum === 0) demand.delete(place);
    else demand.set(place, sum);
  };
  forArcs(takes, transition, (place, weight) => add(place, weight));
  forArcs(gives, transition, (place, weight) => add(place, -weight));
  return demand;
}

/** Follows tokens from the starts that take them through running places that hand them on. */
function findHoldings({ net, sink }: WorkflowShape, pools: ReadonlySet<number>, stripped: Int32Array): Holdings {
  const holdings: Holdings = new Map();
  let size = -1;
  while (size !== holdings.size) {
    size = holdings.size;
    for (let transition = 0; transition < net.transitionCount; transition += 1) {
      const held = heldAfter(net, transition, { pools, holdings });
      if (held.size === 0 || [...held.values()].some((tokens) => tokens < 0)) continue;
      const place = newPlaceOf(net, transition, (each) => pools.has(each) || at(stripped, each) === 1);
      // The sink is marked at the end, when everything must have been given back.
      if (place !== undefined && place !== sink && !holdings.has(place)) holdings.set(place, held);
    }
  }
  return holdings;
}

interface Assumed {
  readonly pools: ReadonlySet<number>;
  readonly holdings: Holdings;
}

/** What a firing must leave in running places: what it takes from pools and what the places it leaves stood for. */
function heldAfter(net: FlatNet, transition: number, { pools, holdings }: Assumed): Map<number, number> {
  const held = demandOf(net, transition, pools);
  if (holdings.size === 0) return held;
  forArcs(net.takes, transition, (place, weight) => addHolding(held, holdings.get(place), weight));
  return held;
}

function addHolding(held: Map<number, number>, holding: ReadonlyMap<number, number> | undefined, times: number): void {
  if (holding === undefined) return;
  for (const [pool, tokens] of holding) {
    const sum = (held.get(pool) ?? 0) + times * tokens;
    if (sum === 0) held.delete(pool);
    else held.set(pool, sum);
  }
}

/** The one ordinary place that a transition fills, when there is one and it gets one token. */
function newPlaceOf(net: FlatNet, transition: number, isResource: (place: number) => boolean): number | undefined {
  const found: number[] = [];
  let isHeavy = false;
  forArcs(net.gives, transition, (place, weight) => {
    if (isResource(place)) return;
    found.push(place);
    isHeavy ||= weight !== 1;
  });
  return found.length === 1 && !isHeavy ? found[0] : undefined;
}

interface Judged extends Assumed {
  readonly stripped: Int32Array;
}

/** Pools that break (1) or (2), each with the first transition that shows it. */
function judgePools({ net }: WorkflowShape, { pools, holdings, stripped }: Judged): readonly KeptResource[] {
  const refused: KeptResource[] = [];
  if (pools.size === 0) return refused;
  for (let transition = 0; transition < net.transitionCount; transition += 1) {
    const balance = heldAfter(net, transition, { pools, holdings });
    forArcs(net.gives, transition, (place, weight) => addHolding(balance, holdings.get(place), -weight));
    for (const [place, tokens] of balance) {
      refused.push({ place, reason: tokens > 0 ? 'consumed' : 'not-returned', transition });
    }
    refused.push(...sharedExits(net, transition, { pools, holdings, stripped }));
  }
  for (const [place, holding] of holdings) {
    if (at(net.initial, place) === 0) continue;
    for (const pool of holding.keys()) refused.push({ place: pool, reason: 'not-returned', transition: -1 });
  }
  return refused;
}

/** (2): a transition that leaves a running place must need that one token alone. */
function sharedExits(net: FlatNet, transition: number, { pools, holdings, stripped }: Judged): readonly KeptResource[] {
  const left: number[] = [];
  let needed = 0;
  let wantsPool = false;
  forArcs(net.takes, transition, (place, weight) => {
    if (at(stripped, place) === 1) return;
    needed += weight;
    wantsPool ||= pools.has(place);
    if (holdings.has(place)) left.push(place);
  });
  if (left.length === 0 || needed === 1) return [];
  const reason: KeptReason = wantsPool ? 'hold-and-wait' : 'shared-running-place';
  const held = new Set(left.flatMap((place) => [...(holdings.get(place)?.keys() ?? [])]));
  return [...held].map((place) => ({ place, reason, transition }));
}

/** (3), and for a constant place that nobody waits for more than it has. */
function findExcess(net: FlatNet, pools: ReadonlySet<number>): Excess | undefined {
  for (let transition = 0; transition < net.transitionCount; transition += 1) {
    let excess: Excess | undefined;
    forArcs(net.takes, transition, (place, weight) => {
      if (pools.has(place) && weight > at(net.initial, place)) excess ??= { place, transition, wanted: weight };
    });
    if (excess !== undefined) return excess;
  }
  return undefined;
}
