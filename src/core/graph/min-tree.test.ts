import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexesBelow, minTree, setTreeKey } from './min-tree.ts';

test('a row finds the keys below a limit that a plain search finds', () => {
  const key = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constant(Infinity));
  const changes = fc.array(fc.tuple(fc.nat(12), key), { maxLength: 60 });
  fc.assert(
    fc.property(changes, fc.integer({ min: 0, max: 21 }), fc.nat(13), (changed, limit, end) => {
      const tree = minTree(13);
      const keys: number[] = Array.from({ length: 13 }, () => Infinity);
      for (const [index, value] of changed) {
        keys[index] = value;
        setTreeKey(tree, index, value);
      }
      const expected = keys.flatMap((value, index) => (value < limit && index < end ? [index] : []));
      expect(indexesBelow(tree, limit, end)).toEqual(expected);
    }),
  );
});
