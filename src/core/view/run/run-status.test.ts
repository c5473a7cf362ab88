import { describe, expect, test } from 'vitest';
import { given, type Run } from '../../engine/run.given.ts';
import { statusOf, type Status } from './run-status.ts';
import type { TaskStatus } from './task-tree.ts';

const statusAt = (run: Run): Status => statusOf(run.state(), { now: run.now(), given: { inputs: {}, env: {} } });

function lineOf({ task, state, stage, reason, attempts, elapsedMs, isPaused }: TaskStatus): string {
  const parts = [
    task,
    state,
    stage,
    reason,
    `${attempts} attempts`,
    elapsedMs === undefined ? undefined : `${elapsedMs} ms`,
  ];
  return [...parts, isPaused ? 'paused' : undefined].filter((part) => part !== undefined).join(' ');
}

const linesOf = (rows: readonly TaskStatus[]): readonly string[] =>
  rows.flatMap((row) => [lineOf(row), ...linesOf(row.children)]);

describe('the status of a run', () => {
  test('gives the stage of each task, in a tree', () => {
    const run = given(
      's:\n  max_parallel: 1\n  tasks:\n    p: { run: x }\n    q: { run: x }\n    r: { needs: [p], run: x }\nt: { needs: [s], run: x }\nu: { gate: Go? }',
      { plan: 'attempts: 2' },
    );
    run.waits(1000);
    run.says('s.p', 'crashed');
    run.waits(5000);
    run.says('s.q', 'done');
    run.waits(1000);
    expect(linesOf(statusAt(run).tasks)).toMatchInlineSnapshot(`
      [
        "s running open 0 attempts 7000 ms",
        "s.p running working 2 attempts 7000 ms",
        "s.q completed done 1 attempts 5000 ms",
        "s.r pending waiting 0 attempts",
        "t pending waiting 0 attempts",
        "u running asking 0 attempts 7000 ms",
      ]
    `);
  });

  test('counts tasks other than subplans, and names running, asking and paused ones', () => {
    const run = given(
      'a: { run: x, estimate: 1m }\nb: { gate: "Is {{ inputs.who }} ready?" }\nc: { run: x }\nd: { needs: [c], run: x }',
      {
        plan: 'max_parallel: 2\ninputs: { who: string }',
      },
    );
    run.waits(30_000);
    run.says('c', 'done');
    run.hears({ type: 'pause', tasks: ['d'] });
    const status = statusOf(run.state(), { now: run.now(), given: { inputs: { who: 'Ada' }, env: {} } });
    expect(status).toMatchObject({
      name: 'given',
      stage: 'going',
      elapsedMs: 30_000,
      counts: { pending: 0, running: 3, completed: 1, failed: 0 },
      total: 4,
      cap: { size: 2, held: 2 },
      paused: ['d'],
      questions: [{ task: 'b', step: undefined, text: 'Is Ada ready?', answers: ['approve', 'reject'] }],
      running: [
        { task: 'a', step: 'main', attempt: 1, elapsedMs: 30_000, estimateMs: 60_000, isStopping: false },
        { task: 'd', elapsedMs: 0, estimateMs: undefined },
      ],
    });
  });

  test('gives the tokens held of pools, when they open again, and the spending of each budget', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x }', {
      plan: 'pools: { p: 3, q: 1 }\nbudget: { usd: 5 }\nagents: { ai: { use: scripted, pool: p, reserve: { usd: 1 } } }\nagent: ai',
    });
    run.says('a', { said: {}, spend: { usd: 0.4, tokens: undefined } });
    const { pools, spend } = statusAt(run);
    expect(pools).toEqual([
      { name: 'p', size: 3, held: 1, closedUntil: undefined },
      { name: 'q', size: 1, held: 0, closedUntil: undefined },
    ]);
    expect(spend).toMatchObject({ ceiling: { usd: 5 }, spent: { usd: 0.4 }, reserved: { usd: 1 } });
    run.says('b', { limitedUntil: 60_000 });
    expect(statusAt(run).pools[0]).toEqual({ name: 'p', size: 3, held: 0, closedUntil: 60_000 });
  });

  test('lists failures in order of time, with the step and its last line', () => {
    const run = given(
      'a: { run: x }\nb:\n  steps:\n    - { id: p, run: x }\n    - { id: q, run: x }\nc: { needs: [a], run: x }',
      { plan: 'attempts: 1' },
    );
    run.waits(10);
    run.says('b/p', { said: { ok: false, response: 'boo\nno such file\n\n', exitCode: 7 } });
    run.waits(10);
    run.says('a', 'timeout');
    const status = statusAt(run);
    expect(status.failures).toEqual([
      {
        task: 'b',
        step: 'p',
        attempt: 1,
        reason: 'failed',
        cause: undefined,
        at: 10,
        said: 'no such file',
        exitCode: 7,
      },
      {
        task: 'a',
        step: 'main',
        attempt: 1,
        reason: 'timeout',
        cause: undefined,
        at: 20,
        said: undefined,
        exitCode: undefined,
      },
    ]);
    expect(status.counts).toMatchObject({ failed: 2, cancelled: 1 });
    expect(linesOf(status.tasks).at(-1)).toBe('c cancelled cancelled need 0 attempts');
  });

  test('gives the live cost of running turns', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x }\nc: { run: x }');
    const live = new Map([
      ['a', { usd: 0.2, tokens: 30 }],
      ['b', { usd: 0.1, tokens: undefined }],
    ]);
    const status = statusOf(run.state(), {
      now: 0,
      given: { inputs: {}, env: {} },
      spentBy: ({ task }) => live.get(task),
    });
    expect(status.spend.running).toEqual({ usd: 0.3, tokens: 30 });
    expect(status.running.map(({ task, spent }) => [task, spent?.usd])).toEqual([
      ['a', 0.2],
      ['b', 0.1],
      ['c', undefined],
    ]);
  });

  test('gives the end of the stderr of a failed command', () => {
    const run = given('a: { run: x }', { plan: 'attempts: 1' });
    run.says('a', {
      said: { ok: false, response: 'compiling', exitCode: 1, stderr: 'warning: old\nerror: no such file' },
    });
    expect(statusAt(run).failures).toMatchObject([
      { said: 'error: no such file', stderr: 'warning: old\nerror: no such file' },
    ]);
  });

  test('gives the limit that a command exceeded, or why its output does not fit, whatever it printed', () => {
    const run = given('a: { run: x }\nb: { run: x }', { plan: 'attempts: 1' });
    const saying = { response: 'Its programs were ended.', exitCode: undefined, stderr: 'sh: Cannot fork' };
    run.says('a', { lost: 'limit', saying });
    run.says('b', { said: { ok: false, response: 'It is not JSON.', exitCode: 0, stderr: 'warning: old' } });
    expect(statusAt(run).failures.map((failure) => failure.said)).toEqual([
      'Its programs were ended.',
      'It is not JSON.',
    ]);
  });

  test('asks about a step that wants to be judged', () => {
    const run = given('a: { run: x, on_error: gate }', { plan: 'attempts: 1' });
    run.says('a', { said: { ok: false, response: 'no luck' } });
    expect(statusAt(run).questions).toEqual([
      {
        task: 'a',
        step: 'main',
        attempt: 1,
        text: 'The step main of a has failed: no luck',
        answers: ['approve', 'reject', 'retry'],
      },
    ]);
  });
});
