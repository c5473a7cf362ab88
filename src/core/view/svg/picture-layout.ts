// The layout of a picture: a layered drawing in which arrows point in the reading direction, groups are nested boxes,
// and lines bend around foreign nodes. The same picture gives the same layout.
//
// layout/Y7. No two nodes overlap, no two boxes overlap unless one holds the other, and everything lies inside the
//   frame.

import { assert } from '../../assert.ts';
import { depthsOf, type Arrow } from '../draw/depth.ts';
import type { Picture, PictureGroup, PictureNode } from '../draw/picture.ts';
import { placeAcross } from './across.ts';
import { placeAlong, routeLines, type LayerOffsets, type Pads } from './route.ts';
import { bendLines, type BendRequest } from './bend.ts';
import { orderRows } from './row-order.ts';
import { boxesAround, innermostFirst, makeBox, makeItem, type Box, type LayoutItem } from './sketch.ts';

export interface BoxSize {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface LayoutFrame extends Point, BoxSize {}

export interface Layout extends BoxSize {
  readonly nodes: ReadonlyMap<string, LayoutFrame>;
  readonly groups: ReadonlyMap<string, LayoutFrame>;
  /** For each edge of the picture: its stops; a line is straight between two with equal x (or y, reading right). */
  readonly edges: readonly (readonly Point[])[];
}

export interface MeasureText {
  readonly nodeSize: (node: PictureNode) => BoxSize;
  readonly groupLabelSize: (group: PictureGroup) => BoxSize;
  /** The part of an edge of this length where lines may end; small for a pointed shape. */
  readonly portRoom: (node: PictureNode, length: number) => number;
}

const MARGIN = 20;
const BETWEEN_NODES = 30;
/** Nodes are wider than high, so vertical neighbours need less distance. */
const BETWEEN_NODES_STACKED = 18;
const BETWEEN_LINES = 16;
const BETWEEN_ROWS = 46;
const BOX_PAD = 18;

export function layOut(picture: Picture, measure: MeasureText): Layout {
  const down = picture.direction === 'down';
  const sketch = sketchOf(picture, measure);
  const { rows, root, lines } = bendLines(sketch.root, [...sketch.itemOf.values()], sketch.wanted);
  orderRows({ rows, root });
  const header = picture.groups.reduce((most, group) => Math.max(most, measure.groupLabelSize(group).height), 0);
  const spacing = {
    betweenNodes: down ? BETWEEN_NODES : BETWEEN_NODES_STACKED,
    betweenLines: BETWEEN_LINES,
    boxStart: BOX_PAD + (down ? 0 : header),
    boxEnd: BOX_PAD,
  };
  placeAcross({ rows, root }, spacing);
  settle(root, rows);
  const pads: Pads = { betweenRows: BETWEEN_ROWS, boxStart: BOX_PAD + (down ? header : 0), boxEnd: BOX_PAD };
  const along = placeAlong({ rows, root }, pads);
  const nodeOf = new Map(picture.nodes.map((node) => [sketch.itemOf.get(node.id), node]));
  const portRoom = (item: LayoutItem): number => {
    const node = nodeOf.get(item);
    return node === undefined ? 0 : measure.portRoom(node, item.across);
  };
  const stops = routeLines({ lines, along, portRoom });
  return finish({ picture, sketch, along, stops });
}

interface Sketch {
  readonly root: Box;
  readonly itemOf: ReadonlyMap<string, LayoutItem>;
  readonly boxOf: ReadonlyMap<string, Box>;
  readonly wanted: readonly BendRequest[];
}

function sketchOf(picture: Picture, measure: MeasureText): Sketch {
  const down = picture.direction === 'down';
  const { root, boxOf } = boxesOf(picture, measure);
  const itemOf = new Map<string, LayoutItem>();
  for (const node of picture.nodes) {
    const { width, height } = measure.nodeSize(node);
    const box = node.group === undefined ? root : (boxOf.get(node.group) ?? root);
    const size = down ? { across: width, along: height } : { across: height, along: width };
    itemOf.set(node.id, makeItem({ type: 'node', box, ...size }));
  }
  return { root, itemOf, boxOf, wanted: rankItems(picture, itemOf, boxOf) };
}

/** Gives every item its row, and every edge its upper and its lower end. */
function rankItems(
  picture: Picture,
  itemOf: ReadonlyMap<string, LayoutItem>,
  boxOf: ReadonlyMap<string, Box>,
): BendRequest[] {
  const items = [...itemOf.values()];
  const numbers = new Map<LayoutItem | Box, number>(items.map((item, index) => [item, index]));
  const endOf = (id: string): LayoutItem | Box | undefined => itemOf.get(id) ?? boxOf.get(id);
  const ends = picture.edges.flatMap((edge) => {
    const from = endOf(edge.from);
    const to = endOf(edge.to);
    return from === undefined || to === undefined ? [] : [{ from, to }];
  });
  assert(ends.length === picture.edges.length, 'An edge of a picture ends at nothing.');
  // A box that edges end at has two numbers of its own: its beginning, and one more for its end.
  for (const box of new Set(ends.flatMap(({ from, to }) => [from, to]))) {
    if (!numbers.has(box)) numbers.set(box, items.length + 2 * (numbers.size - items.length));
  }
  const count = items.length + 2 * (numbers.size - items.length);
  const numberOf = (end: LayoutItem | Box, atItsEnd: boolean): number =>
    (numbers.get(end) ?? 0) + (atItsEnd && 'order' in end ? 1 : 0);
  const arrows = ends.map(({ from, to }): Arrow => ({ from: numberOf(from, true), to: numberOf(to, false) }));
  const { depth, turned } = depthsOf(count, [...arrows, ...boxArrows(items, numbers)]);
  for (const [index, item] of items.entries()) item.row = depth[index] ?? 0;
  return ends.map(({ from, to }, index): BendRequest => {
    return turned[index] === 1 ? { upper: to, lower: from, turned: true } : { upper: from, lower: to, turned: false };
  });
}

/** Nothing in a box lies before its beginning or after its end. */
function boxArrows(items: readonly LayoutItem[], numbers: ReadonlyMap<LayoutItem | Box, number>): Arrow[] {
  const arrows: Arrow[] = [];
  for (const [index, item] of items.entries()) {
    for (const box of boxesAround(item.box)) {
      const beginning = numbers.get(box);
      if (beginning === undefined) continue;
      arrows.push({ from: beginning, to: index, length: 0 }, { from: index, to: beginning + 1, length: 0 });
    }
  }
  return arrows;
}

function boxesOf(picture: Picture, measure: MeasureText): { readonly root: Box; readonly boxOf: Map<string, Box> } {
  const root = makeBox(undefined, 0);
  const boxOf = new Map<string, Box>();
  const groups = new Map(picture.groups.map((group) => [group.id, group]));
  const boxFor = (group: PictureGroup): Box => {
    const known = boxOf.get(group.id);
    if (known !== undefined) return known;
    const parent = group.group === undefined ? undefined : groups.get(group.group);
    const { width, height } = measure.groupLabelSize(group);
    const acrossMin = picture.direction === 'down' ? width + 2 * BOX_PAD : height + 2 * BOX_PAD;
    const box = makeBox(parent === undefined ? root : boxFor(parent), acrossMin);
    boxOf.set(group.id, box);
    return box;
  };
  for (const group of picture.groups) boxFor(group);
  return { root, boxOf };
}

/** Converts positions relative to boxes into absolute positions. */
function settle(root: Box, rows: readonly (readonly LayoutItem[])[]): void {
  for (const box of innermostFirst(root).reverse()) {
    box.at += box.parent?.at ?? 0;
    box.start += box.at;
    box.end += box.at;
  }
  for (const row of rows) for (const item of row) item.at += item.box.at;
}

interface Finish {
  readonly picture: Picture;
  readonly sketch: Sketch;
  readonly along: LayerOffsets;
  readonly stops: readonly (readonly { readonly across: number; readonly along: number }[])[];
}

function finish({ picture, sketch, along, stops }: Finish): Layout {
  const down = picture.direction === 'down';
  const { root, itemOf, boxOf } = sketch;
  const start = Number.isFinite(root.start) ? root.start - MARGIN : 0;
  const size = Number.isFinite(root.start) ? root.end - root.start + 2 * MARGIN : 2 * MARGIN;
  const point = (across: number, alongAt: number): Point =>
    down ? { x: across - start, y: alongAt + MARGIN } : { x: alongAt + MARGIN, y: across - start };
  const sized = (across: number, alongSize: number): BoxSize =>
    down ? { width: across, height: alongSize } : { width: alongSize, height: across };
  const nodes = new Map<string, LayoutFrame>();
  for (const [id, item] of itemOf) {
    const row = along.rows[item.row] ?? { start: 0, end: 0 };
    const top = (row.start + row.end - item.along) / 2;
    nodes.set(id, { ...point(item.at - item.across / 2, top), ...sized(item.across, item.along) });
  }
  const groups = new Map<string, LayoutFrame>();
  for (const [id, box] of boxOf) {
    const span = along.boxes.get(box) ?? { start: 0, end: 0 };
    groups.set(id, { ...point(box.start, span.start), ...sized(box.end - box.start, span.end - span.start) });
  }
  const edges = stops.map((list) => list.map((stop) => point(stop.across, stop.along)));
  return { ...sized(size, along.length + 2 * MARGIN), nodes, groups, edges };
}
