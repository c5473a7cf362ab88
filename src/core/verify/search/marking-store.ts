// The markings found so far, each once, in the order of discovery.
//
// marking-store/M1. A marking is packed: one byte per place while no place holds more than 255 tokens, else one word
//   per place.
// marking-store/M2. Index 0 is the initial marking; `parent` and `by` lead back to it, by a shortest path in a
//   breadth-first search.
//
// Arrays grow by doubling and are mutated.

import { at } from '../../assert.ts';

export const BYTE = 8;
export const WORD = 32;
const BYTE_MOST = 255;
/** The highest count of tokens that the store can represent. */
export const WORD_MOST = 0x7fffffff;
export const NO_MARKING = -1;

export interface MarkingStore {
  readonly placeCount: number;
  readonly bits: typeof BYTE | typeof WORD;
  /** Words per marking. */
  readonly width: number;
  words: Int32Array;
  parent: Int32Array;
  by: Int32Array;
  /** The total number of tokens of a marking. */
  sum: Int32Array;
  count: number;
  table: Int32Array;
  readonly packed: Int32Array;
}

const ROOM_AT_FIRST = 64;

export function markingStore(placeCount: number, bits: typeof BYTE | typeof WORD): MarkingStore {
  const width = Math.max(1, Math.ceil((placeCount * bits) / WORD));
  return {
    placeCount,
    bits,
    width,
    words: new Int32Array(width * ROOM_AT_FIRST),
    parent: new Int32Array(ROOM_AT_FIRST),
    by: new Int32Array(ROOM_AT_FIRST),
    sum: new Int32Array(ROOM_AT_FIRST),
    count: 0,
    table: new Int32Array(4 * ROOM_AT_FIRST).fill(NO_MARKING),
    packed: new Int32Array(width),
  };
}

/** Whether a marking can be packed at this width (marking-store/M1). A count that overflowed its word is negative. */
export function fitsWidth(store: MarkingStore, marking: Int32Array): boolean {
  const most = store.bits === WORD ? WORD_MOST : BYTE_MOST;
  for (const tokens of marking) if (tokens > most || tokens < 0) return false;
  return true;
}

export interface MarkingStep {
  readonly parent: number;
  readonly by: number;
}

/** The index of a marking; equal to the old count when the marking is new. */
export function meet(store: MarkingStore, marking: Int32Array, { parent, by }: MarkingStep): number {
  const sum = pack(store, marking);
  const slot = slotOf(store);
  const known = at(store.table, slot);
  if (known !== NO_MARKING) return known;
  if (store.count === store.parent.length) grow(store);
  const index = store.count;
  store.table[slot] = index;
  store.words.set(store.packed, index * store.width);
  store.parent[index] = parent;
  store.by[index] = by;
  store.sum[index] = sum;
  store.count += 1;
  if (2 * store.count > store.table.length) rehash(store);
  return index;
}

function pack(store: MarkingStore, marking: Int32Array): number {
  const { packed } = store;
  let sum = 0;
  if (store.bits === WORD) {
    for (let place = 0; place < marking.length; place += 1) {
      packed[place] = at(marking, place);
      sum += at(marking, place);
    }
    return sum;
  }
  packed.fill(0);
  for (let place = 0; place < marking.length; place += 1) {
    const tokens = at(marking, place);
    if (tokens === 0) continue;
    const word = place >> 2;
    packed[word] = at(packed, word) | (tokens << (BYTE * (place & 3)));
    sum += tokens;
  }
  return sum;
}

/** Unpacks a stored marking into `into`. */
export function unpack(store: MarkingStore, index: number, into: Int32Array): void {
  const begin = index * store.width;
  for (let place = 0; place < store.placeCount; place += 1) into[place] = tokensAt(store, begin, place);
}

function tokensAt(store: MarkingStore, begin: number, place: number): number {
  if (store.bits === WORD) return at(store.words, begin + place);
  return (at(store.words, begin + (place >> 2)) >>> (BYTE * (place & 3))) & BYTE_MOST;
}

/** Whether marking `larger` holds at least as many tokens as `smaller` in every place. */
export function covers(store: MarkingStore, larger: number, smaller: number): boolean {
  const large = larger * store.width;
  const small = smaller * store.width;
  for (let place = 0; place < store.placeCount; place += 1) {
    if (tokensAt(store, large, place) < tokensAt(store, small, place)) return false;
  }
  return true;
}

/** The transitions that lead from the initial marking to this one. */
export function traceTo(store: MarkingStore, index: number): number[] {
  const trace: number[] = [];
  for (let here = index; at(store.parent, here) !== NO_MARKING; here = at(store.parent, here))
    trace.push(at(store.by, here));
  return trace.reverse();
}

function slotOf(store: MarkingStore): number {
  const mask = store.table.length - 1;
  let slot = hashOf(store.packed, 0, store.width) & mask;
  for (let known = at(store.table, slot); known !== NO_MARKING; known = at(store.table, slot)) {
    if (isPacked(store, known)) return slot;
    slot = (slot + 1) & mask;
  }
  return slot;
}

function isPacked({ words, packed, width }: MarkingStore, index: number): boolean {
  const begin = index * width;
  for (let word = 0; word < width; word += 1) if (words[begin + word] !== packed[word]) return false;
  return true;
}

function hashOf(words: Int32Array, begin: number, width: number): number {
  let hash = 0x811c9dc5;
  for (let word = 0; word < width; word += 1) {
    hash = Math.imul(hash ^ at(words, begin + word), 0x01000193);
    hash ^= hash >>> 15;
  }
  return Math.imul(hash, 0x2c1b3c6d) >>> 1;
}

function rehash(store: MarkingStore): void {
  store.table = new Int32Array(4 * store.table.length).fill(NO_MARKING);
  const mask = store.table.length - 1;
  for (let index = 0; index < store.count; index += 1) {
    let slot = hashOf(store.words, index * store.width, store.width) & mask;
    while (at(store.table, slot) !== NO_MARKING) slot = (slot + 1) & mask;
    store.table[slot] = index;
  }
}

function grow(store: MarkingStore): void {
  const larger = (array: Int32Array): Int32Array => {
    const room = new Int32Array(2 * array.length);
    room.set(array);
    return room;
  };
  store.words = larger(store.words);
  store.parent = larger(store.parent);
  store.by = larger(store.by);
  store.sum = larger(store.sum);
}
