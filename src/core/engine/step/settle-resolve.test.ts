import { describe, expect, test } from 'vitest';
import { assign } from '../owed/assign.ts';
import { given, type Run, type RunOptions } from '../run.given.ts';

const merged = { tree: 'auto', base: 'base' } as const;
const PAID = 'agents: { ai: { use: scripted, pool: ci, reserve: { usd: 1 } } }\nagent: ai\npools: { ci: 1 }';

/** A run whose task `a` has just met a conflict. */
function conflicted(task: string, options: RunOptions = {}): Run {
  const run = given(task, { ...merged, ...options });
  run.says('a', { said: { commit: 'tip' } }, 'conflict');
  return run;
}

const tipOf = (run: Run): string | undefined => run.merges()[0]?.tip;

const promptOf = (run: Run): string => {
  const effect = run.effects().find(({ type }) => type === 'work');
  const assigned = effect?.type === 'work' ? assign(run.state(), effect.claim, { inputs: {}, env: {} }) : undefined;
  const work = assigned?.type === 'assigned' ? assigned.assignment.work : undefined;
  return work?.type === 'turn' ? work.prompt : '';
};

/** The turn finished, and its resolution was refused. */
const refuse = (run: Run, attempt: number, response: string): void => {
  const result = { ok: false, response, output: undefined, exitCode: undefined, commit: undefined };
  const about = { task: 'a', step: 'main', attempt, spend: { usd: 0, tokens: 0 } };
  run.hears({ type: 'failed', work: 'resolve', ...about, reason: 'failed', isFinal: false, result });
};

describe('a conflict', () => {
  test('goes to the agent of the task, whose work is then merged again', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x }', merged);
    run.says('a', { said: { commit: 'tip of a' } });
    expect(run.says('a', { conflictsWith: ['b'] })).toEqual([
      'claim.ended a merge failed (conflict)',
      'claim.made a resolve #2',
    ]);
    expect(run.claims()).toEqual(['b#1', 'a#2']);
    run.says('a', { said: { commit: 'resolved' } });
    expect(run.claims()).toEqual(['b#1', 'a merge#2']);
    expect(tipOf(run)).toBe('resolved');
    run.says('a', 'merged');
    expect(run.endings()).toMatchObject({ a: 'done' });
  });

  test('is checked again after its resolution, before it is merged', () => {
    const run = given('a: { prompt: x, check: t }', merged);
    run.says('a', 'done', 'passed', 'conflict', 'done');
    expect(run.claims()).toEqual(['a check#2']);
    run.says('a', 'passed');
    expect(run.claims()).toEqual(['a merge#2']);
  });

  test('does not start another round of a loop after its resolution', () => {
    const loop = 'a:\n  repeat: { until: steps.p.cost < 0.5, max: 3 }\n  steps: [{ id: p, prompt: x }]';
    const run = given(loop, { ...merged, plan: PAID });
    run.says('a', { said: {}, spend: { usd: 0.1, tokens: 0 } }, 'conflict');
    run.says('a', { said: {}, spend: { usd: 0.9, tokens: 0 } });
    expect(run.claims()).toEqual(['a merge#2']);
  });

  test('goes to a person after as many turns of the agent as the plan allows', () => {
    const run = conflicted('a: { prompt: x }', { plan: 'merge: { conflict_attempts: 2 }' });
    run.says('a', 'done', 'conflict', 'done', 'conflict');
    expect(run.owed()).toEqual(['ask a#1']);
    expect(run.trace().filter((line) => line.startsWith('claim.made a resolve'))).toHaveLength(2);
  });

  test.each([
    ['the plan says to stop', 'a: { prompt: x }', 'merge: { on_conflict: stop }'],
    ['the agent is to have none', 'a: { prompt: x }', 'merge: { conflict_attempts: 0 }'],
    ['no agent works on the task', 'a: { run: x }', ''],
  ])('goes to a person at once when %s', (_, task, plan) => {
    expect(conflicted(task, { plan }).owed()).toEqual(['ask a#1']);
  });

  test('does not block other tasks', () => {
    const run = conflicted('a: { run: x }\nb: { run: x }\nc: { run: x, needs: [b] }');
    run.says('b', 'done', 'merged');
    expect(run.claims()).toEqual(['c#1']);
  });

  test('is over when its task is cancelled', () => {
    const run = conflicted('a: { run: x }');
    run.cancel('a');
    expect(run.endings()).toEqual({ a: 'cancelled (cancelled)' });
    expect(run.isEnded()).toBe(true);
  });

  test('ends the task when the task is being cancelled', () => {
    const run = given('a: { prompt: x }', merged);
    run.says('a', 'done');
    run.cancel('a');
    run.says('a', 'conflict');
    expect(run.endings()).toEqual({ a: 'cancelled (cancelled)' });
  });
});

test('a conflict waits for the account of the agent that resolves it, even when the step has other agents', () => {
  const run = given('a: { prompt: x }\nb: { agent: one, prompt: x }', {
    tree: 'auto',
    plan: 'agents: { one: { use: scripted }, two: { use: scripted } }\nagent: [one, two]',
  });
  run.says('a', { said: { commit: 'tip' } });
  run.says('b', { limitedUntil: 60_000 });
  run.says('a', 'conflict');
  expect(run.owed().filter((line) => line.startsWith('work'))).toEqual([]);
  run.waits(60_000);
  expect(run.owed()).toContain('work a#2');
});

describe('a person asked about a conflict', () => {
  test('may resolve it, and the resolution is checked and merged', () => {
    const run = given('a: { run: x, check: t }', merged);
    run.says('a', 'done', 'passed', 'conflict');
    expect(run.hears({ type: 'resolved', task: 'a', attempt: 1, commit: 'by hand' })).toEqual([
      'task.resolved a',
      'claim.made a check',
    ]);
    run.says('a', 'passed');
    expect(tipOf(run)).toBe('by hand');
  });

  test('may have it merged again unchanged', () => {
    const run = conflicted('a: { run: x }');
    run.says('a', 'approve');
    expect(tipOf(run)).toBe('tip');
  });

  test('may reject it, and the task fails', () => {
    const run = conflicted('a: { run: x }');
    run.says('a', 'reject');
    expect(run.endings()).toEqual({ a: 'failed (conflict)' });
  });

  test('cannot answer an earlier question', () => {
    const run = conflicted('a: { run: x }');
    run.says('a', 'approve', 'conflict');
    expect(run.owed()).toEqual(['ask a#2']);
    expect(run.hears({ type: 'resolved', task: 'a', attempt: 1, commit: undefined })).toEqual([]);
    expect(run.hears({ type: 'answered', task: 'a', step: undefined, attempt: 1, answer: 'reject' })).toEqual([]);
  });
});

describe("an agent's turn on a conflict", () => {
  test('holds a slot and the pool of its agent, and gives them back', () => {
    const run = conflicted('a: { prompt: x }\nb: { prompt: x, needs: [c] }\nc: { gate: Go? }', { plan: PAID });
    run.says('c', 'approve');
    expect(run.claims()).toEqual(['a#2']);
    run.says('a', 'done');
    expect(run.claims()).toEqual(['a merge#2', 'b#1']);
  });

  test('goes before steps that have not begun, and waits for its tokens', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x }\nc: { prompt: x }', { ...merged, plan: PAID });
    run.says('a', 'done');
    expect(run.claims()).toEqual(['a merge#1', 'b#1']);
    run.says('a', 'conflict');
    expect(run.claims()).toEqual(['b#1']);
    run.says('b', 'done');
    expect(run.claims()).toEqual(['a#2', 'b merge#1']);
  });

  test('is retried after a backoff, and a person is asked when the attempts are used up', () => {
    const run = conflicted('a: { prompt: x }', { plan: 'attempts: 2' });
    run.says('a', 'crashed');
    expect(run.claims()).toEqual([]);
    run.waits(60_000);
    expect(run.claims()).toEqual(['a#3']);
    expect(run.says('a', 'failed')).toEqual(['claim.asked a resolve (failed)']);
    expect(run.owed()).toEqual(['ask a#1']);
  });

  test('gets the reason why the turn before was refused, until there is another conflict', () => {
    const run = conflicted('a: { prompt: x }', { plan: 'attempts: 3' });
    const says = 'There are conflict markers in file.';
    expect(promptOf(run)).not.toContain('not taken');
    refuse(run, 2, says);
    run.waits(60_000);
    expect(promptOf(run)).toContain(`It was tried before and not taken:\n\n${says}`);
    run.says('a', 'lost');
    expect(promptOf(run)).toContain(says);
    run.says('a', 'done', 'conflict');
    expect(promptOf(run)).not.toContain(says);
  });

  test('goes to a person at once when a retry cannot help', () => {
    const run = conflicted('a: { prompt: x }', { plan: 'attempts: 3' });
    run.says('a', { lost: 'refused', isFinal: true });
    expect(run.owed()).toEqual(['ask a#1']);
  });

  test('is claimed again uncounted when it was lost or stopped', () => {
    const run = conflicted('a: { prompt: x }', { plan: 'attempts: 1' });
    run.says('a', 'lost', 'stopped');
    expect(run.claims()).toEqual(['a#4']);
    expect(run.trace()).toContain('claim.returned a resolve (crashed) uncounted');
  });

  test('ignores the report of an earlier attempt', () => {
    const run = conflicted('a: { prompt: x }');
    run.says('a', 'lost');
    const late = {
      type: 'stopped',
      work: 'step',
      task: 'a',
      step: 'main',
      attempt: 2,
      spend: { usd: 0, tokens: 0 },
    } as const;
    expect(run.hears(late)).toEqual([]);
    expect(run.claims()).toEqual(['a#3']);
  });

  test('closes the pool of its agent when the quota runs out', () => {
    const run = conflicted('a: { prompt: x }', { plan: PAID });
    expect(run.says('a', { limitedUntil: 100_000 })).toEqual([
      'claim.returned a resolve (quota) uncounted',
      'pool.closed ci',
    ]);
    run.waits(100_000);
    expect(run.claims()).toEqual(['a#3']);
  });

  test('is stopped and resumed with the run', () => {
    const run = conflicted('a: { prompt: x }');
    run.stop();
    expect(run.owed()).toEqual(['stop a#2']);
    run.says('a', 'stopped');
    expect(run.owed()).toEqual([]);
    run.resume();
    expect(run.claims()).toEqual(['a#3']);
  });

  test('is not claimed while the task is paused', () => {
    const run = given('a: { prompt: x }', merged);
    run.says('a', 'done');
    run.pause('a');
    run.says('a', 'conflict');
    expect(run.claims()).toEqual([]);
    run.resume('a');
    expect(run.claims()).toEqual(['a#2']);
  });

  test('is ended with its task, and its cost is counted', () => {
    const run = conflicted('a: { prompt: x }', { plan: PAID });
    run.cancel('a');
    expect(run.owed()).toEqual(['stop a#2']);
    run.says('a', { said: {}, spend: { usd: 0.4, tokens: 1 } });
    expect(run.endings()).toEqual({ a: 'cancelled (cancelled)' });
    expect(run.spent().usd).toBe(0.4);
  });
});

describe("the money of an agent's turn on a conflict", () => {
  test('is reserved and settled as for any turn', () => {
    const run = conflicted('a: { prompt: x }', { plan: PAID });
    expect(run.state().ledger.run.reserved.usd).toBe(1);
    run.says('a', 'lost');
    expect(run.spent().usd).toBe(1);
  });

  test('goes to a person when the budget is exhausted, and does not end the task', () => {
    const run = given('a: { prompt: x }', { ...merged, plan: `${PAID}\nbudget: { usd: 1.5 }` });
    run.says('a', { said: {}, spend: { usd: 0.8, tokens: 0 } });
    expect(run.says('a', 'conflict')).toEqual(['claim.ended a merge failed (conflict)', 'task.escalated a (cost)']);
    expect(run.owed()).toEqual(['ask a#1']);
    run.says('a', 'approve', 'merged');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('waits for other reservations', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x }', {
      ...merged,
      plan: 'agents: { ai: { use: scripted, reserve: { usd: 1 } } }\nagent: ai\nbudget: { usd: 2 }',
    });
    run.says('a', { said: {}, spend: { usd: 0.5, tokens: 0 } }, 'conflict');
    expect(run.claims()).toEqual(['b#1']);
    run.says('b', { said: {}, spend: { usd: 0.1, tokens: 0 } });
    expect(run.claims()).toEqual(['a#2', 'b merge#1']);
  });

  test('ends the turn when its live cost reaches a ceiling', () => {
    const run = conflicted('a: { prompt: x }', { plan: `${PAID}\nbudget: { usd: 2 }` });
    const spending = { type: 'spending', work: 'resolve', task: 'a', step: 'main', attempt: 2 } as const;
    expect(run.hears({ ...spending, spend: { usd: 3, tokens: 0 } })).toEqual([
      'claim.raised a resolve #2',
      'claim.cancelling a resolve (cost)',
    ]);
    run.says('a', { said: {}, spend: { usd: 3, tokens: 0 } });
    expect(run.owed()).toEqual(['ask a#1']);
    run.says('a', 'reject');
    expect(run.endings()).toEqual({ a: 'failed (conflict)' });
  });
});

describe('a check that fails after merging', () => {
  test('sends the task back to its agent, on the counter of its own check', () => {
    const run = given('a: { prompt: x, check: t }', { ...merged, plan: 'attempts: 3' });
    run.says('a', 'done', 'failed', 'done', 'passed');
    expect(run.says('a', 'failed')).toEqual(['claim.ended a merge redo 2 failed (check)', 'claim.made a #3']);
    run.says('a', 'done', 'passed', 'failed');
    expect(run.endings()).toEqual({ a: 'failed (check)' });
  });

  test('keeps its count during a conflict', () => {
    const run = given('a: { prompt: x }', { ...merged, plan: 'attempts: 2' });
    run.says('a', 'done', 'failed', 'done', 'conflict', 'done', 'failed');
    expect(run.endings()).toEqual({ a: 'failed (check)' });
  });

  test('fails a task without an agent', () => {
    const run = given('a: { run: x }', { ...merged, plan: 'attempts: 3' });
    run.says('a', 'done', 'failed');
    expect(run.endings()).toEqual({ a: 'failed (check)' });
  });

  test("does not send the task back when it fails without the task's work too", () => {
    const run = given('a: { prompt: x }', { ...merged, plan: 'attempts: 3' });
    expect(run.says('a', 'done', 'baseline').at(-2)).toBe('task.ended a failed (baseline)');
  });

  test('fails the task with the reason when it could not run at all', () => {
    const run = given('a: { prompt: x }', merged);
    run.says('a', 'done', 'refused');
    expect(run.state().tasks[0]?.ended).toEqual({ ending: 'failed', reason: 'refused', cause: 'tail' });
  });
});
