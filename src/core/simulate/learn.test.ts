import { expect, test } from 'vitest';
import { given } from '../engine/run.given.ts';
import { estimateCheck, NOTHING_LEARNT } from './estimate.ts';
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

test('a check is expected to take what it took, and one that was never seen what the others did', () => {
  const run = given('a: { run: x, check: y }\nb: { run: x, check: y }\nc: { needs: [a, b], run: x, check: y }');
  for (const [task, ms] of [
    ['a', 4_000],
    ['b', 2_000],
  ] as const) {
    run.says(task, 'done');
    run.waits(ms);
    run.says(task, 'passed');
  }
  const learnt = learn(run.compiled, [run.log]);
  expect(['a', 'b', 'c'].map((path) => estimateCheck(path, learnt))).toEqual([4_000, 2_000, 3_000]);
  expect(estimateCheck('c', NOTHING_LEARNT)).toBe(60_000);
});
