import { describe, expect, test } from 'vitest';
import { checksOfRun } from './task-checks.ts';
import { given } from '../run.given.ts';

const merged = { tree: 'auto', base: 'base' } as const;

describe('the work of a merge', () => {
  test('has all input of the merge queue', () => {
    const run = given('a: { prompt: "Greet {{ inputs.who }}", check: npm test }', {
      ...merged,
      plan: 'inputs: { who: { type: string } }\nmerge: { check: make }\ntimeout: 5m',
      inputs: { who: 'them' },
    });
    run.says('a', { said: { commit: 'tip of a' } });
    run.waits(5);
    run.says('a', 'passed');
    expect(run.merges({ who: 'them' })).toEqual([
      {
        type: 'merge',
        work: 'merge',
        task: 'a',
        step: undefined,
        attempt: 1,
        tip: 'tip of a',
        base: 'base',
        at: 5,
        intent: 'Greet them',
        answer: 'said',
        agents: [{ use: 'scripted', model: undefined }],
        take: [],
        checks: ['npm test', 'make'],
        checksOfDone: {},
        after: undefined,
        hasConflicted: false,
      },
    ]);
  });

  test('lists a check once, and no check where there is none', () => {
    const run = given('a: { run: x, check: make }\nb: { run: x }', { ...merged, plan: 'merge: { check: make }' });
    run.says('a', 'done', 'passed');
    run.says('b', 'done');
    expect(run.merges().map(({ checks }) => checks)).toEqual([['make'], ['make']]);
    const without = given('a: { run: x }', merged);
    without.says('a', 'done');
    expect(without.merges()[0]).toMatchObject({ checks: [], tip: undefined, intent: 'x' });
  });

  test('includes the checks of tasks that it conflicted with, however often it goes back', () => {
    const run = given('a: { prompt: x, check: one }\nb: { gate: Go? }\nc: { run: x, check: two }', merged);
    run.says('a', 'done', 'passed', { conflictsWith: ['c'] }, 'done', 'passed');
    run.says('a', { conflictsWith: ['b'] }, 'done', 'failed', 'done', 'passed');
    expect(run.merges()[0]).toMatchObject({ checks: ['one', 'two'], hasConflicted: true });
  });

  test('renders checks with the values of their own task, and the check of merges with the values of the run', () => {
    const run = given(
      `f: { for_each: { in: ["it's", b], task: { run: x, check: "test {{ item }} {{ steps.main.response }}" } } }`,
      { ...merged, plan: 'inputs: { who: me }\nmerge: { check: "make {{ inputs.who }}" }', inputs: { who: 'me' } },
    );
    for (const task of ['f.1', 'f.b']) run.says(task, { said: { commit: 'tip' } }, 'passed');
    const ofMerge = `HEDDLE_VALUE_1='them'; make "$HEDDLE_VALUE_1"`;
    const ofSecond = `HEDDLE_VALUE_1='b'; HEDDLE_VALUE_2='said'; test "$HEDDLE_VALUE_1" "$HEDDLE_VALUE_2"`;
    expect(run.merges({ who: 'them' }).map(({ checks }) => checks)).toEqual([
      [`HEDDLE_VALUE_1='it'\\''s'; HEDDLE_VALUE_2='said'; test "$HEDDLE_VALUE_1" "$HEDDLE_VALUE_2"`, ofMerge],
      [ofSecond, ofMerge],
    ]);
    run.says('f.b', 'merged');
    expect(run.merges({ who: 'them' })[0]?.checksOfDone).toEqual({ 'f.b': [ofSecond, ofMerge] });
    expect(checksOfRun(run.state(), { inputs: { who: 'them' }, env: {} })).toEqual([ofMerge, ofSecond]);
  });

  test('fails a check of merges that lacks a value, with the reason', () => {
    const run = given('a: { run: x }', { ...merged, plan: 'env: [AREA]\nmerge: { check: "make {{ env.AREA }}" }' });
    run.says('a', 'done');
    expect(run.merges()[0]?.checks).toEqual([`printf '%s\\n' '\`env.AREA\` has no value' >&2; exit 1`]);
  });

  test('includes the checks of every done task, for conflicts that were resolved before', () => {
    const run = given('a: { run: x, check: one }\nb: { run: x }\nc: { gate: Go? }\nd: { run: x }', {
      ...merged,
      plan: 'merge: { check: make }',
    });
    run.says('a', 'done', 'passed', 'merged');
    run.says('c', 'approve');
    run.says('d', 'done');
    expect(run.merges()[0]?.checksOfDone).toEqual({ a: ['one', 'make'], c: ['make'] });
  });

  test('shortens a long intent', () => {
    const run = given(`a: { run: x, description: ${'long '.repeat(2_000)} }`, merged);
    run.says('a', 'done');
    expect(run.merges()[0]?.intent).toHaveLength(4_001);
  });
});
