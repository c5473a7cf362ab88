import { expect, test } from 'vitest';
import { steadyClock } from './steady-clock.ts';

const given = (noEarlierThan = 0) => {
  const world = { wall: 1_000, passed: 0 };
  const clock = steadyClock({ now: () => world.wall, monotonic: () => world.passed }, noEarlierThan);
  return { world, clock };
};

test('the time of a run follows the clock forwards', () => {
  const { world, clock } = given();
  world.wall = 5_000;
  world.passed = 10;
  expect(clock()).toBe(5_000);
});

test('a clock that is set back does not hold the time of a run up', () => {
  const { world, clock } = given();
  world.wall = -3_600_000;
  world.passed = 250;
  expect(clock()).toBe(1_250);
  world.passed = 400;
  expect(clock()).toBe(1_400);
});

test('a run that starts again begins no earlier than its latest event, and time passes from there', () => {
  const { world, clock } = given(50_000);
  expect(clock()).toBe(50_000);
  world.passed = 70;
  expect(clock()).toBe(50_070);
});
