// Many small heaps of numbers in one array, the least number on top. Each heap's room is fixed when they are made.

import { at } from './at.ts';

export interface Heaps {
  readonly slots: Int32Array;
  /** Where each heap begins in `slots`. */
  readonly start: Int32Array;
  readonly size: Int32Array;
}

export function emptyHeaps(rooms: Int32Array): Heaps {
  const start = new Int32Array(rooms.length);
  let used = 0;
  for (let heap = 0; heap < rooms.length; heap += 1) {
    start[heap] = used;
    used += at(rooms, heap);
  }
  return { slots: new Int32Array(used), start, size: new Int32Array(rooms.length) };
}

/** The least number of a heap, or -1 when it is empty. */
export function topOf(heaps: Heaps, heap: number): number {
  return heaps.size[heap] === 0 ? -1 : at(heaps.slots, at(heaps.start, heap));
}

export function pushTo(heaps: Heaps, heap: number, value: number): void {
  const { slots } = heaps;
  const start = at(heaps.start, heap);
  let hole = at(heaps.size, heap);
  heaps.size[heap] = hole + 1;
  while (hole > 0) {
    const parent = (hole - 1) >> 1;
    const above = at(slots, start + parent);
    if (above <= value) break;
    slots[start + hole] = above;
    hole = parent;
  }
  slots[start + hole] = value;
}

/** Removes the least number of a heap that is not empty. */
export function dropTop(heaps: Heaps, heap: number): void {
  const { slots } = heaps;
  const start = at(heaps.start, heap);
  const size = at(heaps.size, heap) - 1;
  const value = at(slots, start + size);
  heaps.size[heap] = size;
  let hole = 0;
  let child = 1;
  while (child < size) {
    if (child + 1 < size && at(slots, start + child + 1) < at(slots, start + child)) child += 1;
    const below = at(slots, start + child);
    if (value <= below) break;
    slots[start + hole] = below;
    hole = child;
    child = 2 * hole + 1;
  }
  slots[start + hole] = value;
}
