// Chooses the pieces of lines to draw straight. They must cross neither each other nor a box: then "left of" has no
// cycles, and all of them can be straight at once.

import type { Box, LayoutItem, EdgeLink } from './sketch.ts';

type LinkSequence = readonly (LayoutItem | Box)[];

const isItem = (part: LayoutItem | Box): part is LayoutItem => 'index' in part;

/** Links between neighbouring rows of one box that stay straight; `sequences` are the rows of that box. */
export function straightLinks(sequences: readonly LinkSequence[], links: readonly EdgeLink[]): EdgeLink[] {
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
