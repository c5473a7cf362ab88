import { expect, test } from 'vitest';
import { given } from '../../core/engine/run.given.ts';
import { figuresOf } from './demo-project.ts';

test('figures of a run count what overlapped, what failed and what was spent', () => {
  const run = given('a: { prompt: x, check: t }\nb: { prompt: x }\nc: { needs: [a, b], prompt: x }', {
    plan: 'budget: { usd: 2 }\nattempts: 2',
  });
  run.waits(1000);
  run.says('b', { said: { ok: true }, spend: { usd: 0.25, tokens: 1 } });
  run.waits(1000);
  run.says('a', { said: { ok: true }, spend: { usd: 0.5, tokens: 1 } });
  run.waits(500);
  run.says('a', 'failed');
  run.waits(1000);
  run.says('a', { said: { ok: true }, spend: { usd: 0.5, tokens: 1 } }, 'passed');
  run.waits(3000);
  run.says('c', { said: { ok: true }, spend: { usd: 0.25, tokens: 1 } });
  expect(run.isEnded()).toBe(true);
  expect(figuresOf(run.state(), run.log)).toEqual({
    tasks: 3,
    tasksDone: 3,
    tookMs: 6500,
    serialMs: 1000 + 2000 + 500 + 1000 + 3000,
    speedUp: 7500 / 6500,
    peak: 2,
    checksFailed: [{ task: 'a', said: 'tail' }],
    conflicts: [],
    usdSpent: 1.5,
    usdCeiling: 2,
  });
});

test('what begins when another ends does not overlap it', () => {
  const run = given('a: { run: x }\nb: { needs: [a], run: x }');
  run.waits(10);
  run.says('a', 'done');
  run.waits(10);
  run.says('b', 'done');
  expect(figuresOf(run.state(), run.log)).toMatchObject({ peak: 1, serialMs: 20, tookMs: 20 });
});

test('a conflict is told with whom and where', () => {
  const run = given('a: { prompt: x }\nb: { prompt: x }', { tree: 'auto', base: 'c0' });
  run.says('a', 'done', 'merged');
  run.says('b', 'done', { conflictsWith: ['a'] });
  expect(figuresOf(run.state(), run.log).conflicts).toMatchObject([{ task: 'b', with: ['a'] }]);
});
