import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeAxis } from './time-axis.ts';

const at = (...times: readonly number[]) => times.map((time) => ({ at: time }));
const times = fc.array(fc.integer({ min: -5, max: 1e7 }), { minLength: 1, maxLength: 200 });

test('every position is found again, and later ones are further right', () => {
  fc.assert(
    fc.property(times, (waits) => {
      let now = 0;
      const axis = timeAxis(at(...waits.map((wait) => (now += wait))));
      let before = -1;
      for (let position = 1; position <= axis.length; position += 1) {
        const share = axis.shareOf(position);
        expect(share).toBeGreaterThan(before);
        expect(axis.positionAt(share)).toBe(position);
        before = share;
      }
    }),
  );
});

test('the axis begins at the first event and ends at the last', () => {
  const axis = timeAxis(at(100, 200, 400, 1000));
  expect(axis.shareOf(1)).toBe(0);
  expect(axis.shareOf(4)).toBeCloseTo(1);
  expect(axis.positionAt(0)).toBe(1);
  expect(axis.positionAt(1)).toBe(4);
});

test('a night without events takes little of the axis', () => {
  const day = Array.from({ length: 100 }, (_, index) => index * 1000);
  const night = 10 * 3_600_000;
  const axis = timeAxis(at(...day, ...day.map((time) => time + night)));
  expect(axis.gaps).toContain(100);
  expect(axis.shareOf(101) - axis.shareOf(100)).toBeLessThan(0.2);
});

test('events of one moment lie beside each other', () => {
  const axis = timeAxis(at(5, 5, 5));
  expect([1, 2, 3].map(axis.shareOf)).toEqual([0, 0.5, 1]);
});
