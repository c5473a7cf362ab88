// Groups by folder may need each other in a circle though no atoms do. Such groups are cut along an order in which every
// atom comes after what it needs, and which stays with one group for as long as it can.
//
// U1. What comes back holds the same atoms, and no two groups of it need each other, however many are between them.

import type { Atom } from './atoms.ts';
import { componentsOf } from './components.ts';
import type { Graph } from './components.ts';
import { itemAt } from './source-file.ts';

type Groups = readonly (readonly number[])[];

export function untangle(atoms: readonly Atom[], groups: Groups): Groups {
  const component = componentsOf(graphOf(atoms, groups));
  const together = new Map<number, number[]>();
  component.forEach((of, group) => addTo(together, of, group));
  return [...together.values()].flatMap((members) => {
    const tangled = members.map((group) => itemAt(groups, group));
    return tangled.length === 1 ? tangled : runsOf(atoms, tangled);
  });
}

/** Which group needs which, by the atoms in them. */
export function graphOf(atoms: readonly Atom[], groups: Groups): Graph {
  const groupOf = groupsByAtom(groups, atoms.length);
  return groups.map((own, group) => {
    const to = new Set<number>();
    for (const atom of own) for (const need of itemAt(atoms, atom).needs) to.add(groupOf[need] ?? -1);
    to.delete(group);
    return [...to].sort((one, other) => one - other);
  });
}

function groupsByAtom(groups: Groups, count: number): Int32Array {
  const groupOf = new Int32Array(count).fill(-1);
  groups.forEach((own, group) => own.forEach((atom) => (groupOf[atom] = group)));
  return groupOf;
}

function runsOf(atoms: readonly Atom[], groups: Groups): Groups {
  const groupOf = new Map(groups.flatMap((own, group) => own.map((atom) => [atom, group] as const)));
  const waits = new Map<number, number>();
  const waiting = new Map<number, number[]>();
  const ready: number[][] = groups.map(() => []);
  for (const [atom, group] of groupOf) {
    const needs = itemAt(atoms, atom).needs.filter((need) => groupOf.has(need));
    waits.set(atom, needs.length);
    if (needs.length === 0) ready[group]?.push(atom);
    for (const need of needs) addTo(waiting, need, atom);
  }
  const runs: number[][] = [];
  for (let group = fullest(ready); group !== undefined; group = fullest(ready)) {
    const run: number[] = [];
    const own = itemAt(ready, group);
    for (let atom = own.pop(); atom !== undefined; atom = own.pop()) {
      run.push(atom);
      for (const later of waiting.get(atom) ?? []) {
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

/** The one with the most atoms that could come next; undefined when none has any. */
function fullest(ready: readonly (readonly number[])[]): number | undefined {
  let best: number | undefined;
  let most = 0;
  ready.forEach((own, group) => {
    if (own.length > most) [best, most] = [group, own.length];
  });
  return best;
}
