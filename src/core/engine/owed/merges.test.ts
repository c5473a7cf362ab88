import { describe, expect, test } from 'vitest';
import { mergesOf, type MergeRequest } from './merges.ts';
import { checksOf, checksOfRun } from './task-checks.ts';
import { given, type Run } from '../run.given.ts';

const merged = { tree: 'auto', base: 'base' } as const;
const toMerge = (run: Run): readonly MergeRequest[] => mergesOf(run.state(), { inputs: { who: 'them' }, env: {} });

describe('what is to be merged', () => {
  test('says all that the merge queue must know', () => {
    const run = given('a: { prompt: "Greet {{ inputs.who }}", check: npm test }', {
      ...merged,
      plan: 'inputs: { who: { type: string } }\nmerge: { check: make }\ntimeout: 5m',
      inputs: { who: 'them' },
    });
    run.says('a', { said: { commit: 'tip of a' } });
    run.waits(5);
    run.says('a', 'passed');
    expect(toMerge(run)).toEqual([
      {
        task: 'a',
        attempt: 1,
        tip: 'tip of a',
        base: 'base',
        at: 5,
        intent: 'Greet them',
        answer: 'said',
        agents: [{ use: 'scripted', model: undefined }],
        take: [],
        checks: ['npm test', 'make'],
        limits: { timeoutMs: 300_000, idleTimeoutMs: expect.any(Number) },
        hasConflicted: false,
        isToStop: false,
      },
    ]);
  });

  test('names a check once, and none where there is none', () => {
    const run = given('a: { run: x, check: make }\nb: { run: x }', { ...merged, plan: 'merge: { check: make }' });
    run.says('a', 'done', 'passed');
    run.says('b', 'done');
    expect(toMerge(run).map(({ checks }) => checks)).toEqual([['make'], ['make']]);
    const without = given('a: { run: x }', merged);
    without.says('a', 'done');
    expect(toMerge(without)[0]).toMatchObject({ checks: [], tip: undefined, intent: 'x' });
  });

  test('must pass the checks of those it conflicted with, however often it goes back', () => {
    const run = given('a: { prompt: x, check: one }\nb: { gate: Go? }\nc: { run: x, check: two }', merged);
    run.says('a', 'done', 'passed', { conflictsWith: ['c'] }, 'done', 'passed');
    run.says('a', { conflictsWith: ['b'] }, 'done', 'failed', 'done', 'passed');
    expect(toMerge(run)[0]).toMatchObject({ checks: ['one', 'two'], hasConflicted: true });
  });

  test('has to pass what the plan says of each task, whether it is at work or not', () => {
    const run = given('a: { run: x, check: one }\nb: { run: x }\nc: { gate: Go? }', {
      ...merged,
      plan: 'merge: { check: make }',
    });
    const of = (task: string) => checksOf(run.state(), task, { inputs: {}, env: {} });
    expect(['a', 'b', 'c', 'd'].map(of)).toEqual([['one', 'make'], ['make'], ['make'], undefined]);
  });

  test('passes checks with the values of its own task, and the check of merges with those of the run', () => {
    const run = given(
      `f: { for_each: { in: ["it's", b], task: { run: x, check: "test {{ item }} {{ steps.main.response }}" } } }`,
      { ...merged, plan: 'inputs: { who: me }\nmerge: { check: "make {{ inputs.who }}" }', inputs: { who: 'me' } },
    );
    for (const task of ['f.1', 'f.b']) run.says(task, { said: { commit: 'tip' } }, 'passed');
    const ofMerge = `HEDDLE_VALUE_1='them'; make "$HEDDLE_VALUE_1"`;
    const ofSecond = `HEDDLE_VALUE_1='b'; HEDDLE_VALUE_2='said'; test "$HEDDLE_VALUE_1" "$HEDDLE_VALUE_2"`;
    expect(toMerge(run).map(({ checks }) => checks)).toEqual([
      [`HEDDLE_VALUE_1='it'\\''s'; HEDDLE_VALUE_2='said'; test "$HEDDLE_VALUE_1" "$HEDDLE_VALUE_2"`, ofMerge],
      [ofSecond, ofMerge],
    ]);
    run.says('f.b', 'merged');
    expect(checksOfRun(run.state(), { inputs: { who: 'them' }, env: {} })).toEqual([ofMerge, ofSecond]);
  });

  test('fails a check of merges that lacks a value with the reason', () => {
    const run = given('a: { run: x }', { ...merged, plan: 'env: [AREA]\nmerge: { check: "make {{ env.AREA }}" }' });
    run.says('a', 'done');
    expect(toMerge(run)[0]?.checks).toEqual([`printf '%s\\n' '\`env.AREA\` has no value' >&2; exit 1`]);
  });

  test('says of one that is cancelled that it is to stop', () => {
    const run = given('a: { run: x }', merged);
    run.says('a', 'done');
    run.cancel('a');
    expect(toMerge(run)[0]).toMatchObject({ task: 'a', isToStop: true });
  });

  test('keeps a long intent short', () => {
    const run = given(`a: { run: x, description: ${'long '.repeat(2_000)} }`, merged);
    run.says('a', 'done');
    expect(toMerge(run)[0]?.intent).toHaveLength(4_001);
  });
});
