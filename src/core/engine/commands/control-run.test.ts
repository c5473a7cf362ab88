import { describe, expect, test } from 'vitest';
import { given } from '../run.given.ts';
import { settleOutcome } from '../step/settle.ts';
import { snapshot } from '../state.ts';
import { evaluatorOf } from '../evaluator.ts';

test('a command changes a state by its events alone', () => {
  const run = given('a: { run: x }\nb: { run: x, needs: [a] }\ns: { tasks: { c: { run: x } } }', { tree: 'auto' });
  run.says('a', { lost: 'failed', isFinal: true });
  const context = { evaluator: evaluatorOf({ inputs: {}, env: {} }), now: 0 };
  const before = JSON.stringify([snapshot(run.state()), run.state().toEnd]);
  for (const type of ['cancel', 'skip', 'retry', 'stop'] as const) {
    const tasks = type === 'skip' ? ['a', 's'] : [];
    const [event] = settleOutcome(run.state(), { type, tasks }, context).take(1);
    expect(event, type).toBeDefined();
    expect(JSON.stringify([snapshot(run.state()), run.state().toEnd]), type).toBe(before);
  }
});

describe('a paused task', () => {
  test('is not claimed until it is released, while other tasks continue', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }\nc: { needs: [a], run: x }');
    expect(run.pause('b')).toEqual(['task.paused b']);
    run.says('a', 'done');
    expect(run.claims()).toEqual(['c#1']);
    run.says('c', 'done');
    expect(run.isEnded()).toBe(false);
    expect(run.resume('b')).toEqual(['task.released b', 'claim.made b #1']);
  });

  test('lets its running step finish, and begins no other step', () => {
    const run = given('a:\n  steps: [{ id: p, run: x }, { id: q, run: x }]');
    run.pause('a');
    expect(run.owed()).toEqual(['work a/p#1']);
    run.says('a/p', 'done');
    expect(run.owed()).toEqual([]);
    expect(run.resume('a')).toEqual(['task.released a', 'claim.made a/q #1']);
  });

  test('is neither checked nor merged', () => {
    const run = given('a: { run: x, check: t }', { tree: 'auto' });
    run.pause('a');
    run.says('a', 'done');
    expect(run.owed()).toEqual([]);
    run.resume('a');
    run.pause('a');
    run.says('a', 'passed');
    expect(run.owed()).toEqual([]);
    run.resume('a');
    expect(run.owed()).toEqual(['merge a merge#1']);
  });

  test('blocks the merges behind it where the plan sets their order', () => {
    const run = given('a: { run: x }\nb: { run: x }', { tree: 'auto', plan: 'merge: { order: plan }' });
    run.pause('a');
    run.says('a', 'done');
    run.says('b', 'done');
    expect(run.owed()).toEqual([]);
    run.resume('a');
    expect(run.owed()).toEqual(['merge a merge#1']);
  });

  test('lets the merge of another task go first', () => {
    const run = given('a: { run: x }\nb: { run: x }', { tree: 'auto' });
    run.pause('a');
    run.says('a', 'done');
    run.says('b', 'done');
    expect(run.owed()).toEqual(['merge b merge#1']);
    run.says('b', 'merged');
    run.resume('a');
    expect(run.owed()).toEqual(['merge a merge#1']);
  });

  test('pauses all tasks in it when it is a subplan', () => {
    const run = given(
      's:\n  tasks:\n    p: { run: x }\n    t: { tasks: { q: { needs: [s.p], run: x } } }\nb: { run: x }',
    );
    run.pause('s.t.q', 's', 's.p');
    run.says('s.p', 'done');
    expect(run.claims()).toEqual(['b#1']);
    expect(run.resume('s')).toEqual(['task.released s.t.q', 'task.released s', 'claim.made s.t.q #1']);
  });

  test('may be cancelled and skipped all the same', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }\nc: { needs: [a], run: x }');
    run.pause('b', 'c');
    run.says('a', 'done');
    run.cancel('b');
    run.skip('c');
    expect(run.endings()).toEqual({ a: 'done', b: 'cancelled (cancelled)', c: 'skipped (skipped)' });
    expect(run.isEnded()).toBe(true);
  });

  test('is paused once, and an ended task is not paused at all', () => {
    const run = given('a: { run: x }\nb: { run: x }');
    run.says('a', 'done');
    expect(run.pause('a', 'b', 'b', 'nobody')).toEqual(['task.paused b']);
    expect(run.resume('a')).toEqual([]);
  });

  test('is released with the whole run', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }');
    run.pause('b');
    run.pause();
    expect(run.resume()).toEqual(['run.resumed', 'task.released b']);
  });

  test('keeps no tokens free that it would not take', () => {
    const few = Array.from({ length: 60 }, (_, at) => `n${at}: { run: x, pools: { ci: 1 } }`).join('\n');
    const run = given(`wide: { run: x, pools: { ci: 2 } }\n${few}`, {
      plan: 'pools: { ci: 2 }\nmax_parallel: 4',
      priorities: [[9]],
    });
    run.pause('wide');
    run.says('wide', 'timeout');
    run.waits(600_000);
    for (let left = 60; left > 0; left -= 1) run.says(run.claims()[0]?.split('#')[0] ?? '', 'done');
    expect(Object.values(run.endings()).filter((ending) => ending === 'done')).toHaveLength(60);
  });
});

describe('a stopped run', () => {
  test('is paused and preempts all running claims, once', () => {
    const run = given('a: { run: x }\nb: { run: x, check: t }\nc: { needs: [a], run: x }');
    run.says('b', 'done');
    expect(run.stop()).toEqual(['run.paused', 'claim.preempting a #1', 'claim.preempting b check']);
    expect(run.owed()).toEqual(['stop a#1', 'stop check b check#1']);
    expect(run.stop()).toEqual([]);
  });

  test('claims the stopped steps again when it is resumed, and counts no attempt', () => {
    const run = given('a: { run: x, attempts: 1 }\nb: { run: x, check: t }');
    run.says('b', 'done');
    run.stop();
    run.says('a', 'stopped');
    run.says('b', 'stopped');
    expect(run.owed()).toEqual([]);
    run.resume();
    expect(run.owed()).toEqual(['check b check#2', 'work a#2']);
    run.says('a', 'done');
    expect(run.endings()).toMatchObject({ a: 'done' });
  });

  test('accepts a step that finishes before it is stopped', () => {
    const run = given('a: { run: x }');
    run.stop();
    run.says('a', 'done');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('ends preempted claims when it is cancelled', () => {
    const run = given('a: { run: x }');
    run.stop();
    expect(run.cancel()).toEqual(['claim.cancelling a (cancelled)']);
    run.says('a', 'stopped');
    expect(run.endings()).toEqual({ a: 'cancelled (cancelled)' });
  });

  test('lets a merge finish', () => {
    const run = given('a: { run: x }', { tree: 'auto' });
    run.says('a', 'done');
    expect(run.stop()).toEqual(['run.paused']);
    run.says('a', 'merged');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('pauses and preempts only the named tasks', () => {
    const run = given('s: { tasks: { p: { run: x }, q: { run: x } } }\nb: { run: x }');
    expect(run.stop('s')).toEqual(['task.paused s', 'claim.preempting s.p #1', 'claim.preempting s.q #1']);
    run.says('s.p', 'stopped');
    expect(run.owed()).toEqual(['stop s.q#1', 'work b#1']);
    run.resume('s');
    expect(run.owed()).toEqual(['stop s.q#1', 'work b#1', 'work s.p#2']);
  });
});

test('cancelling the run cancels all its tasks', () => {
  const run = given('a: { run: x }\nb: { needs: [a], run: x }\ns: { tasks: { p: { gate: Sure? } } }');
  run.cancel();
  run.says('a', 'stopped');
  expect(new Set(Object.values(run.endings()))).toEqual(new Set(['cancelled (cancelled)']));
});

describe('a skipped task', () => {
  test('ends as skipped once its needs have ended, and the tasks that need it continue', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }\nc: { needs: [b], run: x }');
    expect(run.skip('b')).toEqual(['task.cancelling b (skipped)']);
    expect(run.says('a', 'done')).toContain('task.skipped b skipped (skipped)');
    expect(run.claims()).toEqual(['c#1']);
  });

  test('is stopped first while it is running', () => {
    const run = given('a:\n  steps: [{ id: p, run: x }, { id: q, run: x }]\nb: { needs: [a], run: x }');
    run.skip('a');
    expect(run.owed()).toEqual(['stop a/p#1']);
    expect(run.says('a/p', 'stopped')).toEqual([
      'claim.ended a/p skipped (skipped)',
      'step.skipped a/q skipped (skipped)',
      'task.ended a skipped (skipped)',
      'task.opened b',
      'claim.made b #1',
    ]);
  });

  test.each([
    ['a person is asked', 'a: { gate: Sure? }', []],
    ['it is checked', 'a: { run: x, check: t }', ['done']],
    ['it is merged', 'a: { run: x }', ['done']],
    ['a step is asked about', 'a: { run: x, on_error: gate, attempts: 1 }', ['failed']],
  ] as const)('while %s ends as skipped', (_, tasks, words) => {
    const run = given(tasks, { tree: 'auto' });
    run.says('a', ...words);
    run.skip('a');
    if (run.owed().length > 0) run.says('a', 'stopped');
    expect(run.endings()).toEqual({ a: 'skipped (skipped)' });
  });

  test('is done when its running merge succeeds first', () => {
    const run = given('a: { run: x }', { tree: 'auto' });
    run.says('a', 'done');
    run.skip('a');
    run.says('a', 'merged');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('is skipped with all its tasks when it is a subplan', () => {
    const run = given('s: { tasks: { p: { run: x }, q: { needs: [p], run: x } } }\nb: { needs: [s], run: x }');
    run.skip('s');
    run.says('s.p', 'stopped');
    expect(run.endings()).toMatchObject({ s: 'skipped (skipped)', 's.q': 'skipped (skipped)' });
    expect(run.claims()).toEqual(['b#1']);
  });

  test('keeps its ending when it is done', () => {
    const run = given('a: { run: x }\nb: { run: x }');
    run.says('a', 'done');
    expect(run.skip('a')).toEqual([]);
    expect(run.skip()).toEqual([]);
  });
});

test('a lost step is claimed again uncounted, and its cost counts as its reservation', () => {
  const plan = 'agents: { bot: { use: scripted, reserve: { usd: 2 } } }\nagent: bot\nattempts: 1';
  const run = given('a: { prompt: x }', { plan });
  expect(run.says('a', 'lost')).toEqual(['claim.returned a (crashed) uncounted', 'claim.made a #2']);
  expect(run.spent().usd).toBe(2);
  run.cancel('a');
  run.says('a', 'lost');
  expect(run.endings()).toEqual({ a: 'cancelled (cancelled)' });
});
