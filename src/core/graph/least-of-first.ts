// Keys in numbered slots, and the slot with the least key among the first few, in logarithmic time: a tree of minima.

export interface LeastOfFirst {
  /** The slots at the bottom of the tree: a power of two. */
  readonly room: number;
  /** Node 1 is the root, the children of node `n` are `2n` and `2n + 1`, slot `s` is node `room + s`. */
  readonly keys: Float64Array;
}

/** Every slot is empty: its key is Infinity. */
export function emptySlots(count: number): LeastOfFirst {
  const room = 2 ** Math.ceil(Math.log2(Math.max(1, count)));
  return { room, keys: new Float64Array(2 * room).fill(Infinity) };
}

export function setKey({ room, keys }: LeastOfFirst, slot: number, key: number): void {
  let node = room + slot;
  keys[node] = key;
  for (node >>= 1; node > 0; node >>= 1) {
    const least = Math.min(keys[2 * node] ?? Infinity, keys[2 * node + 1] ?? Infinity);
    if (keys[node] === least) return;
    keys[node] = least;
  }
}

/** The slot with the least key among the first `count`, -1 when all of them are empty. */
export function leastOfFirst({ room, keys }: LeastOfFirst, count: number): number {
  let best = 0;
  let least = Infinity;
  // The nodes whose slots make up the first `count`, from right to left.
  let node = room + Math.min(count, room);
  if (node === 2 * room) [node, best, least] = [1, 1, keys[1] ?? Infinity];
  for (; node > 1; node >>= 1) {
    const key = keys[node - 1] ?? Infinity;
    if ((node & 1) === 1 && key <= least && key < Infinity) [best, least] = [node - 1, key];
  }
  if (least === Infinity) return -1;
  while (best < room) best = keys[2 * best] === least ? 2 * best : 2 * best + 1;
  return best - room;
}
