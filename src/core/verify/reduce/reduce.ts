// Reduces a net by local rules until none applies. Every rule preserves soundness in both directions, so a result about
// the reduced net holds for the original net.
//
// Blocks without choice need no rule of their own: the first transition after the entry of such a block takes from the
// entry alone, so the rules for twin places and fusing remove it, and then the next one.

import { at } from '../../assert.ts';
import { popWork } from './linked-net.ts';
import { dropEarlyRead, dropLoop } from './loops.ts';
import { delayTransition, fuseThroughPlace } from './series.ts';
import { dropTwinPlace, dropTwinTransition, hashTable } from './twins.ts';
import type { LinkedNet } from './linked-net.ts';
import type { HashTable } from './twins.ts';

export const RULES = ['fuse', 'delay', 'twin transition', 'twin place', 'loop', 'early read'] as const;
export type ReductionRule = (typeof RULES)[number];

/** How often each rule fired; for display, and for tests that each rule is used. */
export type RuleCounts = Record<ReductionRule, number>;

interface Tables {
  readonly places: HashTable;
  readonly transitions: HashTable;
}

interface Reduction {
  readonly counts: RuleCounts;
  readonly rules: ReadonlySet<ReductionRule>;
}

/** Mutates the net. Tests pass a subset of the rules to try each alone. */
export function reduce(net: LinkedNet, rules: ReadonlySet<ReductionRule> = new Set(RULES)): RuleCounts {
  const counts: RuleCounts = { fuse: 0, delay: 0, 'twin transition': 0, 'twin place': 0, loop: 0, 'early read': 0 };
  const tables = { places: hashTable(net.placeCount), transitions: hashTable(net.transitionCount) };
  workOff(net, { counts, rules }, tables);
  return counts;
}

function workOff(net: LinkedNet, reduction: Reduction, tables: Tables): void {
  while (net.places.length + net.transitions.length > 0) {
    const isPlace = net.transitions.length === 0;
    const used = isPlace
      ? workOnPlace(net, reduction, tables.places)
      : workOnTransition(net, reduction, tables.transitions);
    if (used !== undefined) reduction.counts[used] += 1;
  }
}

/** The rule that applied, if any. The work list returns to the transition when one of its neighbours changes. */
function workOnTransition(net: LinkedNet, { rules }: Reduction, table: HashTable): ReductionRule | undefined {
  const transition = popWork(net.transitions);
  if (rules.has('loop') && dropLoop(net, transition)) return 'loop';
  if (rules.has('twin transition') && dropTwinTransition(net, transition, table)) return 'twin transition';
  if (rules.has('early read') && dropEarlyRead(net, transition)) return 'early read';
  if (rules.has('delay') && delayTransition(net, transition)) return 'delay';
  return undefined;
}

function workOnPlace(net: LinkedNet, { rules }: Reduction, table: HashTable): ReductionRule | undefined {
  const place = popWork(net.places);
  if (at(net.isGone, place) === 1) return undefined;
  if (rules.has('twin place') && dropTwinPlace(net, place, table)) return 'twin place';
  if (rules.has('fuse') && fuseThroughPlace(net, place)) return 'fuse';
  return undefined;
}
