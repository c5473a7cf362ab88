// How deep each node of a directed graph lies when arrows point downwards. Loops are opened first: an arrow that leads
// back to where a walk in the given order is still busy counts as turned round. Linear, and without recursion.

export interface Arrow {
  readonly from: number;
  readonly to: number;
  /** How much deeper its end lies at least; 1 when absent. */
  readonly length?: number;
}

export interface Depths {
  /** 0 for what nothing leads to; else a length more than the deepest that leads to it. */
  readonly depth: Int32Array;
  /** 1 for each arrow that points upwards and was counted the other way round. */
  readonly turned: Uint8Array;
}

export function depthsOf(count: number, arrows: readonly Arrow[]): Depths {
  const leaving = byStart(count, arrows);
  const turned = turnBackArrows(count, arrows, leaving);
  return { depth: longestPaths(count, arrows, turned), turned };
}

interface Indexed {
  readonly start: Int32Array;
  readonly arrow: Int32Array;
}

function byStart(count: number, arrows: readonly Arrow[]): Indexed {
  const start = new Int32Array(count + 1);
  for (const { from } of arrows) start[from + 1] = (start[from + 1] ?? 0) + 1;
  for (let index = 0; index < count; index++) start[index + 1] = (start[index + 1] ?? 0) + (start[index] ?? 0);
  const arrow = new Int32Array(arrows.length);
  const next = start.slice();
  for (const [index, { from }] of arrows.entries()) {
    const at = next[from] ?? 0;
    arrow[at] = index;
    next[from] = at + 1;
  }
  return { start, arrow };
}

const UNSEEN = 0;
const BUSY = 1;
const LEFT = 2;

function turnBackArrows(count: number, arrows: readonly Arrow[], leaving: Indexed): Uint8Array {
  const turned = new Uint8Array(arrows.length);
  const seen = new Uint8Array(count);
  const next = leaving.start.slice();
  for (const root of rootsFirst(count, arrows)) {
    if (seen[root] !== UNSEEN) continue;
    const path = [root];
    seen[root] = BUSY;
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const position = next[at] ?? 0;
      if (position === leaving.start[at + 1]) {
        seen[at] = LEFT;
        path.pop();
        continue;
      }
      next[at] = position + 1;
      const index = leaving.arrow[position] ?? 0;
      const to = arrows[index]?.to ?? 0;
      if (seen[to] === BUSY) turned[index] = 1;
      if (seen[to] !== UNSEEN) continue;
      seen[to] = BUSY;
      path.push(to);
    }
  }
  return turned;
}

function rootsFirst(count: number, arrows: readonly Arrow[]): number[] {
  const entered = new Uint8Array(count);
  for (const { from, to } of arrows) if (from !== to) entered[to] = 1;
  const all = Array.from({ length: count }, (_, index) => index);
  return [...all.filter((index) => entered[index] === 0), ...all.filter((index) => entered[index] === 1)];
}

function longestPaths(count: number, arrows: readonly Arrow[], turned: Uint8Array): Int32Array {
  const downward = arrows
    .map((arrow, index) => (turned[index] === 1 ? { ...arrow, from: arrow.to, to: arrow.from } : arrow))
    .filter(({ from, to }) => from !== to);
  const leaving = byStart(count, downward);
  const missing = new Int32Array(count);
  for (const { to } of downward) missing[to] = (missing[to] ?? 0) + 1;
  const depth = new Int32Array(count);
  const free: number[] = [];
  for (let index = 0; index < count; index++) if (missing[index] === 0) free.push(index);
  for (let at = free.pop(); at !== undefined; at = free.pop()) {
    for (let position = leaving.start[at] ?? 0; position < (leaving.start[at + 1] ?? 0); position++) {
      const { to, length = 1 } = downward[leaving.arrow[position] ?? 0] ?? { to: 0 };
      depth[to] = Math.max(depth[to] ?? 0, (depth[at] ?? 0) + length);
      const left = (missing[to] ?? 0) - 1;
      missing[to] = left;
      if (left === 0) free.push(to);
    }
  }
  return depth;
}
