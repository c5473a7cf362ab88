import { describe, expect, test } from 'vitest';
import { amendIn } from '../amend.given.ts';
import { fold } from '../apply/fold.ts';
import { given } from '../run.given.ts';

const said = (usd: number | undefined) => ({ said: {}, spend: { usd, tokens: usd === undefined ? usd : 0 } });
const agents = (usd: number, tokens = 0): string =>
  `agents: { bot: { use: scripted, reserve: { usd: ${usd}, tokens: ${tokens} } } }\nagent: bot`;

/** With a budget of 2 and a reservation of 1, a and c run first; then nothing is left for b. */
const STOPPED = [
  'a: { prompt: x }',
  'c: { prompt: x }',
  'b: { prompt: x, needs: [a] }',
  'd: { run: x, needs: [c] }',
  'e: { prompt: x, needs: [a] }',
].join('\n');

describe('a budget', () => {
  test('makes a step wait while other reservations use it up', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x }\nc: { prompt: x }', {
      plan: `budget: { usd: 2 }\n${agents(1)}`,
    });
    expect(run.claims()).toEqual(['a#1', 'b#1']);
    run.says('a', said(0.25));
    expect(run.claims()).toEqual(['b#1']);
    run.says('b', said(0.25));
    expect(run.claims()).toEqual(['c#1']);
    expect(run.spent()).toEqual({ usd: 0.5, tokens: 0 });
  });

  test('refuses a step for good when spending leaves too little, with the reason', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x, needs: [a] }', { plan: `budget: { usd: 2 }\n${agents(1)}` });
    expect(run.says('a', said(1.5))).toEqual([
      'claim.ended a done',
      'task.ended a done',
      'task.opened b',
      'step.skipped b failed (cost)',
      'task.ended b failed (cost)',
      'run.ended',
    ]);
  });

  test('is filled exactly by decimal parts', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x }\nc: { prompt: x }', {
      plan: `budget: { usd: 0.3 }\n${agents(0.1)}\nmax_parallel: 1`,
    });
    for (const task of ['a', 'b', 'c']) run.says(task, said(0.1));
    expect(run.endings()).toEqual({ a: 'done', b: 'done', c: 'done' });
    expect(run.spent().usd).toBe(0.3);
  });

  test('counts an unreported cost as its reservation', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x, needs: [a] }', { plan: `budget: { usd: 3 }\n${agents(2)}` });
    run.says('a', said(undefined));
    expect(run.spent()).toEqual({ usd: 2, tokens: 0 });
    expect(run.endings()).toMatchObject({ b: 'failed (cost)' });
  });

  test.each([
    [0.25, 1],
    [1.75, 1.75],
  ])('counts a cost of which only $%d is known as $%d: the reservation, or more', (usd, counted) => {
    const run = given('a: { prompt: x }', { plan: `budget: { usd: 3 }\n${agents(1)}` });
    const about = { task: 'a', step: 'main', attempt: 1 } as const;
    run.hears({ type: 'stopped', work: 'step', ...about, spend: { usd, tokens: 0 }, isPartial: true });
    expect(run.spent().usd).toBe(counted);
  });

  test('may be of tokens', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x, needs: [a] }', {
      plan: `budget: { tokens: 1000 }\n${agents(0, 600)}`,
    });
    run.says('a', { said: {}, spend: { usd: 0, tokens: undefined } });
    expect(run.endings()).toMatchObject({ b: 'failed (cost)' });
  });

  test('counts the cost of failed attempts', () => {
    const run = given('a: { prompt: x, attempts: 3 }', { plan: `budget: { usd: 2 }\n${agents(1)}` });
    run.says('a', { lost: 'timeout', spend: { usd: 0.75, tokens: 0 } });
    run.waits(60_000);
    run.says('a', { lost: 'timeout', spend: { usd: 0.75, tokens: 0 } });
    run.waits(60_000);
    expect(run.endings()).toEqual({ a: 'failed (cost)' });
    expect(run.spent().usd).toBe(1.5);
  });

  test('of a subplan bounds the tasks in it and nothing else', () => {
    const run = given('s:\n  budget: { usd: 1 }\n  tasks: { p: { prompt: x }, q: { prompt: x } }\nt: { prompt: x }', {
      plan: agents(1),
    });
    expect(run.claims()).toEqual(['s.p#1', 't#1']);
    run.says('s.p', said(0.5));
    expect(run.endings()).toMatchObject({ 's.q': 'failed (cost)', s: 'failed (cost)', t: 'not ended' });
  });

  test('of a task bounds its steps', () => {
    const run = given(
      'a:\n  budget: { usd: 1.5 }\n  steps:\n    - { id: p, prompt: x }\n    - { id: q, prompt: x }\n    - { id: r, run: x }',
      { plan: agents(1) },
    );
    run.says('a/p', said(0.75));
    expect(run.trace()).toContain('step.skipped a/q failed (cost)');
    expect(run.endings()).toEqual({ a: 'failed (cost)' });
  });

  test('that is exhausted stops an agent without a reservation, but not a command', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x, needs: [a] }\nc: { run: x, needs: [a] }', {
      plan: `budget: { usd: 1 }\n${agents(0)}`,
    });
    run.says('a', said(1.25));
    expect(run.endings()).toMatchObject({ b: 'failed (cost)' });
    expect(run.claims()).toEqual(['c#1']);
  });

  test('is exceeded by at most the excess of one turn over its reservation', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x, needs: [a] }', { plan: `budget: { usd: 1 }\n${agents(1)}` });
    run.says('a', said(4));
    expect(run.endings()).toMatchObject({ a: 'done', b: 'failed (cost)' });
  });

  test('lets running steps finish inside their reservations when it is reached', () => {
    const run = given(STOPPED, { plan: `budget: { usd: 2 }\n${agents(1)}` });
    run.says('a', said(1.5));
    expect(run.endings()).toMatchObject({ b: 'failed (cost)' });
    expect(run.owed()).toEqual(['work c#1']);
  });

  test('ends all running steps when it is reached, where the plan says stop', () => {
    const run = given(STOPPED, { plan: `budget: { usd: 2, at_ceiling: stop }\n${agents(1)}` });
    expect(run.says('a', said(1.5))).toContain('claim.cancelling c (cost)');
    expect(run.owed()).toEqual(['stop c#1']);
    run.says('c', 'stopped');
    expect(run.endings()).toEqual({
      a: 'done',
      b: 'failed (cost)',
      c: 'failed (cost)',
      d: 'cancelled (need)',
      e: 'failed (cost)',
    });
    expect(fold(run.log).ledger).toEqual(run.state().ledger);
  });

  test('of a subplan that says stop ends nothing outside the subplan', () => {
    const inner = 'tasks: { p: { prompt: x }, q: { prompt: x }, r: { prompt: x } }';
    const run = given(`s: { budget: { usd: 2, at_ceiling: stop }, ${inner} }\nt: { prompt: x }`, { plan: agents(1) });
    run.hears({
      type: 'spending',
      work: 'step',
      task: 's.p',
      step: 'main',
      attempt: 1,
      spend: { usd: 1.5, tokens: 0 },
    });
    expect(run.owed()).toEqual(['stop s.p#1', 'stop s.q#1', 'work t#1']);
    expect(run.state().ledger.run.isReached).toBe(false);
  });

  test('that was reached is tested again after a manual retry', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x, needs: [a] }', {
      plan: `budget: { usd: 2, at_ceiling: stop }\n${agents(1)}`,
    });
    run.says('a', said(1.5));
    expect(run.state().ledger.run.isReached).toBe(true);
    amendIn(run, 'a: { prompt: x }\nb: { prompt: x, needs: [a] }', {
      plan: `budget: { usd: 4, at_ceiling: stop }\n${agents(1)}`,
    });
    run.retry('b');
    expect(run.claims()).toEqual(['b#1']);
  });

  test("reserves the cost of earlier turns of the agent, where that exceeds the plan's reservation", () => {
    const tasks = ['a', 'b', 'c', 'd'].map((task) => `${task}: { prompt: x }`).join('\n');
    const run = given(tasks, { plan: `budget: { usd: 10 }\nmax_parallel: 1\n${agents(1)}` });
    const reserved: (number | undefined)[] = [];
    for (const [task, usd] of Object.entries({ a: 3, b: 0.5, c: 0.5, d: 0.5 })) {
      reserved.push(run.state().claims.values().next().value?.reserve.usd);
      run.says(task, said(usd));
    }
    // The upper quartile of 3; of 3 and 0.5; of 3 and twice 0.5.
    expect(reserved).toEqual([1, 3, 3, 3]);
    expect(run.endings()).toMatchObject({ d: 'done' });
  });

  test('does not start a turn that would exceed it, by the cost of earlier turns', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x, needs: [a] }', { plan: `budget: { usd: 3 }\n${agents(1)}` });
    run.says('a', said(1.75));
    expect(run.endings()).toMatchObject({ b: 'failed (cost)' });
  });

  test("of a task reserves by the cost of that task's turns, not of other tasks", () => {
    const run = given('a: { prompt: x }\nb: { prompt: x, needs: [a], budget: { usd: 1 } }', { plan: agents(1) });
    run.says('a', said(5));
    expect(run.claims()).toEqual(['b#1']);
  });

  test('still drops a step that waits for budget', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x }', { plan: `budget: { usd: 1 }\n${agents(1)}` });
    run.cancel('b');
    expect(run.endings()).toMatchObject({ b: 'cancelled (cancelled)' });
    run.says('a', said(0));
    expect(run.isEnded()).toBe(true);
  });
});

describe('the live cost of a step', () => {
  const spends = (task: string, usd: number, tokens = 0) =>
    ({ type: 'spending', work: 'step', task, step: 'main', attempt: 1, spend: { usd, tokens } }) as const;

  test('has no effect within the reservation', () => {
    const run = given('a: { prompt: x }', { plan: `budget: { usd: 2 }\n${agents(1, 10)}` });
    expect(run.hears(spends('a', 1, 10))).toEqual([]);
  });

  test('reduces the budget of others once it exceeds the reservation', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x, needs: [g] }\ng: { gate: Sure? }', {
      plan: `budget: { usd: 2 }\n${agents(1)}`,
    });
    expect(run.hears(spends('a', 1.5))).toEqual(['claim.raised a #1']);
    run.says('g', 'approve');
    expect(run.claims()).toEqual(['a#1']);
    run.says('a', said(0.75));
    expect(run.claims()).toEqual(['b#1']);
    expect(run.spent().usd).toBe(0.75);
  });

  test('ends the step, which fails for good, once a ceiling is exceeded', () => {
    const run = given('a: { prompt: x, attempts: 3 }', { plan: `budget: { usd: 2 }\n${agents(1)}` });
    expect(run.hears(spends('a', 2.5))).toEqual(['claim.raised a #1', 'claim.cancelling a (cost)']);
    expect(run.owed()).toEqual(['stop a#1']);
    run.says('a', 'stopped');
    expect(run.endings()).toEqual({ a: 'failed (cost)' });
  });

  test('does not throw away the work of a step that was done before it could be ended', () => {
    const run = given('a: { prompt: x }', { plan: `budget: { usd: 2 }\n${agents(1)}` });
    run.hears(spends('a', 2.5));
    run.says('a', { said: {}, spend: { usd: undefined, tokens: undefined } });
    expect(run.endings()).toEqual({ a: 'done' });
    expect(run.spent().usd).toBe(2.5);
  });

  test('counts together with all other running steps', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x }\nc: { prompt: x }', {
      plan: `budget: { usd: 3.5 }\n${agents(1)}`,
    });
    run.hears(spends('a', 1.25));
    run.hears(spends('b', 1.25));
    expect(run.owed()).toEqual(['work a#1', 'work b#1', 'work c#1']);
    run.hears(spends('c', 1.25));
    expect(run.owed()).toEqual(['work a#1', 'work b#1', 'stop c#1']);
  });

  test('may exceed only the tokens of its subplan', () => {
    const run = given('s: { budget: { tokens: 100 }, tasks: { p: { prompt: x } } }', { plan: agents(0, 60) });
    expect(run.hears({ ...spends('s.p', 0, 101) })).toEqual(['claim.raised s.p #1', 'claim.cancelling s.p (cost)']);
  });

  test('may end a step whose failure is ignored by on_error', () => {
    const run = given('a:\n  steps: [{ id: main, prompt: x, on_error: continue }, { id: q, run: x }]', {
      plan: `budget: { usd: 1 }\n${agents(1)}`,
    });
    run.hears(spends('a', 2));
    run.says('a/main', 'stopped');
    expect(run.trace()).toContain('claim.ended a failed (cost)');
    expect(run.claims()).toEqual(['a/q#1']);
  });

  test('has no effect for a command, or for a step that is over', () => {
    const run = given('a: { run: x }\nb: { prompt: x }', { plan: `budget: { usd: 1 }\n${agents(1)}` });
    expect(run.hears(spends('a', 5))).toEqual([]);
    run.says('b', said(0));
    expect(run.hears(spends('b', 5))).toEqual([]);
  });
});
