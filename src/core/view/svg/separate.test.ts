import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prepareGaps, separate } from './separate.ts';
import type { Gap } from './separate.ts';

const place = (wanted: readonly number[], gaps: readonly Gap[]): number[] => [
  ...separate(prepareGaps(wanted.length, gaps), Float64Array.from(wanted), new Float64Array(wanted.length).fill(1)),
];

test('values with room enough stay where they want to be', () => {
  expect(place([0, 10], [{ left: 0, right: 1, least: 5 }])).toEqual([0, 10]);
});

test('values that press on each other share the way', () => {
  expect(
    place(
      [0, 0, 0],
      [
        { left: 0, right: 1, least: 6 },
        { left: 1, right: 2, least: 6 },
      ],
    ),
  ).toEqual([-6, 0, 6]);
});

test('a circle of gaps is opened instead of pushing for ever', () => {
  expect(
    place(
      [0, 0],
      [
        { left: 0, right: 1, least: 2 },
        { left: 1, right: 0, least: 2 },
      ],
    ),
  ).toHaveLength(2);
});

test('every gap holds at the end, whatever is wanted (layout/Y6)', () => {
  const wishes = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 12 });
  const pairs = fc.array(fc.tuple(fc.nat({ max: 11 }), fc.nat({ max: 11 }), fc.nat({ max: 20 })), { maxLength: 30 });
  fc.assert(
    fc.property(wishes, pairs, (wanted, list) => {
      const gaps = list
        .filter(([one, other]) => one !== other && Math.max(one, other) < wanted.length)
        .map(([one, other, least]) => ({ left: Math.min(one, other), right: Math.max(one, other), least }));
      const places = place(wanted, gaps);
      for (const { left, right, least } of gaps)
        expect((places[right] ?? 0) - (places[left] ?? 0)).toBeGreaterThanOrEqual(least - 1e-5);
    }),
  );
});
