import { expect, test } from 'vitest';
import { given } from '../engine/run.given.ts';
import { learn } from './learn.ts';

function history(...ms: readonly number[]) {
  const run = given('a: { prompt: x }\nb: { needs: [a], run: x }');
  const [first = 0, second = 0] = ms;
  run.waits(first);
  run.says('a', 'done');
  run.waits(second);
  run.says('b', 'done');
  return run;
}

test('a step is expected to take the median of what it took, and so is its agent', () => {
  const runs = [history(1_000, 10), history(9_000, 30), history(2_000, 20)];
  const learnt = learn(
    history().compiled,
    runs.map(({ log }) => log),
  );
  expect([...learnt.steps]).toEqual([
    ['a/main', 2_000],
    ['b/main', 20],
  ]);
  expect([...learnt.agents]).toEqual([['ai', 2_000]]);
});

test('an attempt that failed teaches nothing', () => {
  const run = given('a: { run: x }', { plan: 'attempts: 2' });
  run.waits(50_000);
  run.says('a', 'failed');
  run.waits(10_000);
  run.says('a', 'done');
  expect(learn(run.compiled, [run.log]).steps.get('a/main')).toBe(0);
});
