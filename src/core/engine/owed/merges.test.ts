import { describe, expect, test } from 'vitest';
import { checksOf, mergesOf, type MergeRequest } from './merges.ts';
import { compiled, given, type Run } from '../run.given.ts';

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
    const plan = compiled('a: { run: x, check: one }\nb: { run: x }\nc: { gate: Go? }', {
      tree: 'auto',
      plan: 'merge: { check: make }',
    });
    expect(['a', 'b', 'c', 'd'].map((task) => checksOf(plan, task))).toEqual([
      ['one', 'make'],
      ['make'],
      ['make'],
      undefined,
    ]);
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
