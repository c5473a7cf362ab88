// A queue of future items, earliest first; items with equal times keep the order in which they were added.

import { emptyHeap, pop, push, topKey } from '../graph/heap.ts';

export interface TimedQueue<Item> {
  add(at: number, item: Item): void;
  /** Removes and returns all items with the earliest time; undefined when the queue is empty. */
  next(): { readonly at: number; readonly items: readonly Item[] } | undefined;
}

export function timedQueue<Item>(): TimedQueue<Item> {
  const heap = emptyHeap();
  // Items by serial number; the heap breaks ties by that number.
  const waiting = new Map<number, Item>();
  let serial = 0;
  return {
    add: (at, item) => {
      push(heap, 0, serial, at);
      waiting.set(serial, item);
      serial += 1;
    },
    next: () => {
      if (waiting.size === 0) return undefined;
      const at = topKey(heap, 0);
      const items: Item[] = [];
      while (topKey(heap, 0) === at && waiting.size > 0) {
        const first = pop(heap, 0);
        const item = waiting.get(first);
        waiting.delete(first);
        if (item !== undefined) items.push(item);
      }
      return { at, items };
    },
  };
}
