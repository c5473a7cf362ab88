// A binary heap of whole numbers whose order lies in an array of keys beside it: the least key comes out first.
//
// H1. An item's key does not change while it is in a heap.

export type Heap = number[];

/** Changes the heap in place; heaps live inside one schedule and nobody else sees them. */
export function push(heap: Heap, item: number, keys: Float64Array): void {
  const key = keys[item] ?? 0;
  let hole = heap.length;
  heap.push(item);
  while (hole > 0) {
    const parent = (hole - 1) >> 1;
    const above = heap[parent] ?? 0;
    if ((keys[above] ?? 0) <= key) break;
    heap[hole] = above;
    hole = parent;
  }
  heap[hole] = item;
}

/** Takes out the item of least key; undefined when the heap is empty. */
export function pop(heap: Heap, keys: Float64Array): number | undefined {
  const top = heap[0];
  const moved = heap.pop();
  if (moved === undefined || heap.length === 0) return top;
  const key = keys[moved] ?? 0;
  let hole = 0;
  for (let child = 1; child < heap.length; child = 2 * hole + 1) {
    const right = child + 1;
    if (right < heap.length && (keys[heap[right] ?? 0] ?? 0) < (keys[heap[child] ?? 0] ?? 0)) child = right;
    const below = heap[child] ?? 0;
    if ((keys[below] ?? 0) >= key) break;
    heap[hole] = below;
    hole = child;
  }
  heap[hole] = moved;
  return top;
}
