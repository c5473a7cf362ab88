import { describe, expect, test } from 'vitest';
import { assert } from '../assert.ts';
import { compiled, given } from '../engine/run.given.ts';
import { estimateCheck, estimateStep, NO_HISTORY, RUN_DEFAULT_MS, type History } from './estimate.ts';
import { historyOf } from './history.ts';
import { pastWorkOf } from './past-work.ts';

function earlierRun(...ms: readonly number[]) {
  const run = given('a: { prompt: x }\nb: { needs: [a], run: x }');
  const [first = 0, second = 0] = ms;
  run.waits(first);
  run.says('a', 'done');
  run.waits(second);
  run.says('b', 'done');
  return run;
}

test('the estimate of a step is the median of its durations, and so is that of its agent', () => {
  const runs = [earlierRun(1_000, 10), earlierRun(9_000, 30), earlierRun(2_000, 20)];
  const history = historyOf(
    earlierRun().compiled,
    runs.map(({ log }) => pastWorkOf(log)),
  );
  expect([...history.steps]).toEqual([
    ['a/main', 2_000],
    ['b/main', 20],
  ]);
  expect([...history.agents]).toEqual([['ai', 2_000]]);
});

test('tasks that an earlier run has grown by count for themselves and for their agent', () => {
  const run = given('a: { run: x }');
  const grown = given('m: { tasks: { one: { prompt: x, agent: strong } } }', { plan: AGENTS });
  const [subplan] = grown.compiled.plan.tasks;
  assert(subplan?.type === 'subplan', 'It has tasks.');
  const fragment = { tasks: subplan.tasks };
  grown.waits(3_000);
  grown.says('m.one', 'done');
  const [started, ...rest] = grown.log;
  assert(started !== undefined, 'A run has started.');
  const event = {
    type: 'plan.grown',
    at: 0,
    draft: 'm.draft',
    fragment,
    priorities: { tasks: [], holds: [] },
  } as const;
  const history = historyOf(run.compiled, [pastWorkOf([started, event, ...rest])]);
  expect(history.steps.get('m.one/main')).toBe(3_000);
  expect([...history.agents]).toEqual([['strong', 3_000]]);
});

const AGENTS = 'agents: { ai: { use: scripted }, strong: { use: scripted } }';

test('a command without history is estimated like the other commands, the more of them are known', () => {
  const names = Array.from({ length: 30 }, (_, at) => `a${at}`);
  const run = given(`${names.map((name) => `${name}: { run: x }`).join('\n')}\nb: { needs: [a0], run: x }`, {
    plan: 'max_parallel: 32',
  });
  const unseen = run.compiled.tasks.at(-1)?.steps[0];
  assert(unseen !== undefined, 'The last task has a step.');
  const estimated = (): number => estimateStep(run.compiled, unseen, historyOf(run.compiled, [pastWorkOf(run.log)])).ms;
  expect(estimated()).toBe(RUN_DEFAULT_MS);
  run.waits(2_000);
  run.says('a0', 'done');
  expect(estimated()).toBeGreaterThan(10_000);
  for (const name of names.slice(1)) run.says(name, 'done');
  expect(estimated()).toBeLessThan(3_000);
});

test('an attempt that failed teaches nothing', () => {
  const run = given('a: { run: x }', { plan: 'attempts: 2' });
  run.waits(50_000);
  run.says('a', 'failed');
  run.waits(10_000);
  run.says('a', 'done');
  expect(historyOf(run.compiled, [pastWorkOf(run.log)]).steps.get('a/main')).toBe(0);
});

test('the estimate of a check is its median, and of an unseen check the median of the others', () => {
  const run = given('a: { run: x, check: y }\nb: { run: x, check: y }\nc: { needs: [a, b], run: x, check: y }');
  for (const [task, ms] of [
    ['a', 4_000],
    ['b', 2_000],
  ] as const) {
    run.says(task, 'done');
    run.waits(ms);
    run.says(task, 'passed');
  }
  const history = historyOf(run.compiled, [pastWorkOf(run.log)]);
  const checks = (known: History): readonly number[] =>
    run.compiled.tasks.map((task) => estimateCheck(run.compiled, task, known).ms);
  expect(checks(history)).toEqual([4_000, 2_000, 3_000]);
  expect(checks(NO_HISTORY)).toEqual([3_000, 3_000, 3_000]);
});

describe('a stated estimate', () => {
  const plan = 'a: { run: x, estimate: 1m }\nb: { needs: [a], estimate: 2m, steps: [{ run: x }, { run: y }] }';
  const run = (...ms: readonly number[]) => {
    const begun = given(plan);
    for (const [at, name] of ['a', 'b', 'b'].entries()) {
      begun.waits(ms[at] ?? 0);
      begun.says(name, 'done');
    }
    return begun;
  };
  const learntFrom = (...runs: readonly (readonly number[])[]) =>
    historyOf(
      compiled(plan),
      runs.map((ms) => pastWorkOf(run(...ms).log)),
    );

  test('is contradicted by three runs that took far longer, and gives way to their median', () => {
    const history = learntFrom([300_000, 60_000, 60_000], [240_000, 60_000, 60_000], [360_000, 60_000, 60_000]);
    expect(history.contradictions).toEqual([{ task: 'a', step: 'main', statedMs: 60_000, seenMs: 300_000, runs: 3 }]);
    const { tasks } = compiled(plan);
    const ofA = tasks[0]?.steps[0];
    assert(ofA !== undefined, 'The first task has a step.');
    expect(estimateStep(compiled(plan), ofA, history)).toMatchObject({ ms: 300_000, origin: 'earlier runs' });
  });

  test('of a task is compared with the sum of its steps', () => {
    // One step takes nearly all of it, as no even share would say.
    expect(learntFrom(...Array.from({ length: 5 }, () => [60_000, 110_000, 10_000])).contradictions).toEqual([]);
    const long = learntFrom(...Array.from({ length: 5 }, () => [60_000, 500_000, 10_000])).contradictions;
    expect(long).toEqual([{ task: 'b', step: undefined, statedMs: 120_000, seenMs: 510_000, runs: 5 }]);
  });

  test('is not contradicted by two runs, by a small difference, or by runs that scatter around it', () => {
    const ofA = (...all: readonly number[]) => learntFrom(...all.map((ms) => [ms, 60_000, 60_000])).contradictions;
    expect(ofA(300_000, 300_000)).toEqual([]);
    expect(ofA(80_000, 80_000, 80_000, 80_000)).toEqual([]);
    expect(ofA(10_000, 400_000, 30_000, 150_000)).toEqual([]);
  });
});
