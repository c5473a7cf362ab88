import { expect, test } from 'vitest';
import { given } from '../../core/engine/run.given.ts';
import { SCREEN } from './screen.given.ts';
import { busyRun, statusAt } from '../../core/view/text/busy-run.given.ts';
import { statusLines } from './status-lines.ts';

const textOf = (status: ReturnType<typeof statusAt>, rowsMax = 60): string =>
  statusLines(SCREEN, { run: 'given-1', status, isLeft: false, rowsMax }).join('\n');

test('a status tells what is at work, asked, failed and spent, and the tree of tasks', () => {
  expect(textOf(statusAt(busyRun()))).toMatchInlineSnapshot(`
    "given-1  running for 6m 35s
      1 of 6 tasks completed · 2 running · 1 asks you · 1 pending · 1 failed
      spent $1.75 of $20.00 ($2.00 reserved), 2k tokens (100k tokens reserved)
    Running
      api.docs          6m 35s
      api.build/tests   1m 05s  ███░░░░░░░ of 4m 00s
    Waits for a person
      ask  Which licence?  heddle approve ask · heddle reject ask
    Pools
      ai  █░░ 1 of 3
    Failed
      lint  lint: 2 problems  after 2 attempts  heddle logs lint
    Tasks
      ● api       open      6m 35s
      ✓   design  done      5m 00s
      ●   build   working   1m 35s
      ●   docs    working   6m 35s
      ✗ lint      failed    1m 05s  2 attempts
      · ship      waiting
      ● ask       asking    6m 35s"
  `);
});

test('a run without a coordinator is not running, and is not said to be going', () => {
  const going = statusAt(busyRun());
  const headOf = (stage: 'new' | 'going'): string | undefined =>
    statusLines(SCREEN, { run: 'given-1', status: { ...going, stage }, isLeft: true, rowsMax: 9 })[0];
  expect(headOf('going')).toBe('given-1  not running (no coordinator), started 6m 35s ago');
  expect(headOf('new')).toBe('given-1  has not begun for 6m 35s');
});

test('of many tasks those at work or failed are shown, and the rest are counted', () => {
  const tasks = Array.from({ length: 200 }, (_, at) => `t${at}: { ${at > 5 ? `needs: [t${at - 5}], ` : ''}run: x }`);
  const run = given(tasks.join('\n'), { plan: 'max_parallel: 3\nattempts: 1' });
  run.says('t2', 'failed');
  run.says('t0', 'done');
  const lines = textOf(statusAt(run), 6).split('\n');
  expect(lines.slice(lines.indexOf('Tasks'))).toMatchInlineSnapshot(`
    [
      "Tasks",
      "  ✓ t0  done      0s",
      "  ● t1  working   0s",
      "  ✗ t2  failed    0s",
      "  ● t3  working   0s",
      "  ● t4  working   0s",
      "  · t5  ready",
      "  … and 155 pending, 39 cancelled",
    ]
  `);
});

test('a paused run with a closed pool and a paused task says so', () => {
  const run = given('a: { run: x, pools: [p] }\nb: { run: x }', { plan: 'pools: { p: 1 }' });
  run.says('a', { limitedUntil: 90_000, pool: 'p' });
  run.hears({ type: 'stop', tasks: ['b'] });
  run.pause();
  run.waits(30_000);
  expect(textOf(statusAt(run))).toMatchInlineSnapshot(`
    "given-1  paused, 30s since its start, paused tasks: b
      0 of 2 tasks completed · 2 running
    Running
      b      30s  is being stopped
    Pools
      p  closed for 1m 00s: its account is at its limit
    Tasks
      ● a  ready     30s
      ● b  working   30s  paused"
  `);
});

test('what others wrote cannot steer the terminal', () => {
  const run = given('a: { run: x, on_error: gate }', { plan: 'attempts: 1' });
  run.says('a', { said: { ok: false, response: '\u001B[2Jgone' } });
  expect(textOf(statusAt(run))).not.toContain('\u001B');
});

test('a failure is told by its exit code and last words, or by why it was ended', () => {
  const run = given('a: { run: x }\nb: { run: x }\nc: { run: x }\nd: { when: "1 / 0 > 1", run: x }', {
    plan: 'attempts: 1',
  });
  run.says('a', { said: { ok: false, response: 'one\ntwo\n', exitCode: 7 } });
  run.says('b', { said: { ok: false, response: '', exitCode: 127 } });
  run.says('c', 'timeout');
  const lines = textOf(statusAt(run)).split('\n');
  expect(lines.slice(lines.indexOf('Failed') + 1, lines.indexOf('Tasks'))).toMatchInlineSnapshot(`
    [
      "  a  exited with 7: two  heddle logs a",
      "  b  exited with 127  heddle logs b",
      "  c  it took too long  heddle logs c · heddle help reasons/timeout",
      "  d  an expression could not be evaluated: division by zero  heddle help reasons/expression",
    ]
  `);
});

test('failures and tasks stand in columns, with what to read about each', () => {
  const run = given('a: { run: x, check: y }\nlonger: { run: x }\nlast: { needs: [a], run: x }', {
    plan: 'attempts: 1',
  });
  run.waits(61_000);
  run.says('longer', { said: { ok: false, response: 'no', exitCode: 1 } });
  run.says('a', 'done', 'failed');
  const lines = textOf(statusAt(run)).split('\n');
  expect(lines.slice(lines.indexOf('Failed')).join('\n')).toMatchInlineSnapshot(`
    "Failed
      a       its check failed: tail  heddle logs a --step check · heddle help reasons/check
      longer  exited with 1: no  heddle logs longer
    Tasks
      ✗ a       failed    1m 01s  its check failed
      ✗ longer  failed    1m 01s
      – last    cancelled         a task it needs failed: a"
  `);
});

test('commands that have no room behind what they help with stand under it', () => {
  const run = given('a: { run: x, attempts: 1 }\nask: { gate: May all of this be given to everybody who ever asked? }');
  run.says('a', { said: { ok: false, response: 'a long sentence on what has gone wrong', exitCode: 1 } });
  const lines = statusLines(
    { width: 60, colour: false },
    { run: 'given-1', status: statusAt(run), isLeft: false, rowsMax: 9 },
  );
  expect(lines.slice(2, -3).join('\n')).toMatchInlineSnapshot(`
    "Waits for a person
      ask  May all of this be given to everybody who ever asked?
        heddle approve ask · heddle reject ask
    Failed
      a  exited with 1: a long sentence on what has gone wrong
        heddle logs a"
  `);
});

test('a status says which providers are overloaded, which accounts rest, what agents ask and why the run is paused', () => {
  const run = given('a: { prompt: x }\nb: { prompt: x, agent: bare }\nc: { prompt: x }', {
    plan: 'pools: { p: 4 }\nagents: { ai: { use: scripted, pool: p }, bare: { use: scripted } }\nagent: ai',
  });
  const about = (task: string) => ({ task, step: 'main', attempt: 1, spend: { usd: 0, tokens: 0 } });
  const result = { ok: false, response: 'no', output: undefined, exitCode: undefined, commit: undefined };
  run.hears({ type: 'failed', work: 'step', ...about('a'), reason: 'overloaded', isFinal: false, result });
  run.hears({ type: 'limited', work: 'step', ...about('b'), pool: undefined, until: 60_000, by: 'quota' });
  run.hears({ type: 'asked', work: 'step', ...about('c'), question: 'Which one?', result });
  const text = textOf({ ...statusAt(run), stage: 'paused', pausedFor: 'turns of ai fail in the same way' });
  expect(text).toContain('paused, 0s since its start, because turns of ai fail in the same way');
  expect(text).toContain('p  ░░░░ 0 of 4, at most 2 for now: its provider is overloaded');
  expect(text).toContain('bare  backs off for 1m 00s: its account is at its limit');
  expect(text).toContain('c  Which one?  heddle answer c "…" · heddle reject c · heddle retry c');
});
