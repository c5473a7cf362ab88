import { describe, expect, test } from 'vitest';
import { MERGE_WINDOW } from '../../compile/resources.ts';
import { given, type Run } from '../../engine/run.given.ts';
import { taskNamed } from '../../engine/facts.ts';
import { explainTask, type Explanation } from './explain-task.ts';
import type { Wait } from './wait.ts';

const GIVEN = { inputs: {}, env: {} };

const explained = (run: Run, task: string): Explanation =>
  explainTask(run.state(), taskNamed(run.compiled, task), { now: run.now(), given: GIVEN, expected: undefined });

const waitsOf = (run: Run, task: string): readonly Wait[] => explained(run, task).waits;

describe('a task waits for', () => {
  test('the needs that have not ended, and behind them all that these need', () => {
    const run = given(
      'a: { run: x }\nb: { needs: [a], run: x }\nc: { run: x }\nd: { needs: [b, c], run: x }\ne: { run: x }',
    );
    run.says('c', 'done');
    const { waits, behind, state, stage } = explained(run, 'd');
    expect({ state, stage }).toEqual({ state: 'pending', stage: 'waiting' });
    expect(waits).toMatchObject([{ type: 'needs', who: 'd', needed: 1, of: [{ task: 'b', stage: 'waiting' }] }]);
    expect(behind).toMatchObject([
      { task: 'b', stage: 'waiting' },
      { task: 'a', stage: 'working', state: 'running' },
    ]);
  });

  test('fewer than all of its needs when the plan says so', () => {
    const run = given(
      'a: { run: x }\nb: { run: x }\nc: { run: x }\nd: { needs: { at_least: 2, of: [a, b, c] }, run: x }',
    );
    run.says('b', 'done');
    expect(waitsOf(run, 'd')).toMatchObject([{ type: 'needs', needed: 1, of: [{ task: 'a' }, { task: 'c' }] }]);
  });

  test('a subplan that has not opened, and its needs', () => {
    const run = given('a: { run: x }\ns:\n  needs: [a]\n  tasks:\n    p: { run: x }\n    q: { needs: [p], run: x }');
    expect(waitsOf(run, 's.q')).toMatchObject([
      { type: 'needs', who: 's.q', of: [{ task: 's.p' }] },
      { type: 'subplan', who: 's.q', task: 's' },
      { type: 'needs', who: 's', of: [{ task: 'a', stage: 'working' }] },
    ]);
    expect(explained(run, 's.q').behind.map(({ task }) => task)).toEqual(['s.p', 'a']);
    run.says('a', 'done');
    expect(waitsOf(run, 's')).toMatchObject([{ type: 'inside', of: [{ task: 's.p' }, { task: 's.q' }] }]);
  });

  test('slots of caps and tokens of pools, with their holders', () => {
    const run = given(
      's:\n  max_parallel: 1\n  tasks:\n    a: { run: x }\n    b: { run: x, pools: { p: 2 } }\nc: { run: x, pools: [p] }',
      {
        plan: 'pools: { p: 2 }\nmax_parallel: 2',
      },
    );
    run.waits(700);
    expect(waitsOf(run, 's.b')).toMatchObject([
      {
        type: 'tokens',
        of: { type: 'cap', task: undefined },
        wanted: 1,
        free: 0,
        holders: [{ task: 's.a' }, { task: 'c' }],
      },
      {
        type: 'tokens',
        of: { type: 'cap', task: 's' },
        holders: [{ task: 's.a', step: 'main', attempt: 1, elapsedMs: 700 }],
      },
      { type: 'tokens', of: { type: 'pool', pool: 'p' }, wanted: 2, free: 1, holders: [{ task: 'c', holds: 1 }] },
    ]);
  });

  test('a closed pool, a backoff, a pause and a hold', () => {
    const run = given('a: { run: x, pools: [p] }\nb: { run: x, pools: [p] }', { plan: 'pools: { p: 1 }\nattempts: 2' });
    run.says('a', { limitedUntil: 30_000, pool: 'p' });
    run.pause();
    run.hears({ type: 'pause', tasks: ['b'] });
    expect(waitsOf(run, 'a')).toEqual([
      { type: 'paused', who: 'a' },
      { type: 'closed', who: 'a', pool: 'p', until: 30_000 },
      { type: 'backoff', who: 'a', until: 30_000 },
    ]);
    expect(waitsOf(run, 'b')[0]).toEqual({ type: 'task-paused', who: 'b', task: 'b' });
  });

  test('money that other claims have reserved', () => {
    const run = given('s:\n  budget: { usd: 3 }\n  tasks:\n    a: { prompt: x }\n    b: { prompt: x }', {
      plan: 'budget: { usd: 10 }\nagents: { ai: { use: scripted, reserve: { usd: 2 } } }\nagent: ai',
    });
    expect(waitsOf(run, 's.b')).toMatchObject([
      {
        type: 'budget',
        task: 's',
        part: 'usd',
        ceiling: 3,
        spent: 0,
        reserved: 2,
        wanted: 2,
        holders: [{ task: 's.a', holds: 2 }],
      },
    ]);
  });

  test('the answer to a question, of a gate or of a step', () => {
    const run = given('a: { gate: Go? }\nb: { run: x, on_error: gate }', { plan: 'attempts: 1' });
    run.says('b', 'failed');
    expect(waitsOf(run, 'a')).toMatchObject([{ type: 'answer', who: 'a', question: { text: 'Go?' } }]);
    expect(waitsOf(run, 'b')).toMatchObject([{ type: 'answer', who: 'b', question: { step: 'main' } }]);
  });

  test('the steps that it collects, and a merge slot', () => {
    const steps = 'a:\n  steps:\n    - { id: p, run: x, async: true }\n    - { id: q, run: x, needs: [p] }\n';
    const names = Array.from({ length: MERGE_WINDOW }, (_, at) => `b${at}`);
    const others = [...names, 'c'].map((name) => `${name}: { run: x }`).join('\n');
    const run = given(`${steps}${others}`, { tree: 'auto', plan: 'max_parallel: 20' });
    expect(waitsOf(run, 'a')).toEqual([{ type: 'steps', who: 'a/q', of: ['a/p'] }]);
    for (const name of names) run.says(name, 'done');
    run.says('c', 'done');
    const holders = names.map((task) => ({ task, type: 'merge', step: undefined }));
    expect(waitsOf(run, 'c')).toMatchObject([{ type: 'tokens', who: 'c', of: { type: 'merge-slots' }, holders }]);
  });

  test('its turn, one at a time or by the order of the plan', () => {
    const serial = given('a: { run: x }\nb: { run: x }', { policy: 'serial' });
    expect(waitsOf(serial, 'b')).toEqual([{ type: 'precedence', who: 'b', why: 'serial', of: ['a'] }]);
    const held = { held: { task: 1, step: 0 }, until: { task: 2, step: 0 } };
    const run = given('a: { run: x }\nb: { run: x }\nc: { needs: [a], run: x }', { holds: [held] });
    expect(waitsOf(run, 'b')).toEqual([{ type: 'precedence', who: 'b', why: 'priority', of: ['c'] }]);
  });

  test('the merge of the tasks before it, where the plan sets the order', () => {
    const run = given('a: { run: x }\nb: { run: x }', { tree: 'auto', plan: 'merge: { order: plan }' });
    run.says('b', 'done');
    expect(waitsOf(run, 'b')).toEqual([{ type: 'precedence', who: 'b', why: 'merge-order', of: ['a'] }]);
  });

  test('a throttled pool, though tokens of it are free', () => {
    const plan = 'pools: { p: 4 }\nagents: { ai: { use: scripted, pool: p } }\nagent: ai';
    const run = given(['a', 'b', 'c', 'd', 'e'].map((task) => `${task}: { prompt: x }`).join('\n'), { plan });
    run.says('a', { lost: 'overloaded' });
    run.says('b', { lost: 'overloaded' });
    expect(run.claims()).toEqual(['c#1', 'd#1']);
    expect(waitsOf(run, 'e')).toEqual([{ type: 'throttled', who: 'e', pool: 'p', limit: 2 }]);
  });

  test('nothing when it has ended, and its own claim when it is running', () => {
    const run = given('a: { run: x }\nb: { run: x }', { plan: 'attempts: 1' });
    run.says('a', 'timeout');
    expect(explained(run, 'a')).toMatchObject({ state: 'failed', ended: { reason: 'timeout' }, waits: [], behind: [] });
    expect(explained(run, 'b')).toMatchObject({ state: 'running', waits: [], running: [{ task: 'b', attempt: 1 }] });
  });
});
