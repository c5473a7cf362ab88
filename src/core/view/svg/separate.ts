// Places values on a line as near as possible to their wanted positions, with minimum gaps between some of them: values
// that collide become a block, and a block goes to the weighted mean of its members' wishes.
//
// layout/Y6. Every gap holds at the end. The gaps form no cycle; one that would is left out.

export interface Gap {
  readonly left: number;
  readonly right: number;
  /** The least distance from left to right. */
  readonly least: number;
}

/** The order in which values may be placed, and the gaps that end at each; found once, used by every placing. */
export interface Gaps {
  readonly order: Int32Array;
  readonly endingAt: readonly (readonly Gap[])[];
}

export function prepareGaps(count: number, gaps: readonly Gap[]): Gaps {
  const endingAt: Gap[][] = Array.from({ length: count }, () => []);
  const startingAt: Gap[][] = Array.from({ length: count }, () => []);
  for (const gap of gaps) {
    endingAt[gap.right]?.push(gap);
    startingAt[gap.left]?.push(gap);
  }
  const missing = endingAt.map((list) => list.length);
  const order: number[] = [];
  const rank = new Int32Array(count).fill(count);
  for (let index = 0; index < count; index++) if (missing[index] === 0) order.push(index);
  for (const index of order) {
    for (const { right } of startingAt[index] ?? []) {
      const left = (missing[right] ?? 0) - 1;
      missing[right] = left;
      if (left === 0) order.push(right);
    }
  }
  for (const [position, index] of order.entries()) rank[index] = position;
  for (let index = 0; index < count; index++) if (rank[index] === count) rank[index] = order.push(index) - 1;
  const kept = endingAt.map((list) => list.filter((gap) => (rank[gap.left] ?? 0) < (rank[gap.right] ?? 0)));
  return { order: Int32Array.from(order), endingAt: kept };
}

interface SeparationBlock {
  members: number[];
  /** Gaps that end here and may begin in another block. */
  open: Gap[];
  weight: number;
  /** Sum of weight times (wanted place minus offset in the block). */
  pull: number;
}

export function separate(gaps: Gaps, wanted: Float64Array, weight: Float64Array): Float64Array {
  const blocks: SeparationBlock[] = [];
  const offset = new Float64Array(wanted.length);
  const place = (index: number): number => {
    const block = blocks[index];
    return block === undefined ? 0 : block.pull / block.weight + (offset[index] ?? 0);
  };
  for (const index of gaps.order) {
    const own = weight[index] ?? 1;
    blocks[index] = {
      members: [index],
      open: [...(gaps.endingAt[index] ?? [])],
      weight: own,
      pull: own * (wanted[index] ?? 0),
    };
    for (let gap = worstGap(blocks, index, place); gap !== undefined; gap = worstGap(blocks, index, place)) {
      mergeAcross({ gap, blocks, offset });
    }
  }
  return wanted.map((_, index) => place(index));
}

const TOLERANCE = 1e-7;

function worstGap(
  blocks: readonly SeparationBlock[],
  index: number,
  place: (index: number) => number,
): Gap | undefined {
  const block = blocks[index];
  if (block === undefined) return undefined;
  block.open = block.open.filter((gap) => blocks[gap.left] !== block);
  let worst: Gap | undefined;
  let lack = TOLERANCE;
  for (const gap of block.open) {
    const missing = place(gap.left) + gap.least - place(gap.right);
    if (missing <= lack) continue;
    lack = missing;
    worst = gap;
  }
  return worst;
}

interface BlockMerging {
  readonly gap: Gap;
  readonly blocks: SeparationBlock[];
  readonly offset: Float64Array;
}

function mergeAcross({ gap, blocks, offset }: BlockMerging): void {
  const left = blocks[gap.left];
  const right = blocks[gap.right];
  if (left === undefined || right === undefined) return;
  const shift = (offset[gap.left] ?? 0) + gap.least - (offset[gap.right] ?? 0);
  // The smaller block moves into the larger, so that each member moves only a few times.
  const [into, from, by] = left.members.length >= right.members.length ? [left, right, shift] : [right, left, -shift];
  for (const member of from.members) {
    offset[member] = (offset[member] ?? 0) + by;
    blocks[member] = into;
    into.members.push(member);
  }
  for (const open of from.open) into.open.push(open);
  into.pull += from.pull - from.weight * by;
  into.weight += from.weight;
}
