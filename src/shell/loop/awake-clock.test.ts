import { afterEach, expect, test, vi } from 'vitest';
import { awakeClock } from './awake-clock.ts';

afterEach(() => void vi.useRealTimers());

test('time in which the process did not run is left out, and all other time counts (awake-clock/A1)', () => {
  vi.useFakeTimers();
  const world = { passed: 0 };
  const clock = awakeClock({ now: () => 0, monotonic: () => world.passed });
  const run = (ms: number): void => {
    for (let left = ms; left > 0; left -= 1_000) {
      world.passed += 1_000;
      vi.advanceTimersByTime(1_000);
    }
  };
  run(60_000);
  expect(clock.monotonic()).toBe(60_000);
  world.passed += 3_600_000;
  expect(clock.monotonic()).toBe(60_000);
  run(30_000);
  expect(clock.monotonic()).toBe(90_000);
  clock.close();
  expect(vi.getTimerCount()).toBe(0);
});
