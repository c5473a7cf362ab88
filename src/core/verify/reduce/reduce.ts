// Reduces a net by local rules until none applies. Every rule keeps soundness in both directions, so what is proved
// of the result holds of the net.

import { collapseBlocks } from './blocks.ts';
import { at } from '../../net/at.ts';
import { pop, type LinkedNet } from './linked-net.ts';
import { dropEarlyRead, dropLoop } from './loops.ts';
import { delayTransition, fuseThroughPlace } from './series.ts';
import { dropTwinPlace, dropTwinTransition, hashTable, type HashTable } from './twins.ts';

export const RULES = ['fuse', 'delay', 'twin transition', 'twin place', 'loop', 'early read', 'block'] as const;
export type Rule = (typeof RULES)[number];

/** How often rules fired, by rule; for display and for tests that each is really used. */
export type RuleCounts = Record<Rule, number>;

interface Tables {
  readonly places: HashTable;
  readonly transitions: HashTable;
}

export interface Reduction {
  readonly counts: RuleCounts;
  readonly rules: ReadonlySet<Rule>;
}

/** Changes the net in place. A subset of the rules may be asked for, to judge each alone. */
export function reduce(net: LinkedNet, rules: ReadonlySet<Rule> = new Set(RULES)): RuleCounts {
  const counts: RuleCounts = {
    fuse: 0,
    delay: 0,
    'twin transition': 0,
    'twin place': 0,
    loop: 0,
    'early read': 0,
    block: 0,
  };
  const reduction = { counts, rules };
  const tables = { places: hashTable(net.placeCount), transitions: hashTable(net.transitionCount) };
  let hasChanged = true;
  while (hasChanged) {
    workOff(net, reduction, tables);
    hasChanged = rules.has('block') && collapseBlocks(net);
    if (hasChanged) counts.block += 1;
  }
  return counts;
}

function workOff(net: LinkedNet, reduction: Reduction, tables: Tables): void {
  while (net.places.length + net.transitions.length > 0) {
    if (net.transitions.length > 0) {
      workOnTransition(net, { reduction, table: tables.transitions, transition: pop(net.transitions) });
    } else {
      workOnPlace(net, { reduction, table: tables.places, place: pop(net.places) });
    }
  }
}

interface TransitionWork {
  readonly reduction: Reduction;
  readonly table: HashTable;
  readonly transition: number;
}

function workOnTransition(net: LinkedNet, { reduction, table, transition }: TransitionWork): void {
  const apply = (rule: Rule, attempt: () => boolean): boolean => tryRule(reduction, rule, attempt);
  if (apply('loop', () => dropLoop(net, transition))) return;
  if (apply('twin transition', () => dropTwinTransition(net, transition, table))) return;
  if (apply('early read', () => dropEarlyRead(net, transition))) return;
  apply('delay', () => delayTransition(net, transition));
}

interface PlaceWork {
  readonly reduction: Reduction;
  readonly table: HashTable;
  readonly place: number;
}

function workOnPlace(net: LinkedNet, { reduction, table, place }: PlaceWork): void {
  const apply = (rule: Rule, attempt: () => boolean): boolean => tryRule(reduction, rule, attempt);
  if (at(net.isGone, place) === 1) return;
  if (apply('twin place', () => dropTwinPlace(net, place, table))) return;
  apply('fuse', () => fuseThroughPlace(net, place));
}

function tryRule({ counts, rules }: Reduction, rule: Rule, attempt: () => boolean): boolean {
  if (!rules.has(rule) || !attempt()) return false;
  counts[rule] += 1;
  return true;
}
