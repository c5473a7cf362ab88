// Joins groups that are too small with others, the nearest in the tree of folders first.
//
// absorb/B1. No joined group exceeds the bounds, and no groups need each other in a cycle.
// absorb/B2. A group that stays too small has no partner that it could join without breaking absorb/B1.

import type { FileComponent } from './file-components.ts';
import { folderOf, shared } from './file-components.ts';
import { graphOf, reversed, topologicalOrder } from '../graph/directed-graph.ts';
import { reachableFrom } from '../graph/reach.ts';
import { fits, itemAt, sum } from './source-file.ts';
import type { PartSize, SplitBounds } from './source-file.ts';
import { needsOfGroups } from './untangle.ts';

interface FileGroup extends PartSize {
  readonly components: readonly number[];
  readonly folder: readonly string[];
  /** The length of the longest chain of groups before it. */
  readonly level: number;
  readonly needs: Set<number>;
  readonly neededBy: Set<number>;
}

interface GroupJoining {
  /** By number; a group that was joined with another is removed. */
  readonly groups: Map<number, FileGroup>;
  readonly bounds: SplitBounds;
  readonly paths: (components: readonly number[]) => readonly string[];
}

type Groups = readonly (readonly number[])[];

export function absorb(components: readonly FileComponent[], given: Groups, bounds: SplitBounds): Groups {
  const needs = needsOfGroups(components, given);
  const paths = (own: readonly number[]) => own.flatMap((component) => itemAt(components, component).paths);
  const joining: GroupJoining = { groups: groupsOf(components, given, needs), bounds, paths };
  while (joinOnce(joining)) continue;
  return [...joining.groups.values()].map((group) => group.components);
}

function groupsOf(components: readonly FileComponent[], given: Groups, allNeeds: Groups): Map<number, FileGroup> {
  const levels = levelsOf(allNeeds);
  const groups = new Map(
    given.map((own, number) => {
      const held = own.map((component) => itemAt(components, component));
      const folder = folderOf(held.flatMap((component) => component.paths));
      const needs = new Set(itemAt(allNeeds, number));
      return [
        number,
        { ...sum(held), components: own, folder, level: itemAt(levels, number), needs, neededBy: new Set<number>() },
      ];
    }),
  );
  allNeeds.forEach((needs, number) => needs.forEach((need) => groups.get(need)?.neededBy.add(number)));
  return groups;
}

function levelsOf(needs: Groups): readonly number[] {
  const levels = needs.map(() => 0);
  for (const group of topologicalOrder(reversed(graphOf(needs))))
    for (const need of itemAt(needs, group)) levels[group] = Math.max(itemAt(levels, group), itemAt(levels, need) + 1);
  return levels;
}

/** One pass over all groups that are too small; true when groups were joined, which may let others join too. */
function joinOnce(joining: GroupJoining): boolean {
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

function partnerFor(joining: GroupJoining, number: number, group: FileGroup): number | undefined {
  const { groups, bounds } = joining;
  let far: ReadonlySet<number> | undefined;
  let best: { readonly number: number; readonly rank: readonly number[] } | undefined;
  for (const [other, candidate] of groups) {
    if (other === number || !fits(sum([group, candidate]), bounds)) continue;
    // Computed only for a group with a possible partner, since it walks all groups.
    far ??= joinedThroughOthers(groups, group);
    if (far.has(other)) continue;
    const ties = Number(group.needs.has(other)) + Number(group.neededBy.has(other));
    // Joined with a much later group, it would delay every group that needs it.
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

/** Groups to or from which a path leads through others: joined with one of them, the others would be on a cycle. */
function joinedThroughOthers(groups: ReadonlyMap<number, FileGroup>, group: FileGroup): ReadonlySet<number> {
  return reachedThroughOthers(groups, group, 'needs').union(reachedThroughOthers(groups, group, 'neededBy'));
}

function reachedThroughOthers(
  groups: ReadonlyMap<number, FileGroup>,
  group: FileGroup,
  side: 'needs' | 'neededBy',
): ReadonlySet<number> {
  const next = (number: number): ReadonlySet<number> => groups.get(number)?.[side] ?? new Set();
  const second = [...group[side]].flatMap((number) => [...next(number)]);
  return reachableFrom(second, next);
}

function join({ groups, paths }: GroupJoining, number: number, partner: number): void {
  const [one, other] = [groups.get(number), groups.get(partner)];
  if (one === undefined || other === undefined) return;
  const components = [...one.components, ...other.components].sort((left, right) => left - right);
  const needs = one.needs.union(other.needs);
  const neededBy = one.neededBy.union(other.neededBy);
  for (const both of [needs, neededBy]) [number, partner].forEach((each) => both.delete(each));
  for (const need of needs) groups.get(need)?.neededBy.add(number).delete(partner);
  for (const later of neededBy) groups.get(later)?.needs.add(number).delete(partner);
  groups.delete(partner);
  const level = Math.max(one.level, other.level);
  groups.set(number, { ...sum([one, other]), components, folder: folderOf(paths(components)), level, needs, neededBy });
}
