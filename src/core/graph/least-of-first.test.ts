import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptySlots, leastOfFirst, setKey } from './least-of-first.ts';

test('finds the same as a plain scan, the first among equals, whatever was set before', () => {
  const change = fc.record({ slot: fc.nat(), key: fc.oneof(fc.nat(9), fc.constant(Infinity)), asked: fc.nat() });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.array(change, { maxLength: 60 }), (count, changes) => {
      const slots = emptySlots(count);
      const plain = Array.from({ length: count }, () => Infinity);
      for (const { slot, key, asked } of changes) {
        setKey(slots, slot % count, key);
        plain[slot % count] = key;
        const first = plain.slice(0, asked % (count + 1));
        const least = Math.min(...first);
        expect(leastOfFirst(slots, first.length)).toBe(least === Infinity ? -1 : first.indexOf(least));
      }
    }),
  );
});
