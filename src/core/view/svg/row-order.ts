// Orders the items of each row to reduce crossings: sweeps down and up that move each item to the middle of its
// neighbours, then swaps of neighbours that help.
//
// layout/Y4. Items of one box stay side by side, and sibling boxes keep one order through all rows, so boxes never
//   overlap.
// layout/Y5. Equals keep the order they came in, so the picture follows the order of the plan.

import { addToList } from '../draw/picture.ts';
import { boxesAround, childTowards, innermostFirst } from './sketch.ts';
import type { Box, LayoutItem, LayoutRows } from './sketch.ts';

const SWEEPS_MAX = 24;
/** Items times sweeps: keeps large pictures below a second. */
const WORK_MAX = 40_000;
const EXCHANGE_ITEMS_MAX = 500;

export function orderRows(picture: LayoutRows): void {
  const { rows, root } = picture;
  const keys = new Map<LayoutItem, number>();
  for (const row of rows) for (const [index, item] of row.entries()) item.index = index;
  orderBoxes(picture);
  for (const row of rows) sortRow({ row, root, keys });
  const size = rows.reduce((sum, row) => sum + row.length, 0);
  const sweeps = Math.max(2, Math.min(SWEEPS_MAX, Math.floor(WORK_MAX / Math.max(1, size))));
  let best = snapshot(rows);
  let fewest = countCrossings(rows);
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    sweepOnce(picture, sweep % 2 === 0);
    if (size <= EXCHANGE_ITEMS_MAX) exchangeNeighbours(rows);
    const crossings = countCrossings(rows);
    if (crossings >= fewest) continue;
    fewest = crossings;
    best = snapshot(rows);
  }
  for (const [index, row] of rows.entries()) refill(row, best[index] ?? row);
}

const snapshot = (rows: readonly (readonly LayoutItem[])[]): LayoutItem[][] => rows.map((row) => [...row]);

function refill(row: LayoutItem[], items: readonly LayoutItem[]): void {
  for (const [index, item] of items.entries()) {
    row[index] = item;
    item.index = index;
  }
}

function sweepOnce(picture: LayoutRows, downwards: boolean): void {
  const { rows, root } = picture;
  const widths = rows.map((row) => row.length);
  const middle = (item: LayoutItem): number => item.index - ((widths[item.row] ?? 1) - 1) / 2;
  orderBoxes(picture);
  for (const row of downwards ? rows : rows.toReversed()) {
    const keys = new Map<LayoutItem, number>();
    for (const item of row) {
      const near = downwards ? item.before.map((link) => link.upper) : item.after.map((link) => link.lower);
      const sum = near.reduce((total, other) => total + middle(other), 0);
      keys.set(item, near.length === 0 ? middle(item) : sum / near.length);
    }
    sortRow({ row, root, keys });
  }
}

/** Ranks sibling boxes by the average position of their items. */
function orderBoxes({ rows, root }: LayoutRows): void {
  const sums = new Map<Box, { total: number; count: number }>();
  for (const row of rows) {
    for (const item of row) {
      for (const box of boxesAround(item.box)) {
        const sum = sums.get(box) ?? { total: 0, count: 0 };
        sum.total += item.index - (row.length - 1) / 2;
        sum.count += 1;
        sums.set(box, sum);
      }
    }
  }
  for (const [box, { total, count }] of sums) box.order = total / count;
  for (const box of innermostFirst(root)) {
    const inOrder = box.children.toSorted((one, other) => one.order - other.order);
    for (const [order, child] of inOrder.entries()) child.order = order;
  }
}

interface Sorting {
  readonly row: LayoutItem[];
  readonly root: Box;
  readonly keys: ReadonlyMap<LayoutItem, number>;
}

function sortRow({ row, root, keys }: Sorting): void {
  const keyed = row.map((item) => ({ item, key: keys.get(item) ?? item.index }));
  refill(row, arrange(root, keyed));
}

interface Keyed {
  readonly item: LayoutItem;
  readonly key: number;
}

interface RowEntry {
  readonly key: number;
  readonly box: Box | undefined;
  readonly parts: readonly Keyed[];
}

function arrange(box: Box, keyed: readonly Keyed[]): LayoutItem[] {
  const inner = new Map<Box, Keyed[]>();
  const entries: RowEntry[] = [];
  for (const one of keyed) {
    const child = childTowards(box, one.item.box);
    if (child === undefined) entries.push({ key: one.key, box: undefined, parts: [one] });
    else addToList(inner, child, one);
  }
  for (const [child, parts] of inner) {
    const key = parts.reduce((sum, part) => sum + part.key, 0) / parts.length;
    entries.push({ key, box: child, parts });
  }
  entries.sort(
    (one, other) => one.key - other.key || (one.parts[0]?.item.index ?? 0) - (other.parts[0]?.item.index ?? 0),
  );
  // Boxes take the positions of boxes, in their common order.
  const boxes = entries.filter((entry) => entry.box !== undefined);
  boxes.sort((one, other) => (one.box?.order ?? 0) - (other.box?.order ?? 0));
  const inOrder = entries.map((entry) => (entry.box === undefined ? entry : (boxes.shift() ?? entry)));
  return inOrder.flatMap((entry) =>
    entry.box === undefined ? entry.parts.map(({ item }) => item) : arrange(entry.box, entry.parts),
  );
}

/** Counts the crossings between neighbouring rows in O(n log n). */
export function countCrossings(rows: readonly (readonly LayoutItem[])[]): number {
  let crossings = 0;
  for (const [index, row] of rows.entries()) crossings += crossingsBelow(row, rows[index + 1]?.length ?? 0);
  return crossings;
}

function crossingsBelow(row: readonly LayoutItem[], width: number): number {
  // A Fenwick tree over the lower row: the number of ends so far at or before a position.
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

const ROUNDS_MAX = 6;

/** Swaps neighbours of a row in the same box wherever that reduces crossings. */
export function exchangeNeighbours(rows: readonly LayoutItem[][]): void {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    let improved = false;
    for (const row of rows)
      for (let index = 0; index + 1 < row.length; index++) improved = exchange(row, index) || improved;
    if (!improved) return;
  }
}

function exchange(row: LayoutItem[], index: number): boolean {
  const left = row[index];
  const right = row[index + 1];
  if (left === undefined || right === undefined || left.box !== right.box) return false;
  if (crossingsOf(left, right) <= crossingsOf(right, left)) return false;
  row[index] = right;
  row[index + 1] = left;
  right.index = index;
  left.index = index + 1;
  return true;
}

/** Crossings between the lines of two items when the first lies left of the second. */
function crossingsOf(left: LayoutItem, right: LayoutItem): number {
  return inversions(upperEnds(left), upperEnds(right)) + inversions(lowerEnds(left), lowerEnds(right));
}

const upperEnds = (item: LayoutItem): number[] => item.before.map((link) => link.upper.index);
const lowerEnds = (item: LayoutItem): number[] => item.after.map((link) => link.lower.index);

function inversions(left: readonly number[], right: readonly number[]): number {
  let count = 0;
  for (const one of left) for (const other of right) if (one > other) count += 1;
  return count;
}
