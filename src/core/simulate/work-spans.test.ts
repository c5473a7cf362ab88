import { expect, test } from 'vitest';
import { given } from '../engine/run.given.ts';
import { workSpansOf } from './work-spans.ts';

test('every attempt, check and merge is a bar with how it ended', () => {
  const run = given('a: { prompt: x, check: t }\nb: { run: x, on_error: gate }\nc: { run: x }', {
    tree: 'auto',
    plan: 'attempts: 2',
  });
  run.waits(10);
  run.says('a', 'crashed');
  run.waits(1990);
  run.says('a', 'done');
  run.waits(100);
  run.says('a', 'failed');
  run.says('a', 'done', 'passed', 'outrun');
  run.waits(50);
  run.says('a', 'merged');
  run.says('b', 'failed');
  run.waits(5000);
  run.says('b', 'failed', 'approve');
  run.cancel('c');
  run.says('c', 'stopped');
  const drawn = workSpansOf(run.log).map(
    ({ type, task, startMs, endMs, ending }) => `${task} ${type} ${startMs}-${endMs} ${ending}`,
  );
  expect(drawn).toEqual([
    'a step 0-10 failed',
    'a step 2000-2000 done',
    'a check 2000-2100 failed',
    'a step 2100-2100 done',
    'a check 2100-2100 done',
    'a merge 2100-2100 cancelled',
    'a merge 2100-2150 done',
    'b step 0-2150 failed',
    'b step 7150-7150 done',
    'c step 0-7150 cancelled',
  ]);
});

test('a running claim has no span', () => {
  expect(workSpansOf(given('a: { run: x }').log)).toEqual([]);
  expect(workSpansOf([])).toEqual([]);
});
