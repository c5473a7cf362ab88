import { describe, expect, test } from 'vitest';
import { given, type Run } from '../run.given.ts';

const once = { plan: 'attempts: 1' };

describe('a run that fails fast', () => {
  const plan = { plan: 'attempts: 1\nfailure_mode: fail_fast' };

  test('ends running work, drops waiting tasks, and names the failed task', () => {
    const run = given('a: { run: x }\nb: { run: x }\nc: { needs: [b], run: x }\nd: { run: x, needs: [a] }', plan);
    expect(run.says('a', 'failed')).toEqual([
      'claim.ended a failed (failed)',
      'task.ended a failed (failed)',
      'claim.cancelling b (fail_fast) by a',
      'task.cancelling c (fail_fast) by a',
      'task.cancelling d (fail_fast) by a',
      'task.skipped d cancelled (fail_fast) by a',
    ]);
    expect(run.owed()).toEqual(['stop b#1']);
    run.says('b', 'stopped');
    expect(run.endings()).toEqual({
      a: 'failed (failed)',
      b: 'cancelled (fail_fast)',
      c: 'cancelled (fail_fast)',
      d: 'cancelled (fail_fast)',
    });
    expect(run.isEnded()).toBe(true);
  });

  test('leaves done tasks alone', () => {
    const run = given('a: { run: x }\nb: { run: x }', plan);
    run.says('b', 'done');
    run.says('a', 'failed');
    expect(run.endings()).toEqual({ a: 'failed (failed)', b: 'done' });
  });

  test('counts work that finishes while being cancelled as cancelled', () => {
    const run = given('a: { run: x }\nb: { run: x }', plan);
    run.says('a', 'failed');
    run.says('b', 'done');
    expect(run.endings()).toMatchObject({ b: 'cancelled (fail_fast)' });
  });

  test('does not begin another attempt of a task that it ends', () => {
    const run = given('a: { run: x }\nb: { run: x, attempts: 3 }', plan);
    run.says('b', 'failed');
    run.says('a', 'failed');
    expect(run.endings()).toMatchObject({ b: 'cancelled (fail_fast)' });
    expect(run.isEnded()).toBe(true);
  });
});

describe('the cause', () => {
  const causes = (run: Run): readonly string[] =>
    run.log.flatMap((event) =>
      event.type === 'task.ended' && event.cause !== undefined ? [`${event.task} by ${event.cause}`] : [],
    );

  test('of an ended subplan is the task that failed, and not a task that was ended with it', () => {
    const run = given('a: { run: x }\ns: { tasks: { t: { tasks: { p: { run: x } } } } }', {
      plan: 'attempts: 1\nfailure_mode: fail_fast',
    });
    run.says('a', 'failed');
    run.says('s.t.p', 'stopped');
    expect(causes(run)).toEqual(['s.t.p by a', 's.t by a', 's by a']);
  });

  test('of a subplan with several failed tasks is the first of them to fail', () => {
    const run = given('s: { tasks: { p: { run: x }, q: { run: x } } }', once);
    run.says('s.q', 'failed');
    run.says('s.p', 'failed');
    expect(causes(run)).toEqual(['s by s.q']);
  });
});

describe('a subplan that fails fast', () => {
  const tasks = [
    's:',
    '  failure_mode: fail_fast',
    '  tasks: { p: { run: x }, q: { run: x }, r: { needs: [o], run: x } }',
    'o: { run: x }',
  ].join('\n');

  test('ends its own tasks and no others', () => {
    const run = given(tasks, once);
    run.says('s.p', 'failed');
    expect(run.owed()).toEqual(['stop s.q#1', 'work o#1']);
    run.says('s.q', 'stopped');
    run.says('o', 'done');
    expect(run.endings()).toEqual({
      s: 'failed (failed)',
      's.p': 'failed (failed)',
      's.q': 'cancelled (fail_fast)',
      's.r': 'cancelled (fail_fast)',
      o: 'done',
    });
  });

  test('inside another one ends that one too', () => {
    const run = given(
      [
        'outer:',
        '  failure_mode: fail_fast',
        '  tasks:',
        '    inner: { tasks: { p: { run: x }, q: { run: x } } }',
        '    beside: { run: x }',
        'away: { run: x }',
      ].join('\n'),
      once,
    );
    run.says('outer.inner.p', 'failed');
    expect(run.owed()).toEqual(['stop outer.inner.q#1', 'work outer.beside#1', 'work away#1']);
    run.says('outer.inner.q', 'stopped');
    expect(run.owed()).toEqual(['stop outer.beside#1', 'work away#1']);
    run.says('outer.beside', 'stopped');
    expect(run.endings()).toMatchObject({
      outer: 'failed (failed)',
      'outer.inner': 'failed (failed)',
      away: 'not ended',
    });
  });

  test('that continues on error inside one that fails fast lets its own tasks finish first', () => {
    const run = given(
      [
        'outer:',
        '  failure_mode: fail_fast',
        '  tasks:',
        '    inner: { failure_mode: continue_on_error, tasks: { p: { run: x }, q: { run: x } } }',
        '    beside: { run: x }',
      ].join('\n'),
      once,
    );
    run.says('outer.inner.p', 'failed');
    expect(run.owed()).toEqual(['work outer.inner.q#1', 'work outer.beside#1']);
    run.says('outer.inner.q', 'done');
    expect(run.owed()).toEqual(['stop outer.beside#1']);
  });
});

test('a run that continues on error lets all other tasks continue', () => {
  const run = given('a: { run: x }\nb: { run: x }\nc: { needs: [b], run: x }', once);
  run.says('a', 'failed');
  run.says('b', 'done');
  run.says('c', 'done');
  expect(run.endings()).toEqual({ a: 'failed (failed)', b: 'done', c: 'done' });
});
