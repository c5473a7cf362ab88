import fc from 'fast-check';
import { expect, test } from 'vitest';
import { depthsOf } from './depth.ts';

test('a node lies below the deepest that leads to it', () => {
  const { depth, turned } = depthsOf(4, [
    { from: 0, to: 1 },
    { from: 1, to: 2 },
    { from: 0, to: 2 },
    { from: 2, to: 3, length: 0 },
  ]);
  expect([...depth]).toEqual([0, 1, 2, 2]);
  expect([...turned]).toEqual([0, 0, 0, 0]);
});

test('a loop is opened where a walk from its entrance comes back', () => {
  const { depth, turned } = depthsOf(3, [
    { from: 1, to: 2 },
    { from: 2, to: 1 },
    { from: 0, to: 1 },
  ]);
  expect([...depth]).toEqual([0, 1, 2]);
  expect([...turned]).toEqual([0, 1, 0]);
});

test('every arrow points down after turning, on any graph', () => {
  const graph = fc.integer({ min: 1, max: 12 }).chain((count) => {
    const end = fc.integer({ min: 0, max: count - 1 });
    return fc.record({
      count: fc.constant(count),
      arrows: fc.array(fc.record({ from: end, to: end }), { maxLength: 40 }),
    });
  });
  fc.assert(
    fc.property(graph, ({ count, arrows }) => {
      const { depth, turned } = depthsOf(count, arrows);
      for (const [index, { from, to }] of arrows.entries()) {
        if (from === to) continue;
        const fall = (depth[to] ?? 0) - (depth[from] ?? 0);
        expect(turned[index] === 1 ? -fall : fall).toBeGreaterThanOrEqual(1);
      }
    }),
  );
});
