import { expect, test } from 'vitest';
import { given } from '../../core/engine/run.given.ts';
import { keepEta } from './keep-eta.ts';

test('the eta is not computed again at every tick, and earlier runs are read once', () => {
  const run = given('a: { run: x, estimate: 5m }');
  let reads = 0;
  const keeper = keepEta(run.compiled, () => {
    reads += 1;
    return [];
  });
  const first = keeper.current(run.log, run.now());
  expect(first?.chain).toEqual(['a']);
  expect(keeper.current(run.log, run.now() + 1)).toBe(first);
  expect(reads).toBe(1);
});
