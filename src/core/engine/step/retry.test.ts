import { describe, expect, test } from 'vitest';
import { evaluatorOf } from '../evaluator.ts';
import { given, type Run } from '../run.given.ts';
import { snapshot } from '../state.ts';
import { stepOn } from './step.given.ts';
import { fold } from '../apply/fold.ts';

const ONCE = { plan: 'attempts: 1' };

/** A fold of the log equals the run itself. */
function expectReplays({ log, state }: Run): void {
  const folded = fold(log);
  expect(snapshot(folded)).toEqual(snapshot(state()));
}

describe('a retried task', () => {
  test('runs again after the run has ended, and the run ends again', () => {
    const run = given('a: { run: x }\nb: { run: x }', ONCE);
    run.says('b', 'done');
    run.says('a', 'failed');
    expect(run.isEnded()).toBe(true);
    expect(run.retry()).toEqual(['task.reset a', 'task.opened a', 'claim.made a #2']);
    expectReplays(run);
    expect(run.says('a', 'done')).toEqual(['claim.ended a done', 'task.ended a done', 'run.ended']);
    expect(run.endings()).toEqual({ a: 'done', b: 'done' });
    expectReplays(run);
  });

  test('takes along all tasks that ended because of it, and no others', () => {
    const run = given(
      'a: { run: x }\nb: { needs: [a], run: x }\nc: { needs: [b], run: x }\nd: { run: x }\ne: { needs: [d], run: x }',
      ONCE,
    );
    run.says('a', 'failed');
    run.says('d', 'failed');
    expect(run.retry('a')[0]).toBe('task.reset a b c');
    for (const task of ['a', 'b', 'c']) run.says(task, 'done');
    expect(run.endings()).toEqual({ a: 'done', b: 'done', c: 'done', d: 'failed (failed)', e: 'cancelled (need)' });
    expect(run.isEnded()).toBe(true);
  });

  test('runs again without the other failed task that ended it', () => {
    const run = given('a: { run: x }\nb: { run: x }\nc: { needs: [b], run: x }', {
      plan: 'attempts: 1\nfailure_mode: fail_fast',
    });
    run.says('a', 'failed');
    run.says('b', 'stopped');
    expect(run.retry('b')).toEqual([
      'task.reset b c',
      'task.cancelling c (fail_fast) by a',
      'task.opened b',
      'claim.made b #2',
    ]);
    run.says('b', 'done');
    expect(run.endings()).toEqual({ a: 'failed (failed)', b: 'done', c: 'cancelled (fail_fast)' });
  });

  test('takes along all tasks that it ended by failing fast', () => {
    const run = given('a: { run: x }\nb: { run: x }\ng: { gate: Sure? }\nc: { needs: [g], run: x }', {
      plan: 'attempts: 1\nfailure_mode: fail_fast',
    });
    run.says('a', 'failed');
    run.says('b', 'stopped');
    expect(run.isEnded()).toBe(true);
    expect(run.retry('a')[0]).toBe('task.reset a b g c');
    expect(run.owed()).toEqual(['work a#2', 'work b#2', 'ask g#2']);
  });

  test('opens its ended subplan again in place', () => {
    const run = given(
      's:\n  tasks: { p: { run: x }, q: { needs: [p], run: x }, r: { run: x } }\nb: { needs: [s], run: x }',
      ONCE,
    );
    run.says('s.r', 'done');
    run.says('s.p', 'failed');
    expect(run.endings()).toMatchObject({ s: 'failed (failed)', b: 'cancelled (need)' });
    expect(run.retry('s')).toEqual(['task.reset s s.p s.q b', 'task.opened s.p', 'claim.made s.p #2']);
    expectReplays(run);
    run.says('s.p', 'done');
    run.says('s.q', 'done');
    run.says('b', 'done');
    expect(new Set(Object.values(run.endings()))).toEqual(new Set(['done']));
    expect(run.isEnded()).toBe(true);
  });

  test('runs again in a subplan that is still open', () => {
    const run = given('s:\n  tasks: { p: { run: x }, r: { run: x } }', ONCE);
    run.says('s.p', 'failed');
    expect(run.retry('s.p')).toEqual(['task.reset s.p', 'task.opened s.p', 'claim.made s.p #2']);
    run.says('s.r', 'done');
    run.says('s.p', 'done');
    expect(run.endings()).toEqual({ s: 'done', 's.p': 'done', 's.r': 'done' });
  });

  test('resets a subplan that never opened as a whole', () => {
    const run = given(
      'a: { run: x }\ns:\n  needs: [a]\n  tasks: { p: { run: x }, t: { tasks: { q: { run: x } } } }\nb: { needs: [s.t.q], run: x }',
      ONCE,
    );
    run.says('a', 'failed');
    expect(run.retry('a')[0]).toBe('task.reset a s s.p s.t s.t.q b');
    expectReplays(run);
    for (const task of ['a', 's.p', 's.t.q', 'b']) run.says(task, 'done');
    expect(new Set(Object.values(run.endings()))).toEqual(new Set(['done']));
  });

  test('takes along a join that waited for all', () => {
    const run = given(
      'a: { run: x }\nb: { run: x }\nj: { needs: [a, b], join: { on_error: wait_for_all } }\nz: { run: x }',
      ONCE,
    );
    run.says('b', 'done');
    run.says('a', 'failed');
    expect(run.endings()).toMatchObject({ j: 'done' });
    expect(run.retry('a')[0]).toBe('task.reset a j');
    run.says('a', 'done');
    expect(run.endings()).toMatchObject({ a: 'done', j: 'done' });
    expectReplays(run);
  });

  test('is refused when another task has continued from it', () => {
    const run = given(
      'a: { run: x }\nb: { run: x }\nj: { needs: [a, b], join: { on_error: wait_for_all } }\nc: { needs: [j], run: x }',
      ONCE,
    );
    run.says('a', 'failed');
    run.says('b', 'done');
    expect(run.retry('a')).toEqual([]);
    run.says('c', 'done');
    expect(run.retry()).toEqual([]);
    expect(run.isEnded()).toBe(true);
  });

  test('is too late for a task that needed any and has another need', () => {
    const run = given('a: { run: x }\nb: { run: x }\nd: { needs: { any: [a, b] }, run: x }', ONCE);
    run.says('a', 'failed');
    run.says('b', 'done');
    run.says('d', 'done');
    expect(run.isEnded()).toBe(true);
    run.retry('a');
    expectReplays(run);
    run.says('a', 'done');
    expect(run.endings()).toEqual({ a: 'done', b: 'done', d: 'done' });
    expect(run.isEnded()).toBe(true);
  });

  test('resets a task that needed any when no need had succeeded', () => {
    const run = given('a: { run: x }\nb: { run: x }\nd: { needs: { any: [a, b] }, run: x }', ONCE);
    run.says('a', 'failed');
    run.says('b', 'failed');
    expect(run.retry('a')[0]).toBe('task.reset a d');
    run.says('a', 'done');
    run.says('d', 'done');
    expect(run.endings()).toEqual({ a: 'done', b: 'failed (failed)', d: 'done' });
  });

  test('is refused when its race is decided; retrying the run continues from the winner alone', () => {
    const run = given('a: { run: x }\nb: { run: x }\nd: { needs: { race: [a, b] }, run: x }', ONCE);
    run.says('a', 'done');
    run.says('b', 'stopped');
    run.says('d', 'failed');
    expect(run.endings()).toEqual({ a: 'done', b: 'cancelled (race)', d: 'failed (failed)' });
    expect(run.retry('b')).toEqual([]);
    expect(run.retry()).toEqual(['task.reset d', 'task.opened d', 'claim.made d #2']);
    run.says('d', 'done');
    expect(run.isEnded()).toBe(true);
  });

  test('is refused when it never began and the task that stopped it is not retried', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }', ONCE);
    run.says('a', 'failed');
    expect(run.retry('b')).toEqual([]);
    expect(run.retry('a', 'b')[0]).toBe('task.reset a b');
  });

  test('leaves a task cancelled that a person cancelled by itself', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }\nc: { needs: [b], run: x }', ONCE);
    run.cancel('b');
    run.says('a', 'failed');
    expect(run.retry('a').slice(0, 2)).toEqual(['task.reset a b c', 'task.cancelling b (cancelled)']);
    run.says('a', 'done');
    expect(run.endings()).toEqual({ a: 'done', b: 'cancelled (cancelled)', c: 'cancelled (need)' });
    expect(run.retry('b')[0]).toBe('task.reset b c');
  });

  test('is not dropped when it was about to be', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }');
    run.cancel('b');
    expect(run.retry('b')).toEqual(['task.reset b']);
    run.says('a', 'done');
    expect(run.claims()).toEqual(['b#1']);
  });

  test('keeps its spending, and counts its attempts from the start', () => {
    const plan = 'attempts: 2\nagents: { bot: { use: scripted, reserve: { usd: 1 } } }\nagent: bot';
    const run = given('a: { prompt: x, check: t }', { plan, tree: 'auto' });
    run.says('a', { lost: 'timeout', isFinal: true, spend: { usd: 0.5, tokens: 0 } });
    run.retry('a');
    expect(run.spent().usd).toBe(0.5);
    run.says('a', 'timeout');
    run.waits(600_000);
    expect(run.claims()).toEqual(['a#3']);
    run.says('a', 'done', 'passed', 'conflict');
    run.retry('a');
    run.says('a', 'done');
    expect(run.claims()).toEqual(['a check#2']);
    run.says('a', 'passed');
    expect(run.claims()).toEqual(['a merge#2']);
    expectReplays(run);
  });

  test('is decided again wherever it was deferred before', () => {
    const run = given('a: { run: x, check: t }', ONCE);
    run.pause();
    run.says('a', 'done');
    run.cancel('a');
    run.retry('a');
    run.resume();
    run.says('a', 'failed');
    expect(run.endings()).toEqual({ a: 'failed (failed)' });
  });

  test('ends the other needs of its join again when it fails again', () => {
    const run = given('a: { run: x }\nb: { run: x }\nj: { needs: [a, b], join: { on_error: fail_fast } }', ONCE);
    run.says('a', 'failed');
    run.says('b', 'stopped');
    expect(run.retry('a')[0]).toBe('task.reset a b j');
    expect(run.says('a', 'failed')).toContain('claim.cancelling b (fail_fast) by a');
  });

  test('is reset when its failure arrives together with the retry', () => {
    const run = given('a: { run: x }', ONCE);
    const about = { task: 'a', step: 'main', attempt: 1, spend: { usd: 0, tokens: 0 } };
    const outcomes = [
      { ...about, type: 'failed', work: 'step', reason: 'timeout', isFinal: true, result: undefined },
      { type: 'retry', tasks: ['a'] },
    ] as const;
    const evaluator = evaluatorOf({ inputs: {}, env: {} });
    const events = stepOn(run.state(), outcomes, { evaluator, now: 0 });
    expect(events.map(({ type }) => type)).toContain('task.reset');
  });

  test('drops its earlier result', () => {
    const run = given('a: { run: x }\nb: { needs: [a], when: tasks.a.ok, run: x }', ONCE);
    run.says('a', 'failed');
    run.retry('a');
    run.says('a', 'done');
    expect(run.claims()).toEqual(['b#1']);
  });

  test('in a paused run waits until the run is resumed', () => {
    const run = given('a: { run: x }', ONCE);
    run.pause();
    run.says('a', 'failed');
    run.retry('a');
    expect(run.claims()).toEqual([]);
    run.resume();
    expect(run.claims()).toEqual(['a#2']);
  });

  test('is claimed at once during a backoff', () => {
    const run = given('a: { run: x }', { plan: 'attempts: 3' });
    run.says('a', 'failed');
    expect(run.retry('a')).toEqual(['claim.made a #2']);
    expect(run.owed()).toEqual(['work a#2']);
    expect(run.retry('a')).toEqual([]);
  });

  test('is retried while a person is asked about a step', () => {
    const run = given('a: { run: x, on_error: gate }', ONCE);
    run.says('a', 'failed');
    expect(run.retry('a')).toEqual(['claim.answered a again', 'claim.made a #2']);
  });

  test('asks again after a rejection, and an answer to the first question has no effect', () => {
    const run = given('g: { gate: Sure? }');
    run.says('g', 'reject');
    run.retry('g');
    expect(run.owed()).toEqual(['ask g#2']);
    expect(run.hears({ type: 'answered', task: 'g', step: undefined, attempt: 1, answer: 'reject' })).toEqual([]);
    run.says('g', 'approve');
    expect(run.endings()).toEqual({ g: 'done' });
  });
});

describe('a task that is skipped after it failed', () => {
  test('lets the tasks run that it had blocked', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }', ONCE);
    run.says('a', 'failed');
    expect(run.skip('a')).toEqual([
      'task.reset a b',
      'task.cancelling a (skipped)',
      'task.skipped a skipped (skipped)',
      'task.opened b',
      'claim.made b #1',
    ]);
    expectReplays(run);
  });

  test('lets the tasks run that need it even when it was blocked itself', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }\nc: { needs: [b], run: x }', ONCE);
    run.says('a', 'failed');
    run.skip('b');
    expect(run.claims()).toEqual(['c#1']);
    expect(run.endings()).toMatchObject({ a: 'failed (failed)', b: 'skipped (skipped)' });
  });

  test('lets its subplan succeed', () => {
    const run = given('s: { tasks: { p: { run: x }, q: { run: x } } }\nb: { needs: [s], run: x }', ONCE);
    run.says('s.p', 'done');
    run.says('s.q', 'failed');
    run.skip('s');
    expect(run.endings()).toMatchObject({ s: 'done', 's.p': 'done', 's.q': 'skipped (skipped)' });
    expect(run.claims()).toEqual(['b#1']);
  });
});
