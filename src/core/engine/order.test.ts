import { describe, expect, test } from 'vitest';
import { given } from './run.given.ts';

describe('a hold', () => {
  const first = { task: 0, step: 0 };
  const second = { task: 1, step: 0 };
  const third = { task: 2, step: 0 };

  test('keeps an enabled step waiting until another step has begun', () => {
    const tasks = 'a: { run: x }\nb: { run: x }\nc: { needs: [a], run: x }';
    const run = given(tasks, { holds: [{ held: second, until: third }] });
    expect(run.claims()).toEqual(['a#1']);
    run.says('a', 'done');
    expect(run.claims()).toEqual(['c#1', 'b#1']);
  });

  test('never leaves a run idle', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }', { holds: [{ held: first, until: second }] });
    expect(run.claims()).toEqual(['a#1']);
  });

  test('is over when the other step will not run', () => {
    const tasks = 'a: { run: x, attempts: 1 }\nb: { run: x }\nc: { needs: [a], run: x }\nd: { run: x }';
    const run = given(tasks, { holds: [{ held: second, until: third }] });
    expect(run.claims()).toEqual(['a#1', 'd#1']);
    run.says('a', 'failed');
    expect(run.claims()).toEqual(['d#1', 'b#1']);
  });
});

test('without priorities steps start in the order of the plan', () => {
  const tasks = 'c: { run: x }\na: { tasks: { z: { run: x }, y: { run: x } } }\nb: { run: x }';
  const run = given(tasks, { plan: 'max_parallel: 1' });
  const claimed: string[] = [];
  for (let [claim] = run.claims(); claim !== undefined; [claim] = run.claims()) {
    claimed.push(claim);
    run.says(claim.slice(0, claim.indexOf('#')), 'done');
  }
  expect(claimed).toEqual(['c#1', 'a.z#1', 'a.y#1', 'b#1']);
});
