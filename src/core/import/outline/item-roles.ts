// The role of each item in the plan: a task, a subplan, or none, because it is done or deferred.

import type { ImportNote } from './outline.ts';
import type { PlacedItem, ItemTree } from './place-items.ts';

export type ItemRole = 'task' | 'subplan' | 'done' | 'put-off';

export interface ItemRoles {
  readonly of: (placed: PlacedItem) => ItemRole;
  readonly notes: readonly ImportNote[];
}

export function itemRoles(tree: ItemTree, isLeftOut: (placed: PlacedItem) => boolean = () => false): ItemRoles {
  const notes: ImportNote[] = [];
  const roles: ItemRole[] = [];
  for (const placed of tree.all) {
    const { item, parent, index } = placed;
    const isNoTask =
      item.state === 'done' || item.state === 'folded' || (placed.children.length === 0 && isLeftOut(placed));
    const around = parent === undefined ? 'task' : (roles[parent.index] ?? 'task');
    if (isNoTask || around === 'done') roles[index] = 'done';
    else roles[index] = item.state === 'put-off' || around === 'put-off' ? 'put-off' : 'task';
  }
  putOffWhatWaits(tree, roles, notes);
  // Children come after their parents, so going backwards the roles of the children are known.
  for (const placed of tree.all.toReversed())
    if (roles[placed.index] === 'task' && placed.children.length > 0)
      roles[placed.index] = roleOfParent(
        placed,
        placed.children.map(({ index }) => roles[index] ?? 'done'),
        isLeftOut(placed),
      );
  return { of: ({ index }) => roles[index] ?? 'done', notes };
}

/** A parent whose children are all done still has work of its own, unless it is a group. */
function roleOfParent({ item }: PlacedItem, children: readonly ItemRole[], isLeftOut: boolean): ItemRole {
  if (children.some((role) => role === 'task' || role === 'subplan')) return 'subplan';
  if (children.includes('put-off')) return 'put-off';
  return item.work.type === 'group' || isLeftOut ? 'done' : 'task';
}

/** An item that waits for a deferred item is deferred too; otherwise it would begin without its need. */
function putOffWhatWaits(tree: ItemTree, roles: ItemRole[], notes: ImportNote[]): void {
  const waiting = new Map<PlacedItem, PlacedItem[]>();
  for (const placed of tree.all)
    for (const key of [...placed.item.needs, ...placed.item.after]) {
      const needed = tree.byKey.get(key);
      if (needed !== undefined) waiting.set(needed, [...(waiting.get(needed) ?? []), placed]);
    }
  const queue = tree.all.filter(({ index }) => roles[index] === 'put-off');
  for (const placed of queue)
    for (const other of waiting.get(placed) ?? []) {
      if (roles[other.index] !== 'task') continue;
      notes.push({
        ...other.item.place,
        says: `${other.item.key} waits for ${placed.item.key}, which is put off, and was left out with it.`,
      });
      for (const inside of withInside(other))
        if (roles[inside.index] === 'task') {
          roles[inside.index] = 'put-off';
          queue.push(inside);
        }
    }
}

function withInside(placed: PlacedItem): readonly PlacedItem[] {
  return [placed, ...placed.children.flatMap(withInside)];
}
