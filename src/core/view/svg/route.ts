// Routes each line from the edge of its upper item to the edge of its lower one, through its bends. A line turns only
// between rows and runs straight through a row, so it never touches a foreign node.

import { addToList } from '../draw/picture.ts';
import { innermostFirst, type Box, type EdgeLine, type LayoutItem, type LayoutRows } from './sketch.ts';

/** A point across and along the reading direction. */
interface RouteStop {
  readonly across: number;
  readonly along: number;
}

const PORT_GAP = 18;
/** Boxes have round corners; no line ends in one. */
const GATE_INSET = 24;

interface Routing {
  readonly lines: readonly EdgeLine[];
  readonly along: LayerOffsets;
  /** The part of an item's edge where lines may end. */
  readonly portRoom: (item: LayoutItem) => number;
}

/** The stops of each line, from its beginning to its end. */
export function routeLines({ lines, along, portRoom }: Routing): RouteStop[][] {
  for (const { items } of lines) placeGates(items);
  const upperPorts = portsOf({ lines, ends: ([first, second]) => [first, second], portRoom });
  const lowerPorts = portsOf({ lines, ends: (items) => [items.at(-1), items.at(-2)], portRoom });
  return lines.map((line, index) => {
    const stops: RouteStop[] = [];
    const last = line.items.length - 1;
    for (const [position, item] of line.items.entries()) {
      const row = along.rows[item.row] ?? { start: 0, end: 0 };
      const edges = edgesOf(item, row, along);
      if (item.type === 'gate') stops.push({ across: item.at, along: position === 0 ? edges.end : edges.start });
      else if (position === 0) stops.push(...leave(item.at + (upperPorts[index] ?? 0), edges.end, row.end));
      else if (position === last)
        stops.push(...leave(item.at + (lowerPorts[index] ?? 0), edges.start, row.start).reverse());
      else stops.push({ across: item.at, along: row.start }, { across: item.at, along: row.end });
    }
    return line.turned ? stops.reverse() : stops;
  });
}

/** A line to a whole box ends at the point of its edge nearest to where the line comes from. */
function placeGates(items: readonly LayoutItem[]): void {
  const placeGate = (gate: LayoutItem | undefined, next: LayoutItem | undefined): void => {
    if (gate?.type !== 'gate' || next === undefined) return;
    const { start, end } = gate.box;
    const inset = Math.min(GATE_INSET, (end - start) / 2);
    const towards = next.type === 'gate' ? (next.box.start + next.box.end) / 2 : next.at;
    gate.at = Math.max(start + inset, Math.min(end - inset, towards));
  };
  placeGate(items[0], items[1]);
  placeGate(items.at(-1), items.at(-2));
}

/** From an item's edge straight to the edge of its row, where turning is safe. */
function leave(across: number, edge: number, rowEdge: number): RouteStop[] {
  // With a stub shorter than a pixel, the arrow head would point in an arbitrary direction.
  if (Math.abs(edge - rowEdge) < 1) return [{ across, along: edge }];
  return [
    { across, along: edge },
    { across, along: rowEdge },
  ];
}

function edgesOf(item: LayoutItem, row: LayerSpan, along: LayerOffsets): LayerSpan {
  const box = along.boxes.get(item.box);
  if (item.type === 'gate' && box !== undefined) return box;
  const middle = (row.start + row.end) / 2;
  return { start: middle - item.along / 2, end: middle + item.along / 2 };
}

interface Ports {
  readonly lines: readonly EdgeLine[];
  /** The item at this end of a line, and the next one. */
  readonly ends: (items: readonly LayoutItem[]) => readonly [LayoutItem | undefined, LayoutItem | undefined];
  readonly portRoom: (item: LayoutItem) => number;
}

/** Spreads the lines that share an item's edge, in the order of their origins. */
function portsOf({ lines, ends, portRoom }: Ports): Float64Array {
  const ports = new Float64Array(lines.length);
  const meeting = new Map<LayoutItem, { readonly index: number; readonly towards: number }[]>();
  for (const [index, line] of lines.entries()) {
    const [item, next] = ends(line.items);
    if (item !== undefined && next !== undefined) addToList(meeting, item, { index, towards: next.at });
  }
  for (const [item, group] of meeting) {
    const gap = Math.min(PORT_GAP, portRoom(item) / Math.max(1, group.length - 1));
    const inOrder = group.sort((one, other) => one.towards - other.towards);
    for (const [position, { index }] of inOrder.entries()) ports[index] = (position - (group.length - 1) / 2) * gap;
  }
  return ports;
}

export interface Pads {
  readonly betweenRows: number;
  /** From the edge of a box to its first row, its label included, and from its last row to its other edge. */
  readonly boxStart: number;
  readonly boxEnd: number;
}

interface LayerSpan {
  readonly start: number;
  readonly end: number;
}

export interface LayerOffsets {
  readonly rows: readonly LayerSpan[];
  readonly boxes: ReadonlyMap<Box, LayerSpan>;
  readonly length: number;
}

/** Rows are as high as their highest node, with space between them for bends of lines, and edges and labels of boxes. */
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
