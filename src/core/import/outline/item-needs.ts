// The needs of each task. Needs that could not be converted are in the notes.

import type { ImportNote } from './outline.ts';
import { cutNeedCycles } from './cut-need-cycles.ts';
import type { Placed, ItemTree } from './place-items.ts';
import type { ItemRoles } from './item-roles.ts';

export interface ItemNeeds {
  readonly of: (placed: Placed) => readonly Placed[];
  readonly notes: readonly ImportNote[];
}

export function needsOf(tree: ItemTree, roles: ItemRoles): ItemNeeds {
  const notes: ImportNote[] = [];
  const needs = new Map<Placed, Placed[]>();
  for (const placed of tree.all) {
    if (!isInPlan(roles, placed)) continue;
    const found = new Set<Placed>();
    for (const key of new Set([...orderKeys(tree, roles, placed), ...placed.item.needs])) {
      const needed = tree.byKey.get(key);
      const says = whyNot(placed, key, needed);
      if (says !== undefined) notes.push({ ...placed.item.place, says });
      else if (needed !== undefined && isInPlan(roles, needed) && !isInside(needed, placed)) found.add(needed);
    }
    needs.set(placed, [...found]);
  }
  const inPlan = tree.all.filter((placed) => isInPlan(roles, placed));
  notes.push(...cutNeedCycles(inPlan, needs));
  return { of: (placed) => needs.get(placed) ?? [], notes };
}

/** The items it comes after, seen through what is done. */
function orderKeys(tree: ItemTree, roles: ItemRoles, placed: Placed): readonly string[] {
  const keys = new Set(placed.item.after);
  // A set is gone through in the order in which it grows.
  for (const key of keys) {
    const before = tree.byKey.get(key);
    if (before !== undefined && before !== placed && roles.of(before) === 'done')
      for (const earlier of before.item.after) keys.add(earlier);
  }
  return [...keys];
}

export const isInPlan = (roles: ItemRoles, placed: Placed): boolean => {
  const role = roles.of(placed);
  return role === 'task' || role === 'subplan';
};

/** A sentence when the need cannot be one. What is done, and what is a part of it, is waited for anyway. */
function whyNot(placed: Placed, key: string, needed: Placed | undefined): string | undefined {
  const name = placed.item.key;
  if (needed === undefined) return `${name} waits for ${key}, which is not in the file; it does not wait for it.`;
  if (needed === placed) return `${name} waits for itself; it does not.`;
  if (isInside(placed, needed)) return `${name} waits for ${key}, which contains it; it does not wait for it.`;
  return undefined;
}

function isInside(placed: Placed, other: Placed): boolean {
  for (let around = placed.parent; around !== undefined; around = around.parent) if (around === other) return true;
  return false;
}
