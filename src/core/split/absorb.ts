// Joins groups that are too small with others, the nearest in the tree of folders first.
//
// B1. Nothing that is joined exceeds the bounds, and no groups come to need each other in a circle.
// B2. A group that stays too small has no other that it could join without breaking B1.

import type { Atom } from './atoms.ts';
import { folderOf, shared } from './atoms.ts';
import type { Graph } from './components.ts';
import { fits, itemAt, sum } from './source-file.ts';
import type { Size, SplitBounds } from './source-file.ts';
import { afterNeeds } from './reduce-needs.ts';
import { graphOf } from './untangle.ts';

interface Group extends Size {
  readonly atoms: readonly number[];
  readonly folder: readonly string[];
  /** How many others come before it, one after the other. */
  readonly level: number;
  readonly needs: Set<number>;
  readonly neededBy: Set<number>;
}

interface Joining {
  /** By number; one that was joined with another is gone. */
  readonly groups: Map<number, Group>;
  readonly bounds: SplitBounds;
  readonly paths: (atoms: readonly number[]) => readonly string[];
}

type Groups = readonly (readonly number[])[];

export function absorb(atoms: readonly Atom[], given: Groups, bounds: SplitBounds): Groups {
  const graph = graphOf(atoms, given);
  const paths = (own: readonly number[]) => own.flatMap((atom) => itemAt(atoms, atom).paths);
  const joining: Joining = { groups: groupsOf(atoms, given, graph), bounds, paths };
  while (joinOnce(joining)) continue;
  return [...joining.groups.values()].map((group) => group.atoms);
}

function groupsOf(atoms: readonly Atom[], given: Groups, graph: Graph): Map<number, Group> {
  const levels = levelsOf(graph);
  const groups = new Map(
    given.map((own, number) => {
      const held = own.map((atom) => itemAt(atoms, atom));
      const folder = folderOf(held.flatMap((atom) => atom.paths));
      const needs = new Set(itemAt(graph, number));
      return [
        number,
        { ...sum(held), atoms: own, folder, level: itemAt(levels, number), needs, neededBy: new Set<number>() },
      ];
    }),
  );
  graph.forEach((needs, number) => needs.forEach((need) => groups.get(need)?.neededBy.add(number)));
  return groups;
}

function levelsOf(graph: Graph): readonly number[] {
  const levels = graph.map(() => 0);
  for (const point of afterNeeds(graph))
    for (const need of itemAt(graph, point)) levels[point] = Math.max(itemAt(levels, point), itemAt(levels, need) + 1);
  return levels;
}

/** One pass over all that are too small; true when something was joined, which may let others join too. */
function joinOnce(joining: Joining): boolean {
  const { groups, bounds } = joining;
  let hasJoined = false;
  for (const number of groups.keys()) {
    let group = groups.get(number);
    while (group !== undefined && group.files < bounds.filesMin) {
      const partner = partnerFor(joining, number, group);
      if (partner === undefined) break;
      join(joining, number, partner);
      hasJoined = true;
      group = groups.get(number);
    }
  }
  return hasJoined;
}

function partnerFor(joining: Joining, number: number, group: Group): number | undefined {
  const { groups, bounds } = joining;
  let far: ReadonlySet<number> | undefined;
  let best: { readonly number: number; readonly rank: readonly number[] } | undefined;
  for (const [other, candidate] of groups) {
    if (other === number || !fits(sum([group, candidate]), bounds)) continue;
    // Found out only for those that have somebody to join, since it means to walk the groups.
    far ??= joinedThroughOthers(groups, group);
    if (far.has(other)) continue;
    const ties = Number(group.needs.has(other)) + Number(group.neededBy.has(other));
    // Joined with one that comes much later, it would keep all who need it waiting.
    const apart = Math.abs(group.level - candidate.level);
    const rank = [shared(group.folder, candidate.folder), -apart, ties, -candidate.files];
    if (best === undefined || isHigher(rank, best.rank)) best = { number: other, rank };
  }
  return best?.number;
}

function isHigher(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at !== -1 && (one[at] ?? 0) > (other[at] ?? 0);
}

/** Groups to or from which a way leads through others: joined with one of them, the others would be in a circle. */
function joinedThroughOthers(groups: ReadonlyMap<number, Group>, group: Group): ReadonlySet<number> {
  const far = new Set<number>();
  for (const side of ['needs', 'neededBy'] as const) {
    const seen = new Set<number>();
    const open = [...group[side]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const beyond of groups.get(next)?.[side] ?? []) {
        if (seen.has(beyond)) continue;
        seen.add(beyond);
        far.add(beyond);
        open.push(beyond);
      }
    }
  }
  return far;
}

function join({ groups, paths }: Joining, number: number, partner: number): void {
  const [one, other] = [groups.get(number), groups.get(partner)];
  if (one === undefined || other === undefined) return;
  const atoms = [...one.atoms, ...other.atoms].sort((left, right) => left - right);
  const needs = one.needs.union(other.needs);
  const neededBy = one.neededBy.union(other.neededBy);
  for (const both of [needs, neededBy]) [number, partner].forEach((each) => both.delete(each));
  for (const need of needs) groups.get(need)?.neededBy.add(number).delete(partner);
  for (const later of neededBy) groups.get(later)?.needs.add(number).delete(partner);
  groups.delete(partner);
  const level = Math.max(one.level, other.level);
  groups.set(number, { ...sum([one, other]), atoms, folder: folderOf(paths(atoms)), level, needs, neededBy });
}
