import { expect, test } from 'vitest';
import { given } from '../../src/core/engine/run.given.ts';
import { statusOf } from '../../src/core/view/run/run-status.ts';
import { claimSpans } from '../../src/core/view/report/claim-spans.ts';
import { poolRows, type PoolRow } from './pool-rows.ts';
import { rowsByPool } from './rows-by-pool.ts';

function rowsOf(run: ReturnType<typeof given>): readonly PoolRow[] {
  const state = run.state();
  return poolRows(state, statusOf(state, { now: run.now(), given: { inputs: {}, env: {} } }));
}

test('a pool names the steps that hold it, since when, and who waits', () => {
  const run = given('a: { run: x, pool: ci }\nb: { run: x, pool: ci }', { plan: 'pools: { ci: 1 }' });
  expect(rowsOf(run)).toMatchObject([
    { name: 'ci', size: 1, held: 1, holders: [{ task: 'a', step: 'main', tokens: 1 }], waiting: [{ task: 'b' }] },
  ]);
});

test('a turn on a conflict holds the pool of its agent alone', () => {
  const plan = 'pools: { models: 2, db: 1 }\nagents: { ai: { use: scripted, pool: models } }';
  const task = '{ agent: ai, prompt: x, pools: [db] }';
  const run = given(`a: ${task}\nb: ${task}`, { plan, tree: 'auto', base: 'base' });
  run.says('a', 'done', { conflictsWith: [] });
  run.waits(9);
  const [models, db] = rowsOf(run);
  expect(models).toMatchObject({
    held: 2,
    holders: [
      { task: 'b', step: 'main' },
      { task: 'a', step: 'resolve' },
    ],
  });
  expect(db).toMatchObject({ held: 1, holders: [{ task: 'b', step: 'main' }] });
  const { compiled } = run.state();
  const spans = claimSpans(compiled, run.log);
  const rows = rowsByPool({ compiled, spans, forecast: [], nowMs: 9, wholeMs: 9 });
  expect(rows.map(({ label }) => label)).toEqual(['models 1', 'models 2', 'db 1', 'merges 1']);
});

test('a task that holds a pool over all of its steps is named between them', () => {
  const steps = 'steps: [{ id: one, run: x }, { id: two, run: x, pool: ci }]';
  const run = given(`a: { hold: { ci: 1 }, ${steps} }\nb: { run: x, pool: ci }`, { plan: 'pools: { ci: 1 }' });
  expect(rowsOf(run)).toMatchObject([{ held: 1, holders: [{ task: 'a', step: 'the whole task', tokens: 1 }] }]);
  run.says('a/one', 'done');
  expect(rowsOf(run)).toMatchObject([{ held: 1, holders: [{ task: 'a', step: 'two', tokens: 1 }] }]);
});
