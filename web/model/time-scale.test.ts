import { expect, test } from 'vitest';
import { timeScale } from './time-scale.ts';

const HOUR = 3_600_000;

test('an axis without gaps is even', () => {
  const { x, ms, gaps } = timeScale({ startMs: 0, endMs: 1000, width: 500, busy: [{ startMs: 0, endMs: 1000 }] });
  expect([x(0), x(500), x(1000)]).toEqual([0, 250, 500]);
  expect(Math.round(ms(250))).toBe(500);
  expect(gaps).toEqual([]);
});

test('a night without work takes a few pixels, and what follows keeps its order', () => {
  const busy = [
    { startMs: 0, endMs: HOUR },
    { startMs: 10 * HOUR, endMs: 11 * HOUR },
  ];
  const { x, gaps } = timeScale({ startMs: 0, endMs: 11 * HOUR, width: 622, busy });
  expect(gaps).toEqual([{ startMs: HOUR, endMs: 10 * HOUR }]);
  expect([x(0), x(HOUR), x(10 * HOUR), x(11 * HOUR)].map(Math.round)).toEqual([0, 300, 322, 622]);
});

test('a short gap stays as it is', () => {
  const busy = [
    { startMs: 0, endMs: 5000 },
    { startMs: 8000, endMs: 10_000 },
  ];
  expect(timeScale({ startMs: 0, endMs: 10_000, width: 100, busy }).gaps).toEqual([]);
});
