// A row of keys that finds all keys below a limit at a cost that grows with how many there are, and not with the row.

export interface MinTree {
  /** The number of leaves, a power of two. */
  readonly leaves: number;
  /** The key of node `at` is the least of the keys of nodes `2 at` and `2 at + 1`; the leaves come last. */
  readonly keys: Float64Array;
}

/** A row of this length whose keys are all Infinity. */
export function minTree(length: number): MinTree {
  let leaves = 1;
  while (leaves < length) leaves *= 2;
  return { leaves, keys: new Float64Array(2 * leaves).fill(Infinity) };
}

export function setTreeKey({ leaves, keys }: MinTree, index: number, key: number): void {
  let at = leaves + index;
  keys[at] = key;
  for (at >>= 1; at > 0; at >>= 1) {
    const least = Math.min(keys[2 * at] ?? Infinity, keys[2 * at + 1] ?? Infinity);
    if (keys[at] === least) return;
    keys[at] = least;
  }
}

/** The index of the first leaf below a node. */
function firstLeaf(node: number, leaves: number): number {
  let at = node;
  while (at < leaves) at *= 2;
  return at - leaves;
}

/** The indexes before `end` whose keys are below `limit`, in order. */
export function indexesBelow({ leaves, keys }: MinTree, limit: number, end: number): readonly number[] {
  const found: number[] = [];
  const pending = [1];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (!((keys[at] ?? Infinity) < limit)) continue;
    if (at >= leaves) found.push(at - leaves);
    else for (const child of [2 * at + 1, 2 * at]) if (firstLeaf(child, leaves) < end) pending.push(child);
  }
  return found;
}
