// Binary heaps of numbered items, the least key on top and among equal keys the lowest item. Many small heaps share
// one set of arrays, each with a fixed capacity; only the last one grows.

export interface Heaps {
  keys: Float64Array;
  items: Int32Array;
  /** The first index of each heap in `keys` and `items`. */
  readonly start: Int32Array;
  readonly size: Int32Array;
}

const FIRST_CAPACITY = 16;

/** One empty heap for each capacity. */
export function emptyHeaps(capacities: ArrayLike<number>): Heaps {
  const start = new Int32Array(capacities.length);
  let used = 0;
  for (let heap = 0; heap < capacities.length; heap += 1) {
    start[heap] = used;
    used += capacities[heap] ?? 0;
  }
  return {
    keys: new Float64Array(used),
    items: new Int32Array(used),
    start,
    size: new Int32Array(capacities.length),
  };
}

/** A single heap, whose number is 0. */
export const emptyHeap = (): Heaps => emptyHeaps([FIRST_CAPACITY]);

/** The item on top, or -1 when the heap is empty. */
export function topItem({ items, start, size }: Heaps, heap: number): number {
  return size[heap] === 0 ? -1 : (items[start[heap] ?? 0] ?? -1);
}

/** The least key, or Infinity when the heap is empty. */
export function topKey({ keys, start, size }: Heaps, heap: number): number {
  return size[heap] === 0 ? Infinity : (keys[start[heap] ?? 0] ?? Infinity);
}

export function push(heaps: Heaps, heap: number, item: number, key: number): void {
  const start = heaps.start[heap] ?? 0;
  let hole = heaps.size[heap] ?? 0;
  heaps.size[heap] = hole + 1;
  if (start + hole === heaps.items.length) grow(heaps);
  const { keys, items } = heaps;
  while (hole > 0) {
    const parent = (hole - 1) >> 1;
    const above = keys[start + parent] ?? 0;
    if (above < key || (above === key && (items[start + parent] ?? 0) < item)) break;
    keys[start + hole] = above;
    items[start + hole] = items[start + parent] ?? 0;
    hole = parent;
  }
  keys[start + hole] = key;
  items[start + hole] = item;
}

function grow(heaps: Heaps): void {
  const capacity = Math.max(FIRST_CAPACITY, 2 * heaps.items.length);
  const { keys, items } = heaps;
  heaps.keys = new Float64Array(capacity);
  heaps.keys.set(keys);
  heaps.items = new Int32Array(capacity);
  heaps.items.set(items);
}

/** Takes the top item out; -1 when the heap is empty. */
export function pop(heaps: Heaps, heap: number): number {
  const { keys, items } = heaps;
  const size = (heaps.size[heap] ?? 0) - 1;
  if (size < 0) return -1;
  const start = heaps.start[heap] ?? 0;
  const top = items[start] ?? -1;
  heaps.size[heap] = size;
  const key = keys[start + size] ?? 0;
  const item = items[start + size] ?? 0;
  let hole = 0;
  for (let child = 1; child < size; child = 2 * hole + 1) {
    if (child + 1 < size && isBefore(heaps, start + child + 1, start + child)) child += 1;
    const below = keys[start + child] ?? 0;
    const itemBelow = items[start + child] ?? 0;
    if (key < below || (key === below && item < itemBelow)) break;
    keys[start + hole] = below;
    items[start + hole] = itemBelow;
    hole = child;
  }
  keys[start + hole] = key;
  items[start + hole] = item;
  return top;
}

function isBefore({ keys, items }: Heaps, one: number, other: number): boolean {
  const left = keys[one] ?? 0;
  const right = keys[other] ?? 0;
  return left < right || (left === right && (items[one] ?? 0) < (items[other] ?? 0));
}
