import { describe, expect, test } from 'vitest';
import type { Reason } from '../../protocol/result.ts';
import { NO_COST, given, OK, type Run } from '../run.given.ts';

const merged = { tree: 'auto' } as const;
const CHECK = { work: 'check', task: 'a', step: undefined, attempt: 1 } as const;

describe('a task with a check', () => {
  test('is done only when its check passed and its work is merged', () => {
    const run = given('a: { prompt: x, check: t }', merged);
    run.says('a', 'done');
    expect(run.owed()).toEqual(['check a check#1']);
    run.says('a', 'passed');
    expect(run.owed()).toEqual(['merge a merge#1']);
    run.says('a', 'merged');
    expect(run.endings()).toEqual({ a: 'done' });
    expect(run.state().tasks[0]?.result).toMatchObject({ response: 'said', commit: 'commit of a' });
  });

  test('without merging is done when its check passed', () => {
    const run = given('a: { run: x, check: t }');
    run.says('a', 'done', 'passed');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('goes back to its agent when the check fails, while attempts are left', () => {
    const run = given('a: { prompt: x, check: t }', { plan: 'attempts: 2' });
    run.says('a', 'done', 'failed');
    expect(run.claims()).toEqual(['a#2']);
    expect(run.trace()).toContain('claim.ended a check redo 1 failed (check)');
    run.says('a', 'done');
    expect(run.claims()).toEqual(['a check#2']);
    run.says('a', 'failed');
    expect(run.endings()).toEqual({ a: 'failed (check)' });
  });

  test('fails when its agent fails after a failed check, and is not checked again', () => {
    const run = given('a: { prompt: x, check: t }', { plan: 'attempts: 2' });
    run.says('a', 'done', 'failed', 'crashed');
    run.waits(60_000);
    run.says('a', 'crashed');
    expect(run.endings()).toEqual({ a: 'failed (crashed)' });
  });

  test('goes back to the last agent turn in sequence when the check fails, and no further', () => {
    const run = given(
      [
        'a:',
        '  check: t',
        '  steps:',
        '    - { id: study, prompt: x, async: true }',
        '    - { id: setup, run: x }',
        '    - { id: code, prompt: x }',
        '    - { id: build, run: x, needs: [study] }',
      ].join('\n'),
    );
    for (const step of ['study', 'setup', 'code', 'build']) run.says(`a/${step}`, 'done');
    expect(run.says('a', 'failed')).toEqual(['claim.ended a check redo 1 failed (check)', 'claim.made a/code #2']);
    run.says('a/code', 'done');
    run.says('a/build', 'done');
    run.says('a', 'passed');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('cannot go back when no agent works on it', () => {
    const run = given('a: { run: x, check: t }', { plan: 'attempts: 3' });
    run.says('a', 'done', 'failed');
    expect(run.endings()).toEqual({ a: 'failed (check)' });
  });

  test('goes back to its first step when all its agents are async', () => {
    const run = given(
      'a:\n  check: t\n  steps:\n    - { id: p, prompt: x, async: true }\n    - { id: q, run: x, needs: [p] }',
    );
    run.says('a/p', 'done');
    run.says('a/q', 'done');
    run.says('a', 'failed');
    expect(run.claims()).toEqual(['a/p#2']);
  });

  test('holds a slot during its check, and goes before steps that have not begun', () => {
    const run = given('a: { run: x, check: t }\nb: { run: x }', { plan: 'max_parallel: 1' });
    run.says('a', 'done');
    expect(run.claims()).toEqual(['a check#1']);
    run.says('a', 'passed');
    expect(run.claims()).toEqual(['b#1']);
  });

  test('ignores reports of an earlier check', () => {
    const run = given('a: { prompt: x, check: t }', { plan: 'attempts: 3' });
    run.says('a', 'done', 'failed', 'done');
    expect(run.hears({ type: 'finished', ...CHECK, spend: NO_COST, result: OK })).toEqual([]);
    expect(run.claims()).toEqual(['a check#2']);
  });
});

describe('the merge queue', () => {
  const three = 'a: { run: x }\nb: { run: x }\nc: { run: x }';

  const ten = Array.from({ length: 10 }, (_, at) => `t${at}: { run: x }`).join('\n');
  const toMerge = (run: Run): readonly string[] => run.merges().map(({ task, attempt }) => `${task}#${attempt}`);

  test('has several merges at once, in the order in which tasks finished', () => {
    const run = given(three, merged);
    run.says('c', 'done');
    run.says('b', 'done');
    run.says('a', 'done');
    expect(run.claims()).toEqual(['c merge#1', 'b merge#1', 'a merge#1']);
    expect(toMerge(run)).toEqual(['c#1', 'b#1', 'a#1']);
    run.says('c', 'merged');
    expect(toMerge(run)).toEqual(['b#1', 'a#1']);
  });

  test('takes a slot of the cap where the merged tree is checked, and goes before steps that have not begun', () => {
    const run = given('a: { run: x, check: t }\nb: { run: x }\nc: { run: x }', { ...merged, plan: 'max_parallel: 2' });
    run.says('a', 'done', 'passed');
    expect(run.claims()).toEqual(['b#1', 'a merge#1']);
    run.says('a', 'failed');
    expect(run.claims()).toEqual(['b#1', 'c#1']);
  });

  test('takes no slot where nothing is checked', () => {
    const run = given('a: { run: x }\nb: { run: x }', { ...merged, plan: 'max_parallel: 1' });
    run.says('a', 'done');
    expect(run.claims()).toEqual(['a merge#1', 'b#1']);
  });

  test('passes over a task whose subplan has no slot left', () => {
    const tasks =
      's:\n  max_parallel: 1\n  tasks:\n    a: { run: x, check: t }\n    b: { run: x }\nc: { run: x, check: t }';
    const run = given(tasks, merged);
    run.says('s.a', 'done', 'passed');
    run.says('c', 'done', 'passed');
    expect(run.claims()).toEqual(['s.a merge#1', 'c merge#1']);
    run.says('s.a', 'outrun');
    expect(run.claims()).toEqual(['c merge#1', 's.a merge#2']);
  });

  test('has no more merges than its window, and the next when one is merged', () => {
    const run = given(ten, { ...merged, plan: 'max_parallel: 10' });
    for (let at = 9; at >= 0; at -= 1) run.says(`t${at}`, 'done');
    expect(toMerge(run)).toEqual(['t9#1', 't8#1', 't7#1', 't6#1', 't5#1', 't4#1', 't3#1', 't2#1']);
    run.says('t5', 'merged');
    expect(toMerge(run).at(-1)).toBe('t1#1');
  });

  const byPlan = { tree: 'auto', plan: 'max_parallel: 10\nmerge: { order: plan }' } as const;

  test('merges in the order of the plan where the plan says so, each task after the tasks before it', () => {
    const run = given('a: { run: x }\nb: { run: x }\nc: { run: x }\nd: { run: x }', byPlan);
    for (const task of ['d', 'c', 'b']) run.says(task, 'done');
    expect(toMerge(run)).toEqual([]);
    run.says('a', 'done');
    expect(toMerge(run)).toEqual(['a#1']);
    run.says('a', 'merged');
    expect(toMerge(run)).toEqual(['b#1']);
    run.cancel('c');
    run.says('b', 'merged');
    expect(toMerge(run)).toEqual(['d#1']);
  });

  test('merges a task after its needs, whatever the order of the plan', () => {
    const run = given('a: { needs: [c], run: x }\nb: { run: x }\nc: { run: x }', byPlan);
    run.says('b', 'done');
    expect(toMerge(run)).toEqual([]);
    run.says('c', 'done', 'merged');
    run.says('a', 'done');
    expect(toMerge(run)).toEqual(['a#1']);
    run.says('a', 'merged');
    run.says('b', 'merged');
    expect(run.endings()).toMatchObject({ a: 'done', b: 'done', c: 'done' });
  });

  test('keeps a task behind one that waits for a person', () => {
    const run = given('a: { needs: [ok], run: x }\nok: { gate: Go? }\nb: { run: x }', byPlan);
    run.says('b', 'done');
    expect(toMerge(run)).toEqual([]);
    run.says('ok', 'approve');
    run.says('a', 'done', 'merged');
    expect(toMerge(run)).toEqual(['b#1']);
  });

  test('puts an outrun task at its end, and merges it again', () => {
    const run = given(three, merged);
    run.says('a', 'done');
    run.says('b', 'done');
    run.says('a', 'outrun');
    expect(toMerge(run)).toEqual(['b#1', 'a#2']);
    run.says('b', 'merged');
    expect(
      run.hears({ type: 'outrun', work: 'merge', task: 'a', step: undefined, attempt: 1, spend: NO_COST }),
    ).toEqual([]);
    run.says('a', 'merged');
    expect(run.endings()).toMatchObject({ a: 'done', b: 'done' });
  });

  test('claims no merge while the run is paused', () => {
    const run = given(three, merged);
    run.pause();
    run.says('a', 'done');
    expect(run.claims()).toEqual(['b#1', 'c#1']);
    run.resume();
    expect(run.claims()).toEqual(['b#1', 'c#1', 'a merge#1']);
  });

  test('claims a merge again that was stopped without being cancelled', () => {
    const run = given('a: { run: x }', merged);
    run.says('a', 'done');
    expect(run.says('a', 'stopped')).toEqual(['claim.returned a merge (cancelled) uncounted', 'claim.made a merge']);
    expect(run.owed()).toEqual(['merge a merge#2']);
  });

  test('still owes a merge whose host was lost, cancelled or not: the host may have merged it', () => {
    const run = given('a: { run: x }', merged);
    run.says('a', 'done');
    expect(run.says('a', 'lost')).toEqual([]);
    expect(run.owed()).toEqual(['merge a merge#1']);
    run.cancel('a');
    expect(run.says('a', 'lost')).toEqual([]);
    expect(run.owed()).toEqual(['stop merge a merge#1']);
    run.says('a', 'merged');
    expect(run.endings()).toEqual({ a: 'done' });
  });
});

describe('an interrupted check', () => {
  test('is claimed again under another number, and a late report of the first has no effect', () => {
    const run = given('a: { run: x, check: t }');
    run.says('a', 'done');
    expect(run.says('a', 'stopped')).toEqual(['claim.returned a check (cancelled) uncounted', 'claim.made a check']);
    expect(run.owed()).toEqual(['check a check#2']);
    expect(run.hears({ type: 'finished', ...CHECK, spend: NO_COST, result: OK })).toEqual([]);
    run.says('a', 'passed');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('gives its slot back, so that another claim may go first', () => {
    const run = given('a: { run: x, check: t }\nb: { run: x }', { plan: 'max_parallel: 1' });
    run.says('a', 'done');
    run.pause();
    run.says('a', 'stopped');
    expect(run.claims()).toEqual([]);
    run.resume();
    expect(run.claims()).toEqual(['a check#2']);
  });

  test('is repeated as often as a task has attempts, and then its task has crashed', () => {
    const run = given('a: { run: x, check: t, attempts: 2 }');
    run.says('a', 'done', 'lost', 'lost');
    expect(run.owed()).toEqual(['check a check#3']);
    run.says('a', 'lost');
    expect(run.endings()).toEqual({ a: 'failed (crashed)' });
  });

  test('is repeated when its worker died or could not start; a check that ran too long has failed', () => {
    const run = given('a: { prompt: x, check: t, attempts: 3 }');
    const failed = (attempt: number, reason: Reason, isFinal = false): readonly string[] => {
      const result = { ...OK, ok: false, response: 'tail' };
      return run.hears({ type: 'failed', ...CHECK, attempt, spend: NO_COST, reason, isFinal, result });
    };
    run.says('a', 'done');
    expect(failed(1, 'crashed')).toEqual(['claim.returned a check (crashed)', 'claim.made a check']);
    expect(failed(2, 'refused')).toEqual(['claim.returned a check (crashed)', 'claim.made a check']);
    expect(failed(3, 'timeout')).toEqual(['claim.ended a check redo 1 failed (check)', 'claim.made a #2']);
    run.says('a', 'done');
    expect(failed(4, 'refused', true)).toEqual(['claim.ended a check redo 2 failed (check)', 'claim.made a #3']);
  });

  test('starts its count of losses again once it finishes', () => {
    const run = given('a: { prompt: x, check: t, attempts: 2 }');
    run.says('a', 'done', 'lost', 'lost', 'failed', 'done', 'lost', 'lost', 'passed');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('is not repeated when its task is cancelled', () => {
    const run = given('a: { run: x, check: t }');
    run.says('a', 'done');
    run.cancel('a');
    run.says('a', 'lost');
    expect(run.endings()).toEqual({ a: 'cancelled (cancelled)' });
  });
});
