// Counts how often lines cross between neighbouring rows, in time n log n.

import type { LayoutItem } from './sketch.ts';

export function countCrossings(rows: readonly (readonly LayoutItem[])[]): number {
  let crossings = 0;
  for (const [index, row] of rows.entries()) crossings += crossingsBelow(row, rows[index + 1]?.length ?? 0);
  return crossings;
}

function crossingsBelow(row: readonly LayoutItem[], width: number): number {
  // A Fenwick tree over the lower row: how many ends so far lie at or before a place.
  const tree = new Int32Array(width + 1);
  let placed = 0;
  let crossings = 0;
  for (const item of row) {
    const ends = item.after.map((link) => link.lower.index).sort((one, other) => one - other);
    for (const end of ends) crossings += placed - countUpTo(tree, end);
    for (const end of ends) addAt(tree, end);
    placed += ends.length;
  }
  return crossings;
}

function countUpTo(tree: Int32Array, index: number): number {
  let count = 0;
  for (let at = index + 1; at > 0; at -= at & -at) count += tree[at] ?? 0;
  return count;
}

function addAt(tree: Int32Array, index: number): void {
  for (let at = index + 1; at < tree.length; at += at & -at) tree[at] = (tree[at] ?? 0) + 1;
}
