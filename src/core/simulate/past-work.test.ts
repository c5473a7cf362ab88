import { expect, test } from 'vitest';
import { given } from '../engine/run.given.ts';
import { followWork, pastWorkOf } from './past-work.ts';

test('the work of a run is the same, whether its events come at once or one by one', () => {
  const run = given('a: { run: x }\nb: { needs: [a], run: x }');
  run.waits(10);
  run.says('a', 'done');
  const { add, work } = followWork();
  for (const event of run.log) add(event);
  const [first] = work.spans;
  expect(work.spans).toHaveLength(1);
  expect(first).toMatchObject({ task: 'a', startMs: 0, endMs: 10, ending: 'done' });
  const seen = run.log.length;
  run.waits(5);
  run.says('b', 'done');
  for (const event of run.log.slice(seen)) add(event);
  expect(work).toEqual(pastWorkOf(run.log));
  expect(work.spans.map(({ task }) => task)).toEqual(['a', 'b']);
});

test('turns whose agent reported a cost are kept', () => {
  const run = given('a: { prompt: x }\nb: { needs: [a], run: x }');
  const result = { ok: true, response: '', output: undefined, exitCode: undefined, commit: undefined };
  const spend = { usd: 0.3, tokens: 100 };
  run.hears({ type: 'finished', work: 'step', task: 'a', step: 'main', attempt: 1, spend, result });
  const [cost] = pastWorkOf(run.log).costs;
  expect(cost).toEqual({ task: 'a', step: 'main', agent: undefined, spend });
});
