import { describe, expect, test } from 'vitest';
import { given, OK, type Run } from '../../engine/run.given.ts';
import { nameOfClaim } from './kept.ts';
import { reported } from './report.given.ts';
import { writeJson } from '../document/write-json.ts';
import { fold } from '../../engine/apply/fold.ts';

const SPENT = { usd: 0.25, tokens: 1_000 };

/** Two tasks side by side for 30 and 60 seconds, then one that fails after 10. */
function givenRun(): Run {
  const run = given('a: { prompt: x }\nb: { run: y }\nc: { needs: [a, b], run: z, attempts: 1 }');
  run.waits(30_000);
  run.says('a', { said: { ok: true }, spend: SPENT });
  run.waits(30_000);
  run.says('b', 'done');
  run.waits(10_000);
  run.says('c', { said: { ok: false, response: 'first\nlast words', exitCode: 3 } });
  return run;
}

describe('the times of a report', () => {
  test('cover the running claims, compared with serial execution and with the lower bound', () => {
    expect(reported(givenRun()).times).toEqual({
      elapsedMs: 70_000,
      makespanMs: 70_000,
      activeMs: 70_000,
      workMs: 100_000,
      boundMs: 70_000,
      speedUp: 100 / 70,
      timesBound: 1,
      peak: 2,
      pausedMs: 0,
      askingMs: 0,
    });
  });

  test('leave a bound below the makespan where the cap or a pause made the run longer', () => {
    const run = given('a: { run: x }\nb: { run: y }', { policy: 'serial' });
    run.waits(10_000);
    run.says('a', 'done');
    run.waits(10_000);
    run.says('b', 'done');
    expect(reported(run).times).toMatchObject({ makespanMs: 20_000, boundMs: 10_000, timesBound: 2, peak: 1 });
  });

  test('say how long all stood still because it was paused, or a person was asked', () => {
    const run = given('a: { run: x }\nok: { needs: a, gate: Go? }\nb: { needs: ok, run: y }');
    run.pause();
    run.waits(5_000);
    run.says('a', 'done');
    run.waits(7_000);
    run.resume();
    run.waits(11_000);
    run.says('ok', 'approve');
    run.waits(1_000);
    run.says('b', 'done');
    // What nobody could have made shorter counts neither for nor against the schedule.
    expect(reported(run).times).toMatchObject({
      makespanMs: 24_000,
      activeMs: 6_000,
      boundMs: 6_000,
      speedUp: 1,
      pausedMs: 7_000,
      askingMs: 11_000,
    });
  });

  test('do not count the waits of merges for each other', () => {
    const run = given('a: { run: x }\nb: { run: y }', { tree: 'auto', base: 'base' });
    run.waits(10_000);
    run.says('a', { said: { ok: true, commit: 'one' } });
    run.says('b', { said: { ok: true, commit: 'two' } });
    run.waits(2_000);
    run.says('a', 'merged');
    run.waits(3_000);
    run.says('b', 'merged');
    const { times, spans } = reported(run);
    expect(spans.filter(({ type }) => type === 'merge').map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [10_000, 12_000],
      [10_000, 15_000],
    ]);
    expect(times).toMatchObject({ activeMs: 15_000, workMs: 10_000 + 10_000 + 2_000 + 3_000, speedUp: 25 / 15 });
  });

  test('of an active run are as of its latest event', () => {
    const run = given('a: { run: x }\nb: { run: y }');
    run.waits(4_000);
    run.says('a', 'done');
    const report = reported(run);
    expect(report).toMatchObject({ stage: 'going', result: undefined, asOf: 4_000 });
    expect(report.spans.find(({ task }) => task === 'b')).toMatchObject({ result: 'working', endMs: undefined });
    expect(report.times).toMatchObject({ makespanMs: 4_000, workMs: 8_000, peak: 2 });
  });
});

test('two reports of one log are the same, byte for byte', () => {
  const run = givenRun();
  const again = fold(run.log);
  expect(writeJson(reported({ ...run, state: () => again }))).toBe(writeJson(reported(run)));
  expect(writeJson(reported(run))).not.toContain('undefined');
});

describe('a failure', () => {
  test('has its reason and the last lines of its output', () => {
    expect(reported(givenRun()).failures).toEqual([
      {
        task: 'c',
        step: 'main',
        attempt: 1,
        reason: 'failed',
        cause: undefined,
        exitCode: 3,
        output: 'first\nlast words',
      },
    ]);
    const outputs = new Map([[nameOfClaim({ task: 'c', step: 'main', attempt: 1 }), 'as it was printed']]);
    expect(reported(givenRun(), { outputs }).failures[0]?.output).toBe('as it was printed');
  });

  test('of a check has the output of the check that last sent the task back', () => {
    const run = given('a: { prompt: x, check: y, attempts: 2 }');
    run.says('a', 'done', 'failed', 'done', 'failed');
    const report = reported(run);
    expect(run.isEnded()).toBe(true);
    expect(report.failures).toMatchObject([{ task: 'a', reason: 'check', output: 'tail' }]);
    expect(report.checks).toMatchObject({ passed: 0, failed: 2, baseline: [] });
    const outputs = new Map([[nameOfClaim({ task: 'a', step: undefined, attempt: 2 }), 'of the second check']]);
    expect(reported(run, { outputs }).failures[0]?.output).toBe('of the second check');
  });

  test('only because the check fails without its work as well is not blamed on it', () => {
    const run = given('a: { prompt: x }', { tree: 'auto', base: 'base', plan: 'merge: { check: test }\n' });
    run.says('a', { said: { ok: true, commit: 'tip' } }, 'baseline');
    expect(reported(run).checks).toMatchObject({ baseline: ['a'], merged: 0 });
    expect(reported(run).tasks[0]).toMatchObject({ state: 'failed', reason: 'baseline', commit: 'tip' });
  });
});

test('a check that fails and then passes on the same commit is called flaky', () => {
  const commit = { ok: true, commit: 'same' };
  const run = given('a: { prompt: x, check: y, attempts: 3 }\nb: { prompt: x, check: y, attempts: 3 }');
  run.says('a', { said: commit }, 'failed', { said: commit }, 'passed');
  run.says('b', { said: commit }, 'failed', { said: { ok: true, commit: 'other' } }, 'passed');
  expect(reported(run).checks).toMatchObject({ passed: 2, failed: 2, flaky: ['a'] });
});

describe('the agents of a run', () => {
  test('are listed with their cost, and an unreported cost counts as its reservation', () => {
    const run = given('a: { prompt: x }\nb: { prompt: y, agent: other }\nc: { run: z }', {
      plan: 'agents: { ai: { use: scripted, model: big }, other: { use: scripted } }\nagent: ai\n',
    });
    run.waits(2_000);
    run.says('a', { said: { ok: true }, spend: SPENT });
    run.says('b', { said: { ok: true }, spend: { usd: undefined, tokens: undefined } });
    run.says('c', 'done');
    const turns = new Map([
      [
        nameOfClaim({ task: 'a', step: 'main', attempt: 1 }),
        { model: 'big-2', usage: { input: 5, cached: 3, output: 2, usd: 0.25 } },
      ],
    ]);
    const { agents, budgets, tasks } = reported(run, { turns });
    expect(agents).toEqual([
      {
        agent: 'ai',
        use: 'scripted',
        models: ['big', 'big-2'],
        turns: 1,
        done: 1,
        workMs: 2_000,
        usd: 0.25,
        tokens: 1_000,
        usage: { input: 5, cached: 3, output: 2 },
        unreported: 0,
      },
      expect.objectContaining({ agent: 'other', usd: 0.5, tokens: 100_000, usage: undefined, unreported: 1 }),
    ]);
    expect(budgets[0]).toMatchObject({ task: undefined, spent: { usd: 0.75, tokens: 101_000 } });
    expect(tasks.map(({ task, agents: by }) => `${task}: ${by.join()}`)).toEqual(['a: ai', 'b: other', 'c: ']);
  });

  test('is the agent that took over, where the first could not', () => {
    const run = given('a: { prompt: x, agent: [ai, other] }', {
      plan: 'pools: { one: 1, two: 1 }\nagents: { ai: { use: scripted, pool: one }, other: { use: scripted, pool: two } }\n',
    });
    run.waits(1_000);
    run.says('a', { lost: 'authentication', isFinal: true });
    run.waits(3_000);
    run.says('a', 'done');
    const { agents, pools, spans } = reported(run);
    expect(agents.map(({ agent, turns, done }) => `${agent} ${turns} ${done}`)).toEqual(['ai 1 0', 'other 1 1']);
    expect(pools.map(({ name, heldMs }) => `${name} ${heldMs}`)).toEqual(['one 1000', 'two 3000']);
    expect(spans[0]).toMatchObject({ result: 'returned', reason: 'authentication' });
  });
});

test('pools are listed with the most tokens held and the share of the time', () => {
  const run = given('a: { run: x, pools: { ci: 2 } }\nb: { run: y, pools: { ci: 1 } }', {
    plan: 'pools: { ci: 4, no: 1 }\n',
  });
  run.waits(5_000);
  run.says('a', 'done');
  run.waits(5_000);
  run.says('b', 'done');
  expect(reported(run).pools).toEqual([
    { name: 'ci', size: 4, peak: 3, heldMs: 20_000, share: 0.5, closings: 0, throttlings: 0 },
    { name: 'no', size: 1, peak: 0, heldMs: 0, share: 0, closings: 0, throttlings: 0 },
  ]);
});

test('an exhausted account is a timeline entry, and counts for its pool', () => {
  const run = given('a: { prompt: x }', {
    plan: 'pools: { one: 1 }\nagents: { ai: { use: scripted, pool: one } }\n',
  });
  run.says('a', { limitedUntil: 90_000, pool: 'one' });
  run.waits(100_000);
  run.says('a', 'done');
  const { timeline, pools } = reported(run);
  expect(timeline.map(({ type, atMs, text }) => `${type} ${atMs} ${text}`)).toEqual([
    'quota 0 The pool one closed: no quota for 90 s.',
    'quota 100000 The pool one opened again.',
    'ended 100000 Ended.',
  ]);
  expect(pools[0]).toMatchObject({ closings: 1 });
});

test('lost workers, pauses and retries are timeline entries', () => {
  const run = given('a: { run: x, attempts: 1 }');
  run.says('a', 'lost');
  run.pause();
  run.resume();
  run.waits(60_000);
  run.says('a', 'failed');
  run.retry();
  expect(reported(run).timeline.map(({ type, text }) => `${type}: ${text}`)).toEqual([
    'lost: The worker of the step main of a was lost; it is done again.',
    'paused: Paused.',
    'resumed: Resumed.',
    'ended: Ended.',
    'retried: To be done again: a.',
  ]);
});

describe('a question', () => {
  test('has the answers of people', () => {
    const run = given('a: { prompt: x }\nok: { gate: Ship it? }\nno: { gate: And this? }');
    run.waits(1_000);
    run.says('ok', 'approve');
    run.waits(1_000);
    run.says('no', 'reject');
    expect(reported(run).questions).toEqual([
      { type: 'gate', task: 'ok', step: undefined, text: 'Ship it?', startMs: 0, endMs: 1_000, answer: 'approved' },
      { type: 'gate', task: 'no', step: undefined, text: 'And this?', startMs: 0, endMs: 2_000, answer: 'rejected' },
    ]);
  });

  test('of an agent has its text and the answer', () => {
    const run = given('a: { prompt: x }');
    run.hears({
      type: 'asked',
      work: 'step',
      task: 'a',
      step: 'main',
      attempt: 1,
      question: 'Which one?',
      spend: SPENT,
      result: OK,
      conversation: undefined,
    });
    expect(reported(run).questions).toMatchObject([
      { type: 'question', step: 'main', text: 'Which one?', answer: undefined },
    ]);
    run.hears({ type: 'replied', task: 'a', step: 'main', attempt: 1, text: 'The first.' });
    expect(reported(run).questions).toMatchObject([{ answer: 'answered: The first.' }]);
  });
});

describe('a conflict', () => {
  const conflicting = (): Run => {
    const run = given('a: { prompt: x }', { tree: 'auto', base: 'base' });
    run.says('a', { said: { ok: true, commit: 'tip' } }, { conflictsWith: ['b'] });
    return run;
  };

  test('resolved by its agent has the number of turns', () => {
    const run = conflicting();
    run.waits(1_000);
    run.says('a', { said: { ok: true, commit: 'fits' } }, 'merged');
    expect(reported(run).conflicts).toEqual([
      { task: 'a', with: ['b'], paths: ['file'], atMs: 0, turns: 1, resolvedBy: 'agent' },
    ]);
    expect(reported(run).tasks[0]).toMatchObject({ state: 'completed', commit: 'commit of a' });
  });

  test('without a resolution is open', () => {
    expect(reported(conflicting()).conflicts).toMatchObject([{ resolvedBy: undefined, turns: 1 }]);
  });
});

test('a run of many tasks is reported in full', () => {
  const run = given(Array.from({ length: 2_000 }, (_, index) => `t${index}: { run: x }`).join('\n'), {
    plan: 'max_parallel: 32\n',
  });
  for (let count = 0; count < 200; count += 1) {
    const [claim = ''] = run.claims();
    run.waits(10);
    run.says(claim.split('#')[0] ?? '', 'done');
  }
  const report = reported(run);
  expect(report.total).toBe(2_000);
  expect(report.counts.completed).toBe(200);
});
