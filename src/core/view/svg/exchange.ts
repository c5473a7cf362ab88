// Exchanges neighbours of a row that lie in the same box wherever fewer lines cross afterwards.

import type { LayoutItem } from './sketch.ts';

const ROUNDS_MAX = 6;

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
