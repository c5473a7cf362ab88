import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyHeap, emptyHeaps, pop, push, topItem, topKey } from './heap.ts';

const calls = fc.array(
  fc.oneof(
    fc.record({ heap: fc.nat({ max: 2 }), key: fc.integer({ min: 0, max: 9 }) }),
    fc.record({ heap: fc.nat({ max: 2 }), key: fc.constant(undefined) }),
  ),
  { maxLength: 60 },
);

test('many heaps in one behave like as many sorted lists', () => {
  fc.assert(
    fc.property(calls, (all) => {
      const heaps = emptyHeaps([60, 60, 0]);
      const sorted: { readonly key: number; readonly item: number }[][] = [[], [], []];
      all.forEach(({ heap, key }, item) => {
        const list = sorted[heap] ?? [];
        if (key === undefined) {
          expect(pop(heaps, heap)).toBe(list.shift()?.item ?? -1);
        } else {
          push(heaps, heap, item, key);
          list.push({ key, item });
          list.sort((one, other) => one.key - other.key || one.item - other.item);
        }
        expect(topItem(heaps, heap)).toBe(list[0]?.item ?? -1);
        expect(topKey(heaps, heap)).toBe(list[0]?.key ?? Infinity);
      });
    }),
  );
});

test('a single heap grows past its first capacity', () => {
  const heap = emptyHeap();
  for (let item = 0; item < 1000; item += 1) push(heap, 0, item, (item * 7) % 1000);
  const keys = Array.from({ length: 1000 }, () => (pop(heap, 0) * 7) % 1000);
  expect(keys).toEqual(keys.toSorted((one, other) => one - other));
  expect(pop(heap, 0)).toBe(-1);
});
