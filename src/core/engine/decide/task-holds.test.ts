import { describe, expect, test } from 'vitest';
import { explainTask } from '../../view/run/explain-task.ts';
import { amendIn } from '../amend.given.ts';
import { given, type Run } from '../run.given.ts';

const db = { plan: 'pools: { db: 1, ci: 2 }\nmax_parallel: 8' };
const two = (more = ''): string => `hold: { db: 1 }, steps: [{ id: p, run: x }, { id: q, run: x }]${more}`;

const waitOf = (run: Run, task: string): unknown => {
  const of = run.state().compiled.tasks.find((each) => each.task.path === task);
  return of === undefined
    ? undefined
    : explainTask(run.state(), of, { now: 0, given: { inputs: {}, env: {} }, expected: undefined }).waits[0];
};

describe('a task that holds a pool', () => {
  test('keeps other tasks with the same hold from opening until it ends, however many steps and checks it has', () => {
    const run = given(`a: { ${two(', check: t')} }\nb: { ${two()} }`, db);
    expect(run.claims()).toEqual(['a/p#1']);
    expect(waitOf(run, 'b')).toEqual({ type: 'hold', who: 'b', pool: 'db', task: 'a' });
    run.says('a/p', 'done');
    expect(run.claims()).toEqual(['a/q#1']);
    run.says('a/q', 'done');
    expect(run.claims()).toEqual(['a check#1']);
    run.says('a', 'passed');
    expect(run.claims()).toEqual(['b/p#1']);
    run.says('b/p', 'done');
    run.says('b/q', 'done');
    expect(run.endings()).toEqual({ a: 'done', b: 'done' });
  });

  test('keeps steps of other tasks from the pool, between its own steps too, and uses it for its own', () => {
    const run = given(
      `a: { hold: [db], steps: [{ id: p, run: x }, { id: q, run: x, pools: [db] }] }\nb: { run: x, pools: [db] }`,
      db,
    );
    expect(run.claims()).toEqual(['a/p#1']);
    expect(waitOf(run, 'b')).toEqual({ type: 'hold', who: 'b', pool: 'db', task: 'a' });
    run.says('a/p', 'done');
    expect(run.claims()).toEqual(['a/q#1']);
    run.says('a/q', 'done');
    expect(run.claims()).toEqual(['b#1']);
  });

  test('does not open while a step uses its pool, nor while it is paused', () => {
    const run = given(`b: { run: x, pools: [db] }\na: { needs: [c], ${two()} }\nc: { gate: Go? }`, db);
    run.hears({ type: 'answered', task: 'c', step: undefined, attempt: 1, answer: 'approve' });
    expect(run.claims()).toEqual(['b#1']);
    run.pause('a');
    run.says('b', 'done');
    expect(run.claims()).toEqual([]);
    run.resume('a');
    expect(run.claims()).toEqual(['a/p#1']);
  });

  test('gives the pool back however it ends: failed, cancelled, skipped, retried', () => {
    const failed = given(`a: { ${two()} }\nb: { ${two()} }`, { plan: `${db.plan}\nattempts: 1` });
    failed.says('a/p', 'failed');
    expect(failed.claims()).toEqual(['b/p#1']);
    failed.retry('a');
    expect(failed.claims()).toEqual(['b/p#1']);
    failed.says('b/p', 'done');
    failed.says('b/q', 'done');
    expect(failed.claims()).toEqual(['a/p#2']);
    const cancelled = given(`a: { ${two()} }\nb: { ${two()} }\nc: { ${two()} }`, db);
    cancelled.cancel('b');
    expect(cancelled.endings()).toMatchObject({ b: 'cancelled (cancelled)' });
    cancelled.cancel('a');
    cancelled.says('a/p', 'stopped');
    expect(cancelled.claims()).toEqual(['c/p#1']);
  });

  test('shares a pool with as many other tasks as fit', () => {
    const run = given(
      'a: { hold: { ci: 1 }, run: x }\nb: { hold: { ci: 1 }, run: x }\nc: { hold: { ci: 2 }, run: x }',
      db,
    );
    expect(run.claims()).toEqual(['a#1', 'b#1']);
    run.says('a', 'done');
    expect(run.claims()).toEqual(['b#1']);
    run.says('b', 'done');
    expect(run.claims()).toEqual(['c#1']);
  });

  test('goes first where an amended plan has made the pool too small for all open tasks', () => {
    const tasks = 'a: { hold: { ci: 1 }, steps: [{ id: p, run: x }, { id: q, run: x, pools: [ci] }] }';
    const both = `${tasks}\n${tasks.replace('a:', 'b:')}`;
    const run = given(both, db);
    amendIn(run, both, { plan: db.plan.replace('ci: 2', 'ci: 1') });
    run.says('a/p', 'done');
    run.says('b/p', 'done');
    expect(run.claims()).toEqual(['a/q#1']);
    run.says('a/q', 'done');
    expect(run.claims()).toEqual(['b/q#1']);
    run.says('b/q', 'done');
    expect(run.endings()).toEqual({ a: 'done', b: 'done' });
  });
});
