// Groups by folder may need each other in a cycle although no components do. Such groups are cut along an order in
// which every component comes after its needs, and which stays with one group for as long as possible.
//
// untangle/U1. The result holds the same components, and no two groups of it need each other, directly or through
//   others.

import type { FileComponent } from './file-components.ts';
import { componentsOf, membersOf } from '../graph/components.ts';
import { graphOf, reversed, topologicalOrder } from '../graph/directed-graph.ts';
import { itemAt } from './source-file.ts';

type Groups = readonly (readonly number[])[];

export function untangle(components: readonly FileComponent[], groups: Groups): Groups {
  return membersOf(componentsOf(graphOf(needsOfGroups(components, groups)))).flatMap((members) => {
    const tangled = members.map((group) => itemAt(groups, group));
    return tangled.length === 1 ? tangled : runsOf(components, tangled);
  });
}

/** The needs between groups, from the needs of their components. */
export function needsOfGroups(components: readonly FileComponent[], groups: Groups): Groups {
  const groupOf = groupsByComponent(groups, components.length);
  return groups.map((own, group) => {
    const to = new Set<number>();
    for (const component of own) for (const need of itemAt(components, component).needs) to.add(groupOf[need] ?? -1);
    to.delete(group);
    return [...to].sort((one, other) => one - other);
  });
}

function groupsByComponent(groups: Groups, count: number): Int32Array {
  const groupOf = new Int32Array(count).fill(-1);
  groups.forEach((own, group) => own.forEach((component) => (groupOf[component] = group)));
  return groupOf;
}

function runsOf(components: readonly FileComponent[], groups: Groups): Groups {
  const groupOf = new Map(groups.flatMap((own, group) => own.map((component) => [component, group] as const)));
  const waits = new Map<number, number>();
  const waiting = new Map<number, number[]>();
  const ready: number[][] = groups.map(() => []);
  for (const [component, group] of groupOf) {
    const needs = itemAt(components, component).needs.filter((need) => groupOf.has(need));
    waits.set(component, needs.length);
    if (needs.length === 0) ready[group]?.push(component);
    for (const need of needs) addTo(waiting, need, component);
  }
  const runs: number[][] = [];
  for (let group = fullest(ready); group !== undefined; group = fullest(ready)) {
    const run: number[] = [];
    const own = itemAt(ready, group);
    for (let component = own.pop(); component !== undefined; component = own.pop()) {
      run.push(component);
      for (const later of waiting.get(component) ?? []) {
        const left = (waits.get(later) ?? 0) - 1;
        waits.set(later, left);
        if (left === 0) ready[groupOf.get(later) ?? 0]?.push(later);
      }
    }
    runs.push(run.sort((one, other) => one - other));
  }
  return runs;
}

function addTo(lists: Map<number, number[]>, key: number, item: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** The group with the most components that could come next; undefined when none has any. */
function fullest(ready: readonly (readonly number[])[]): number | undefined {
  let best: number | undefined;
  let most = 0;
  ready.forEach((own, group) => {
    if (own.length > most) [best, most] = [group, own.length];
  });
  return best;
}

type Needs = readonly (readonly number[])[];

/** Each point keeps a bit for each other, so that past this many the direct needs are kept as they are. */
const POINTS_MAX = 12_000;
const WORD_BITS = 32;

/** By point the points it needs, without cycles; gives the same order with the fewest needs. */
export function reduceNeeds(needs: Needs): Needs {
  if (needs.length > POINTS_MAX) return needs;
  const words = Math.ceil(needs.length / WORD_BITS);
  const reached: (Uint32Array | undefined)[] = needs.map(() => undefined);
  const reduced: (readonly number[])[] = needs.map(() => []);
  for (const point of topologicalOrder(reversed(graphOf(needs)))) {
    const implied = new Uint32Array(words);
    for (const need of itemAt(needs, point)) addAll(implied, reached[need]);
    reduced[point] = itemAt(needs, point).filter((need) => !has(implied, need));
    for (const need of itemAt(needs, point)) add(implied, need);
    reached[point] = implied;
  }
  return reduced;
}

const has = (bits: Uint32Array, point: number): boolean =>
  (((bits[Math.floor(point / WORD_BITS)] ?? 0) >>> (point % WORD_BITS)) & 1) === 1;

function add(bits: Uint32Array, point: number): void {
  const word = Math.floor(point / WORD_BITS);
  bits[word] = (bits[word] ?? 0) | (1 << (point % WORD_BITS));
}

function addAll(bits: Uint32Array, others: Uint32Array | undefined): void {
  others?.forEach((word, index) => (bits[index] = (bits[index] ?? 0) | word));
}
