// The working data of the layout: items in rows, boxes around them, lines between them. It is made and changed inside
// this folder only; the caller sees the finished `Layout`.
//
// layout/Y1. Rows run across the reading direction; `along` is the reading direction and `across` the other one.
// layout/Y2. Every item lies in one row and directly in one box; the root box holds everything. A gate takes no room:
//   it is in no list of a row, and is placed on the edge of its box when lines are drawn.
// layout/Y3. A box fills a run of rows without gaps, and the items of a row that lie in one box lie side by side.

/** A node, a bend of a long line, a filler that keeps a box open, or the gate where a line to a whole box ends. */
export interface LayoutItem {
  readonly type: 'node' | 'bend' | 'filler' | 'gate';
  readonly box: Box;
  /** Sizes across and along the reading direction. */
  readonly across: number;
  readonly along: number;
  row: number;
  /** Place in its row, from 0. */
  index: number;
  /** Middle, across. */
  at: number;
  readonly before: EdgeLink[];
  readonly after: EdgeLink[];
}

/** A piece of a line between neighbouring rows. */
export interface EdgeLink {
  readonly upper: LayoutItem;
  readonly lower: LayoutItem;
}

/** A line through all the items it passes, upper end first. */
export interface EdgeLine {
  readonly items: readonly LayoutItem[];
  /** The picture's edge points upwards, so its arrow head is at the upper end. */
  readonly turned: boolean;
}

export interface Box {
  readonly parent: Box | undefined;
  readonly depth: number;
  readonly children: Box[];
  /** The least size across, so that the box can hold its label. */
  readonly acrossMin: number;
  firstRow: number;
  lastRow: number;
  /** Place among its siblings, the same in every row. */
  order: number;
  /** The position of its origin, across, relative to its parent's. */
  at: number;
  /** Its edges across, relative to its own origin. */
  start: number;
  end: number;
}

export interface LayoutRows {
  readonly rows: LayoutItem[][];
  readonly root: Box;
}

export interface AddedItem {
  readonly type: LayoutItem['type'];
  readonly box: Box;
  readonly across?: number;
  readonly along?: number;
  readonly row?: number;
}

export const isItem = (part: LayoutItem | Box): part is LayoutItem => 'index' in part;

export function makeItem({ type, box, across = 0, along = 0, row = 0 }: AddedItem): LayoutItem {
  return { type, box, across, along, row, index: 0, at: 0, before: [], after: [] };
}

export function makeBox(parent: Box | undefined, acrossMin: number): Box {
  const depth = parent === undefined ? 0 : parent.depth + 1;
  const box = {
    parent,
    depth,
    children: [],
    acrossMin,
    firstRow: Infinity,
    lastRow: -1,
    order: 0,
    at: 0,
    start: 0,
    end: 0,
  };
  parent?.children.push(box);
  return box;
}

export function join(upper: LayoutItem, lower: LayoutItem): void {
  const link = { upper, lower };
  upper.after.push(link);
  lower.before.push(link);
}

/** The box and all that hold it, innermost first, without the root. */
export function boxesAround(box: Box): Box[] {
  const around: Box[] = [];
  for (let at: Box = box; at.parent !== undefined; at = at.parent) around.push(at);
  return around;
}

/** Boxes with the innermost first, so that each comes after what it holds; the root is last. */
export function innermostFirst(root: Box): Box[] {
  const boxes = [root];
  for (const box of boxes) for (const child of box.children) boxes.push(child);
  return boxes.reverse();
}

/** The child of `box` that holds `inner`, or undefined when `inner` is `box` itself or lies elsewhere. */
export function childTowards(box: Box, inner: Box): Box | undefined {
  let at: Box = inner;
  while (at.depth > box.depth + 1 && at.parent !== undefined) at = at.parent;
  return at.parent === box ? at : undefined;
}
