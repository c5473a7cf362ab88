// Computes positions across the reading direction. Each box is solved alone, the innermost first, and is then a rigid
// part of the box around it. Items that should be aligned share a column.

import { addToList } from '../draw/picture.ts';
import { prepareGaps, separate, type Gap } from './separate.ts';
import {
  boxesAround,
  childTowards,
  innermostFirst,
  isItem,
  type Box,
  type EdgeLink,
  type LayoutItem,
  type LayoutRows,
} from './sketch.ts';

interface Spacing {
  readonly betweenNodes: number;
  readonly betweenLines: number;
  readonly boxStart: number;
  readonly boxEnd: number;
}

const ROUNDS_MAX = 80;
/** Columns times rounds: keeps large pictures below a second. */
const WORK_MAX = 40_000;

export function placeAcross({ rows, root }: LayoutRows, spacing: Spacing): void {
  const links = linksByBox(rows, root);
  const sequences = sequencesByBox(rows, root);
  for (const box of innermostFirst(root)) {
    solveBox({ box, spacing, sequences: sequences.get(box) ?? [], links: links.get(box) ?? [] });
  }
}

/** The content of one box in one row, in order: its own items and its child boxes. */
type AcrossSequence = (LayoutItem | Box)[];

function sequencesByBox(rows: readonly (readonly LayoutItem[])[], root: Box): Map<Box, AcrossSequence[]> {
  const sequences = new Map<Box, AcrossSequence[]>();
  for (const row of rows) {
    const open = new Map<Box, AcrossSequence>();
    for (const item of row) {
      let part: LayoutItem | Box = item;
      for (const box of [...boxesAround(item.box), root]) {
        const sequence = open.get(box);
        if (sequence === undefined) open.set(box, [part]);
        else if (sequence.at(-1) !== part) sequence.push(part);
        part = box;
      }
    }
    for (const [box, sequence] of open) addToList(sequences, box, sequence);
  }
  return sequences;
}

/** Every link belongs to the innermost box that holds both its ends. */
function linksByBox(rows: readonly (readonly LayoutItem[])[], root: Box): Map<Box, EdgeLink[]> {
  const links = new Map<Box, EdgeLink[]>();
  for (const row of rows) {
    for (const item of row) {
      for (const link of item.after) {
        const around = new Set(boxesAround(link.lower.box));
        addToList(links, boxesAround(link.upper.box).find((box) => around.has(box)) ?? root, link);
      }
    }
  }
  return links;
}

interface Body {
  readonly box: Box;
  readonly spacing: Spacing;
  readonly sequences: readonly AcrossSequence[];
  readonly links: readonly EdgeLink[];
}

function solveBox(body: Body): void {
  const { box } = body;
  const columns = columnsOf(body);
  const count = new Set(columns.values()).size;
  const places = relax(body, columns, count);
  box.start = Infinity;
  box.end = -Infinity;
  for (const [part, column] of columns) {
    part.at = places[column] ?? 0;
    box.start = Math.min(box.start, part.at + startOf(part));
    box.end = Math.max(box.end, part.at + endOf(part));
  }
  if (box.parent === undefined) return;
  const lack = Math.max(0, box.acrossMin - (box.end - box.start + body.spacing.boxStart + body.spacing.boxEnd));
  box.start -= body.spacing.boxStart + lack / 2;
  box.end += body.spacing.boxEnd + lack / 2;
}

const startOf = (part: LayoutItem | Box): number => (isItem(part) ? -part.across / 2 : part.start);
const endOf = (part: LayoutItem | Box): number => (isItem(part) ? part.across / 2 : part.end);

/** The column of each part: its own, or that of the part with which it should be aligned. */
function columnsOf({ sequences, links }: Body): Map<LayoutItem | Box, number> {
  const above = new Map<LayoutItem, LayoutItem>();
  for (const { upper, lower } of straightLinks(sequences, links)) above.set(lower, upper);
  const columns = new Map<LayoutItem | Box, number>();
  let count = 0;
  for (const sequence of sequences) {
    for (const part of sequence) {
      if (columns.has(part)) continue;
      const upper = isItem(part) ? above.get(part) : undefined;
      columns.set(part, (upper === undefined ? undefined : columns.get(upper)) ?? count++);
    }
  }
  return columns;
}

interface Pull {
  readonly column: number;
  readonly other: number;
  /** The preferred distance to the right of the other column. */
  readonly offset: number;
  readonly weight: number;
}

function relax(body: Body, columns: ReadonlyMap<LayoutItem | Box, number>, count: number): Float64Array {
  const gaps = prepareGaps(count, gapsOf(body, columns));
  const pulls = pullsOf(body, columns);
  const weight = new Float64Array(count).fill(0.01);
  for (const pull of pulls) weight[pull.column] = (weight[pull.column] ?? 0) + pull.weight;
  let places = separate(gaps, firstWishes(body, columns, count), new Float64Array(count).fill(1));
  const rounds = Math.max(4, Math.min(ROUNDS_MAX, Math.floor(WORK_MAX / Math.max(1, count))));
  for (let round = 0; round < rounds; round++) {
    const wanted = places.map((place) => place * 0.01);
    for (const { column, other, offset, weight: own } of pulls) {
      wanted[column] = (wanted[column] ?? 0) + own * ((places[other] ?? 0) + offset);
    }
    // Only half the distance: two columns that attract each other would otherwise swap sides for ever.
    const halfway = wanted.map((sum, column) => (sum / (weight[column] ?? 1) + (places[column] ?? 0)) / 2);
    places = separate(gaps, halfway, weight);
  }
  return places;
}

/** At first every row is packed around the middle. */
function firstWishes(
  { sequences, spacing }: Body,
  columns: ReadonlyMap<LayoutItem | Box, number>,
  count: number,
): Float64Array {
  const wishes = new Float64Array(count);
  for (const sequence of sequences) {
    const width = sequence.reduce((sum, part) => sum + endOf(part) - startOf(part) + spacing.betweenNodes, 0);
    let at = -width / 2;
    for (const part of sequence) {
      wishes[columns.get(part) ?? 0] = at - startOf(part);
      at += endOf(part) - startOf(part) + spacing.betweenNodes;
    }
  }
  return wishes;
}

function gapsOf({ sequences, spacing }: Body, columns: ReadonlyMap<LayoutItem | Box, number>): Gap[] {
  const gaps: Gap[] = [];
  for (const sequence of sequences) {
    for (const [index, left] of sequence.entries()) {
      const right = sequence[index + 1];
      if (right === undefined) break;
      const isThin = isThinPart(left) && isThinPart(right);
      const room = isThin ? spacing.betweenLines : spacing.betweenNodes;
      const least = endOf(left) + room - startOf(right);
      gaps.push({ left: columns.get(left) ?? 0, right: columns.get(right) ?? 0, least });
    }
  }
  return gaps;
}

const isThinPart = (part: LayoutItem | Box): boolean => isItem(part) && part.type !== 'node';

function pullsOf({ box, links }: Body, columns: ReadonlyMap<LayoutItem | Box, number>): Pull[] {
  const pulls: Pull[] = [];
  for (const { upper, lower } of links) {
    const one = standing(box, upper);
    const other = standing(box, lower);
    const upperColumn = columns.get(one.part) ?? 0;
    const lowerColumn = columns.get(other.part) ?? 0;
    if (upperColumn === lowerColumn) continue;
    const weight = (upper.type === 'node' ? 1 : 2) * (lower.type === 'node' ? 1 : 2);
    const offset = other.offset - one.offset;
    pulls.push({ column: upperColumn, other: lowerColumn, offset, weight });
    pulls.push({ column: lowerColumn, other: upperColumn, offset: -offset, weight });
  }
  return pulls;
}

/** The part of a box that contains an item, and the item's offset from the part's origin. */
function standing(box: Box, item: LayoutItem): { readonly part: LayoutItem | Box; readonly offset: number } {
  const child = childTowards(box, item.box);
  if (child === undefined) return { part: item, offset: 0 };
  let offset = item.at;
  for (let at: Box = item.box; at !== child && at.parent !== undefined; at = at.parent) offset += at.at;
  return { part: child, offset };
}

/**
 * Links between neighbouring rows of one box that stay straight; `sequences` are the rows of that box. They cross neither
 * each other nor a box: then "left of" has no cycles, and all of them can be straight at once.
 */
function straightLinks(sequences: readonly Readonly<AcrossSequence>[], links: readonly EdgeLink[]): EdgeLink[] {
  const places = new Map<LayoutItem | Box, Map<number, number>>();
  for (const [row, sequence] of sequences.entries()) {
    for (const [index, part] of sequence.entries()) {
      const own = places.get(part) ?? new Map<number, number>();
      places.set(part, own.set(row, index));
    }
  }
  const rowOf = (item: LayoutItem): number => places.get(item)?.keys().next().value ?? -1;
  const byRow = new Map<number, EdgeLink[]>();
  for (const link of links) {
    if (!places.has(link.upper) || !places.has(link.lower) || !wantsStraight(link)) continue;
    const row = rowOf(link.upper);
    byRow.set(row, [...(byRow.get(row) ?? []), link]);
  }
  const placeIn = (part: LayoutItem | Box, row: number): number => places.get(part)?.get(row) ?? -1;
  const straight: EdgeLink[] = [];
  for (const [row, candidates] of byRow) {
    const fixed = (sequences[row] ?? []).filter((part) => !isItem(part) && placeIn(part, row + 1) >= 0);
    const pieces = fixed.map((box): LinkPiece => ({ upper: placeIn(box, row), lower: placeIn(box, row + 1) }));
    for (const link of candidates.sort((one, other) => urgency(other) - urgency(one))) {
      const piece = { upper: placeIn(link.upper, row), lower: placeIn(link.lower, row + 1) };
      if (pieces.some((other) => clash(piece, other))) continue;
      pieces.push(piece);
      straight.push(link);
    }
  }
  return straight;
}

interface LinkPiece {
  readonly upper: number;
  readonly lower: number;
}

/** They cross, or share a part that can be aligned with only one of them. */
const clash = (one: LinkPiece, other: LinkPiece): boolean => (one.upper - other.upper) * (one.lower - other.lower) <= 0;

const isBend = (item: LayoutItem): boolean => item.type === 'bend';

function wantsStraight({ upper, lower }: EdgeLink): boolean {
  if (isBend(upper) && isBend(lower)) return true;
  return upper.after.length === 1 && lower.before.length === 1;
}

/** The middles of long lines first: a bend in them is most visible. */
const urgency = ({ upper, lower }: EdgeLink): number => (isBend(upper) ? 2 : 0) + (isBend(lower) ? 2 : 0);
