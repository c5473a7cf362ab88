// Reduces a net by local rules until none applies. Every rule keeps soundness in both directions, so what is proved
// of the result holds of the net.
//
// No rule for a block without choice is needed: of such a block the first transition after its entry takes from the
// entry alone, so twin places and fusing swallow it, and then the next.

import { at } from '../../assert.ts';
import { pop } from './linked-net.ts';
import { dropEarlyRead, dropLoop } from './loops.ts';
import { delayTransition, fuseThroughPlace } from './series.ts';
import { dropTwinPlace, dropTwinTransition, hashTable } from './twins.ts';
import type { LinkedNet } from './linked-net.ts';
import type { HashTable } from './twins.ts';

export const RULES = ['fuse', 'delay', 'twin transition', 'twin place', 'loop', 'early read'] as const;
export type ReductionRule = (typeof RULES)[number];

/** How often rules fired, by rule; for display and for tests that each is really used. */
export type RuleCounts = Record<ReductionRule, number>;

interface Tables {
  readonly places: HashTable;
  readonly transitions: HashTable;
}

interface Reduction {
  readonly counts: RuleCounts;
  readonly rules: ReadonlySet<ReductionRule>;
}

/** Changes the net in place. A subset of the rules may be asked for, to judge each alone. */
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

/** The rule that applied, if any; the work list brings the transition back when something about it has changed. */
function workOnTransition(net: LinkedNet, { rules }: Reduction, table: HashTable): ReductionRule | undefined {
  const transition = pop(net.transitions);
  if (rules.has('loop') && dropLoop(net, transition)) return 'loop';
  if (rules.has('twin transition') && dropTwinTransition(net, transition, table)) return 'twin transition';
  if (rules.has('early read') && dropEarlyRead(net, transition)) return 'early read';
  if (rules.has('delay') && delayTransition(net, transition)) return 'delay';
  return undefined;
}

function workOnPlace(net: LinkedNet, { rules }: Reduction, table: HashTable): ReductionRule | undefined {
  const place = pop(net.places);
  if (at(net.isGone, place) === 1) return undefined;
  if (rules.has('twin place') && dropTwinPlace(net, place, table)) return 'twin place';
  if (rules.has('fuse') && fuseThroughPlace(net, place)) return 'fuse';
  return undefined;
}
