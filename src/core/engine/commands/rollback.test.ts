import { describe, expect, test } from 'vitest';
import { handle } from './handle.ts';
import { notesIn } from './reply.given.ts';
import { markingOf } from '../../net/play.ts';
import { given, type Run, type RunOptions } from '../run.given.ts';
import { fold } from '../apply/fold.ts';

const merged = { tree: 'auto', base: 'base' } as const;
const STEPS = [
  'a:',
  '  steps:',
  '    - { id: p, run: x }',
  '    - { id: q, run: x, async: true }',
  '    - { id: r, run: x }',
  '    - { id: s, run: x, needs: [q] }',
].join('\n');

function worked(options: RunOptions = {}, more = ''): Run {
  const run = given(`${STEPS}${more}`, { ...merged, plan: 'attempts: 1', ...options });
  for (const step of ['p', 'q', 'r']) run.says(`a/${step}`, { said: { commit: `after ${step}` } });
  return run;
}

const rollBack = (run: Run, step: string): readonly string[] => run.hears({ type: 'rollback', task: 'a', step });
const handled = (run: Run, step: string, task = 'a'): string =>
  notesIn(handle(run.state(), { type: 'rollback', task, step }).reply);

describe('a task that is rolled back to before a step', () => {
  test('runs that step and all later steps again, from the checkpoint before it', () => {
    const run = worked();
    run.says('a/s', 'failed');
    expect(run.isEnded()).toBe(true);
    expect(rollBack(run, 'q')).toEqual(['task.rolledBack a', 'claim.made a/q #2', 'claim.made a/r #2']);
    expect(run.state().tasks[0]?.tip).toBe('after p');
    run.says('a/q', 'done');
    run.says('a/r', 'done');
    expect(run.claims()).toEqual(['a/s#2']);
    run.says('a/s', 'done');
    run.says('a', 'merged');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('has the state from before that step began', () => {
    const run = worked({ plan: 'attempts: 1\nmax_parallel: 2' });
    run.says('a/s', 'failed');
    const cut = run.log.findIndex((event) => event.type === 'claim.made' && event.step === 's');
    const earlier = fold(run.log.slice(0, cut));
    rollBack(run, 's');
    run.stop('a');
    run.says('a/s', 'stopped');
    expect(markingOf(run.state().play)).toEqual(markingOf(earlier.play));
  });

  test('goes back to before the first of the repeated steps, in whatever order they began', () => {
    const steps = [
      'a:',
      '  steps:',
      '    - { id: p, run: x }',
      '    - { id: q, run: x, async: true, pools: [ci] }',
      '    - { id: r, run: x, async: true }',
      '    - { id: s, run: x, needs: [q, r] }',
      'b: { run: x, pools: [ci] }',
    ].join('\n');
    const run = given(steps, { ...merged, plan: 'attempts: 1\npools: { ci: 1 }', priorities: [[0, 0, 0, 0], [9]] });
    for (const step of ['p', 'r']) run.says(`a/${step}`, { said: { commit: `after ${step}` } });
    run.says('b', 'done');
    expect(run.claims()).toContain('a/q#1');
    run.says('a/q', 'failed');
    rollBack(run, 'q');
    expect(run.state().tasks[0]?.tip).toBe('after p');
  });

  test('to its first step starts from the work of its needs', () => {
    const run = worked();
    run.says('a/s', 'failed');
    expect(rollBack(run, 'p')).toEqual(['task.rolledBack a', 'claim.made a/p #2']);
    expect(run.state().tasks[0]).toMatchObject({ tip: undefined, steps: [{ result: undefined }, {}, {}, {}] });
  });

  test('takes along the tasks that ended because of it', () => {
    const run = worked({}, '\nb: { needs: [a], run: x }');
    run.says('a/s', 'failed');
    expect(run.endings()).toEqual({ a: 'failed (failed)', b: 'cancelled (need)' });
    expect(handled(run, 's')).toBe('task.rolled-back a s ["b"]');
    rollBack(run, 's');
    run.says('a/s', 'done');
    run.says('a', 'merged');
    expect(run.claims()).toEqual(['b#1']);
  });

  test('stops waiting for a person to resolve its conflict', () => {
    const run = worked();
    run.says('a/s', 'done');
    run.says('a', 'conflict');
    expect(run.owed()).toEqual(['ask a#1']);
    rollBack(run, 's');
    expect(run.owed()).toEqual(['work a/s#2']);
    expect(run.hears({ type: 'resolved', task: 'a', attempt: 1, commit: undefined })).toEqual([]);
    run.says('a/s', 'done');
    run.says('a', 'merged');
    expect(run.isEnded()).toBe(true);
  });

  test('leaves the merge queue', () => {
    const run = worked();
    run.pause();
    run.says('a/s', 'done');
    expect([...run.state().queue]).toEqual([0]);
    rollBack(run, 's');
    expect([...run.state().queue]).toEqual([]);
    run.resume();
    expect(run.claims()).toEqual(['a/s#2']);
  });

  test('in a later round goes back to the start of that round', () => {
    const loop = 'a:\n  repeat: { until: steps.q.response == "enough", max: 3 }\n  steps:';
    const run = given(`${loop}\n    - { id: p, run: x }\n    - { id: q, run: x }`, { ...merged, plan: 'attempts: 1' });
    for (const round of [1, 2])
      for (const step of ['p', 'q']) run.says(`a/${step}`, { said: { commit: `${step} in round ${round}` } });
    run.says('a/p', { said: { commit: 'p in round 3' } });
    run.says('a/q', 'timeout');
    expect(run.isEnded()).toBe(true);
    rollBack(run, 'p');
    expect(run.state().tasks[0]?.tip).toBe('q in round 2');
  });
});

describe('rolling back is refused', () => {
  test('while a claim of the task is running', () => {
    const run = worked();
    expect(handled(run, 'p')).toBe('rollback.running a p');
    expect(rollBack(run, 'p')).toEqual([]);
  });

  test('when the task is done', () => {
    const run = worked();
    run.says('a/s', 'done');
    run.says('a', 'merged');
    expect(handled(run, 's')).toBe('rollback.done a s');
    expect(rollBack(run, 's')).toEqual([]);
  });

  test('when there is no such step, or it has not begun', () => {
    const run = given(`${STEPS}\nb: { run: x, needs: [a] }`, { ...merged, plan: 'attempts: 1' });
    run.says('a/p', 'failed');
    expect(handled(run, 'z')).toBe('rollback.no-such-step a z');
    expect(handled(run, 's')).toBe('rollback.not-begun a s');
    expect(handled(run, 'main', 'b')).toBe('rollback.not-open b main');
    expect(handled(run, 'main', 'c')).toBe('task.unknown c');
  });

  test('when an earlier step has not succeeded', () => {
    const steps = 'a:\n  check: t\n  steps:\n    - { id: p, prompt: x, attempts: 1 }\n    - { id: q, run: x }';
    const run = given(steps, merged);
    run.says('a/p', 'done');
    run.says('a/q', 'done');
    run.says('a', 'failed');
    run.says('a/p', 'failed');
    expect(run.isEnded()).toBe(true);
    expect(handled(run, 'q')).toBe('rollback.unfinished a q p');
  });

  test('when an earlier step may have run at the same time', () => {
    const run = worked();
    run.says('a/s', 'failed');
    expect(handled(run, 'r')).toBe('rollback.beside a r q');
    expect(rollBack(run, 'r')).toEqual([]);
  });

  test('when the run works in place', () => {
    const run = given('a: { run: x }', { plan: 'attempts: 1' });
    run.says('a', 'failed');
    expect(handled(run, 'main')).toBe('rollback.in-place a main');
    expect(rollBack(run, 'main')).toEqual([]);
  });

  test('when another task has continued without the task', () => {
    const run = given('a: { run: x }\nj: { needs: [a], join: { on_error: wait_for_all } }\nb: { needs: [j], run: x }', {
      ...merged,
      plan: 'attempts: 1',
    });
    run.says('a', 'failed');
    expect(handled(run, 'main')).toBe('retry.used a b');
  });
});
