// Computes the position of each row along the reading direction: rows are as high as their highest node, with space
// between them for the bends of lines and for the edges and labels of boxes.

import { innermostFirst } from './sketch.ts';
import type { Box, LayoutItem, LayoutRows } from './sketch.ts';

export interface Pads {
  readonly betweenRows: number;
  /** From the edge of a box to its first row, its label included, and from its last row to its other edge. */
  readonly boxStart: number;
  readonly boxEnd: number;
}

export interface LayerSpan {
  readonly start: number;
  readonly end: number;
}

export interface LayerOffsets {
  readonly rows: readonly LayerSpan[];
  readonly boxes: ReadonlyMap<Box, LayerSpan>;
  readonly length: number;
}

export function placeAlong({ rows, root }: LayoutRows, pads: Pads): LayerOffsets {
  const boxes = innermostFirst(root).filter((box) => box.parent !== undefined);
  const startsOf = nestingAt(boxes, 'firstRow');
  const endsOf = nestingAt(boxes, 'lastRow');
  const deepestStart = deepestByRow(startsOf, 'firstRow');
  const deepestEnd = deepestByRow(endsOf, 'lastRow');
  const spans: LayerSpan[] = [];
  let at = 0;
  for (const [index, row] of rows.entries()) {
    const height = row.reduce((most, item) => Math.max(most, item.along), 0);
    if (index > 0) at += pads.betweenRows + roomToTurn(row);
    at += (deepestStart.get(index) ?? 0) * pads.boxStart;
    spans.push({ start: at, end: at + height });
    at += height + (deepestEnd.get(index) ?? 0) * pads.boxEnd;
  }
  const boxSpans = new Map<Box, LayerSpan>();
  for (const box of boxes) {
    const start = (spans[box.firstRow]?.start ?? 0) - (startsOf.get(box) ?? 1) * pads.boxStart;
    const end = (spans[box.lastRow]?.end ?? 0) + (endsOf.get(box) ?? 1) * pads.boxEnd;
    boxSpans.set(box, { start, end });
  }
  return { rows: spans, boxes: boxSpans, length: at };
}

const STEEP = 120;
const TURN_SHARE = 0.1;
const TURN_MAX = 90;

/** Lines that go far to the side get more space; otherwise they would nearly coincide. */
function roomToTurn(row: readonly LayoutItem[]): number {
  let farthest = 0;
  for (const item of row)
    for (const { upper } of item.before) farthest = Math.max(farthest, Math.abs(upper.at - item.at));
  return Math.min(TURN_MAX, Math.max(0, farthest - STEEP) * TURN_SHARE);
}

type LayerEdge = 'firstRow' | 'lastRow';

/** The nesting depth of each box at its edge: itself, and the boxes inside that share this edge's row. */
function nestingAt(boxes: readonly Box[], edge: LayerEdge): Map<Box, number> {
  const nesting = new Map<Box, number>();
  for (const box of boxes) {
    const inner = box.children.filter((child) => child[edge] === box[edge]).map((child) => nesting.get(child) ?? 0);
    nesting.set(box, inner.reduce((most, count) => Math.max(most, count), 0) + 1);
  }
  return nesting;
}

function deepestByRow(nesting: ReadonlyMap<Box, number>, edge: LayerEdge): Map<number, number> {
  const deepest = new Map<number, number>();
  for (const [box, count] of nesting) deepest.set(box[edge], Math.max(deepest.get(box[edge]) ?? 0, count));
  return deepest;
}
