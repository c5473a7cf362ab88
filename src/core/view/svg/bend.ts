// Gives every long line a bend in each row that it passes, and every box a filler in each row where it would be empty,
// so that all later stages consider neighbouring rows only.
//
// Limit: the number of bends grows with lines times rows. Above BENDS_MAX, the longest lines are drawn straight and no
// item makes way for them.

import { addToList } from '../draw/picture.ts';
import { boxesAround, innermostFirst, isItem, join, makeItem } from './sketch.ts';
import type { Box, LayoutItem, EdgeLine, LayoutRows } from './sketch.ts';

const BENDS_MAX = 6_000;
const BEHIND_MAX = 12;

/** A line between two nodes or boxes; a box as an end means its edge. */
export interface BendRequest {
  readonly upper: LayoutItem | Box;
  readonly lower: LayoutItem | Box;
  readonly turned: boolean;
}

interface BendStretch {
  readonly upper: LayoutItem;
  readonly lower: LayoutItem;
}

/** Sorts items into rows and returns the lines through them, in the order of `wanted`. */
export function bendLines(
  root: Box,
  items: readonly LayoutItem[],
  wanted: readonly BendRequest[],
): LayoutRows & { readonly lines: EdgeLine[] } {
  measureBoxes(items);
  const rows: LayoutItem[][] = [];
  const add = (item: LayoutItem): void => {
    while (rows.length <= item.row) rows.push([]);
    rows[item.row]?.push(item);
  };
  for (const item of items) add(item);
  const stretches = wanted.map(({ upper, lower }): BendStretch => ({
    upper: isItem(upper) ? upper : makeItem({ type: 'gate', box: upper, row: upper.lastRow }),
    lower: isItem(lower) ? lower : makeItem({ type: 'gate', box: lower, row: lower.firstRow }),
  }));
  const longest = longestBent(stretches);
  const behind = behindGates(items, stretches);
  const lines = stretches.map((stretch, index): EdgeLine => {
    const path = lengthOf(stretch) > longest ? [stretch.upper, stretch.lower] : bend(stretch, add);
    joinAll(path, behind);
    return { items: path, turned: wanted[index]?.turned === true };
  });
  for (const filler of fillersOf(root, rows)) add(filler);
  return { rows, root, lines };
}

const lengthOf = ({ upper, lower }: BendStretch): number => lower.row - upper.row;

function longestBent(stretches: readonly BendStretch[]): number {
  let bends = 0;
  for (const length of stretches.map(lengthOf).sort((one, other) => one - other)) {
    bends += Math.max(0, length - 1);
    if (bends > BENDS_MAX) return length - 1;
  }
  return Infinity;
}

function measureBoxes(items: readonly LayoutItem[]): void {
  for (const { box, row } of items) {
    for (let at: Box | undefined = box; at !== undefined; at = at.parent) {
      at.firstRow = Math.min(at.firstRow, row);
      at.lastRow = Math.max(at.lastRow, row);
    }
  }
}

function bend({ upper, lower }: BendStretch, add: (item: LayoutItem) => void): LayoutItem[] {
  const outOf = boxesAround(upper.box);
  const into = boxesAround(lower.box);
  const shared = outOf.find((box) => into.includes(box));
  const left = shared === undefined ? outOf : outOf.slice(0, outOf.indexOf(shared));
  const entered = shared === undefined ? into : into.slice(0, into.indexOf(shared));
  const around = shared ?? rootOf(upper.box);
  const path = [upper];
  for (let row = upper.row + 1; row < lower.row; row++) {
    // A line leaves a box at its last row, not through its side, and enters one at its first row.
    const box = left.find((one) => one.lastRow >= row) ?? entered.find((one) => one.firstRow <= row) ?? around;
    const item = makeItem({ type: 'bend', box, row });
    add(item);
    path.push(item);
  }
  path.push(lower);
  return path;
}

/** Links between neighbouring rows; the items behind a gate represent it, so that a line is drawn towards them. */
function joinAll(path: readonly LayoutItem[], behind: ReadonlyMap<LayoutItem, readonly LayoutItem[]>): void {
  for (const [index, item] of path.entries()) {
    const next = path[index + 1];
    if (next === undefined || next.row !== item.row + 1) continue;
    for (const upper of behind.get(item) ?? [item]) for (const lower of behind.get(next) ?? [next]) join(upper, lower);
  }
}

/** For each gate, the first nodes of its box in its row. */
function behindGates(items: readonly LayoutItem[], stretches: readonly BendStretch[]): Map<LayoutItem, LayoutItem[]> {
  const gates = stretches.flatMap(({ upper, lower }) => [upper, lower]).filter((item) => item.type === 'gate');
  const rowsOf = new Map<Box, Map<number, LayoutItem[]>>();
  for (const { box } of gates) rowsOf.set(box, new Map());
  for (const item of items) {
    for (const box of boxesAround(item.box)) {
      const rows = rowsOf.get(box);
      if (rows !== undefined) addToList(rows, item.row, item);
    }
  }
  return new Map(gates.map((gate) => [gate, (rowsOf.get(gate.box)?.get(gate.row) ?? []).slice(0, BEHIND_MAX)]));
}

function rootOf(box: Box): Box {
  let at = box;
  while (at.parent !== undefined) at = at.parent;
  return at;
}

function fillersOf(root: Box, rows: readonly (readonly LayoutItem[])[]): LayoutItem[] {
  const filled = new Map<Box, Set<number>>();
  const fill = (box: Box, row: number): void => {
    for (let at: Box | undefined = box; at !== undefined; at = at.parent) {
      const own = filled.get(at) ?? new Set();
      filled.set(at, own.add(row));
    }
  };
  for (const row of rows) for (const item of row) fill(item.box, item.row);
  const fillers: LayoutItem[] = [];
  for (const box of innermostFirst(root)) {
    for (let row = box.firstRow; row <= box.lastRow; row++) {
      if (filled.get(box)?.has(row) === true) continue;
      fillers.push(makeItem({ type: 'filler', box, row }));
      fill(box, row);
    }
  }
  return fillers;
}
