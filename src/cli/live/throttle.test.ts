import { expect, onTestFinished, test, vi } from 'vitest';
import { openThrottle, keepEta } from './throttle.ts';
import { PATIENCE_MS } from '../../../test/patience.given.ts';
import { given } from '../../core/engine/run.given.ts';

test('many changes at once are painted a few times, and the last of them is seen', async () => {
  let changes = 0;
  const seen: number[] = [];
  const throttle = openThrottle({ paint: () => void seen.push(changes), tick: () => {} });
  for (; changes < 1_000; changes += 1) {
    throttle.touch();
    if (changes % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throttle.touch();
  await vi.waitFor(() => expect(seen.at(-1)).toBe(1_000), { timeout: PATIENCE_MS });
  throttle.end();
  expect(seen.length).toBeLessThan(100);
});

test('a key is answered at once', () => {
  let painted = 0;
  const throttle = openThrottle({ paint: () => void (painted += 1), tick: () => {} });
  throttle.hurry();
  throttle.hurry();
  throttle.end();
  expect(painted).toBe(2);
});

test('the eta is not computed again at every tick, and earlier runs are read once', () => {
  const run = given('a: { run: x, estimate: 5m }');
  let reads = 0;
  const keeper = keepEta(() => {
    reads += 1;
    return [];
  });
  const present = { state: run.state(), events: run.log, now: run.now() };
  const first = keeper.current(present);
  expect(first?.chain).toEqual(['a']);
  expect(keeper.current({ ...present, now: run.now() + 1 })).toBe(first);
  expect(reads).toBe(1);
});

test('the eta is computed again soon, however long other programs kept the machine busy', () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  const run = given('a: { run: x, estimate: 5m }');
  const keeper = keepEta(() => {
    now += 3_600_000;
    return [];
  });
  const present = { state: run.state(), events: run.log, now: run.now() };
  const first = keeper.current(present);
  now += 60_000;
  expect(keeper.current({ ...present, now: run.now() + 1 })).not.toBe(first);
});
