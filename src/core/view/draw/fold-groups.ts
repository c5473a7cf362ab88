// Folds whole groups into one node each, the deepest first and of those the largest, until the picture is small enough.

import { groupsAround, parentsOf, addToList } from './picture.ts';
import { countUnits, mergeNodes } from './merge-nodes.ts';
import type { Picture, PictureGroup } from './picture.ts';
import type { FoldLimit, NodeMerge } from './merge-nodes.ts';

/** Folds exactly these groups, as a reader has chosen. */
export const foldNamedGroups = (picture: Picture, folded: ReadonlySet<string>): Picture =>
  mergeNodes(picture, mergesOf(picture, folded, measureGroups(picture, new Set())));

export function foldGroups(picture: Picture, limit: FoldLimit): Picture {
  const measures = measureGroups(picture, limit.expand);
  const candidates = picture.groups
    .map((group) => ({ group, ...measureOf(measures, group.id) }))
    .filter(({ open }) => !open)
    .sort((one, other) => other.depth - one.depth || other.standsFor - one.standsFor);
  const folded = new Set<string>();
  let visible = picture.nodes.length;
  let last: GroupMeasure = NOTHING;
  for (const { group } of candidates) {
    // Siblings of the same size are folded together: one of them left open would look like a difference.
    const own = measureOf(measures, group.id);
    const isAlike = own.depth === last.depth && own.standsFor === last.standsFor;
    if (visible <= limit.nodesMax && !isAlike) break;
    last = own;
    if (own.visible < 2) continue;
    folded.add(group.id);
    const saved = own.visible - 1;
    visible -= saved;
    // The enclosing group sees one node instead of its parts.
    for (const id of [group.id, ...own.around]) measureOf(measures, id).visible -= saved;
  }
  return mergeNodes(picture, mergesOf(picture, folded, measures));
}

interface GroupMeasure {
  readonly depth: number;
  readonly around: readonly string[];
  readonly standsFor: number;
  readonly open: boolean;
  /** Nodes seen inside while this group is open; changed as inner groups are folded. */
  visible: number;
}

const NOTHING: GroupMeasure = { depth: 0, around: [], standsFor: 0, open: true, visible: 0 };

const measureOf = (measures: ReadonlyMap<string, GroupMeasure>, id: string): GroupMeasure =>
  measures.get(id) ?? NOTHING;

function measureGroups(picture: Picture, expand: ReadonlySet<string>): Map<string, GroupMeasure> {
  const parents = parentsOf(picture);
  const visible = new Map<string, number>();
  const standsFor = new Map<string, number>();
  const open = new Set<string>(expand);
  for (const node of picture.nodes) {
    for (const id of groupsAround(parents, node.id)) {
      visible.set(id, (visible.get(id) ?? 0) + 1);
      standsFor.set(id, (standsFor.get(id) ?? 0) + node.standsFor);
    }
  }
  for (const wanted of expand) for (const id of groupsAround(parents, wanted)) open.add(id);
  return new Map(
    picture.groups.map(({ id }) => {
      const around = groupsAround(parents, id);
      const measure = { depth: around.length, around, open: open.has(id) };
      return [id, { ...measure, visible: visible.get(id) ?? 0, standsFor: standsFor.get(id) ?? 0 }];
    }),
  );
}

function mergesOf(
  picture: Picture,
  folded: ReadonlySet<string>,
  measures: ReadonlyMap<string, GroupMeasure>,
): NodeMerge[] {
  const parts = new Map<string, string[]>();
  const outermostFolded = (ids: readonly string[]): string | undefined => ids.findLast((id) => folded.has(id));
  for (const { id } of picture.groups) {
    const into = outermostFolded([id, ...measureOf(measures, id).around]);
    if (into !== undefined) addToList(parts, into, id);
  }
  for (const { id, group } of picture.nodes) {
    if (group === undefined) continue;
    const into = outermostFolded([group, ...measureOf(measures, group).around]);
    if (into !== undefined) addToList(parts, into, id);
  }
  return picture.groups.flatMap((group) => {
    const own = parts.get(group.id);
    return own === undefined
      ? []
      : [{ node: foldedGroup(picture, group, measureOf(measures, group.id).standsFor), parts: own }];
  });
}

function foldedGroup(picture: Picture, group: PictureGroup, standsFor: number): NodeMerge['node'] {
  const label = [`${group.label} (${countUnits(picture, standsFor)})`];
  return { id: group.id, label, kind: 'folded', group: group.group, optional: false, standsFor };
}
