import { expect, test } from 'vitest';
import { fold } from '../../engine/apply/fold.ts';
import { taskNamed } from '../../engine/facts.ts';
import { given, type Run } from '../../engine/run.given.ts';
import { NO_HISTORY } from '../../simulate/estimate.ts';
import { simulateOn } from '../../simulate/simulate-on.ts';
import { CERTAIN } from '../../simulate/variability.ts';
import { explainTask } from '../run/explain-task.ts';
import { explanationRows } from './explain-text.ts';
import { textOf } from './styled-text.ts';
import { busyRun, GIVEN } from './busy-run.given.ts';

const AS_ESTIMATED = { ...NO_HISTORY, variability: CERTAIN };

/** `twin` is the same run, folded again: a simulation consumes its state. */
function explained(run: Run, task: string, twin?: Run): string {
  const now = run.now();
  const expected = twin === undefined ? undefined : simulateOn(fold(twin.log), { now, history: AS_ESTIMATED });
  const explanation = explainTask(run.state(), taskNamed(run.compiled, task), { now, given: GIVEN, expected });
  return explanationRows(explanation, { now })
    .map((row) => row.map(textOf).join(''))
    .join('\n');
}

test('a task that waits is explained down to what is at work, with times', () => {
  expect(explained(busyRun(), 'ship', busyRun())).toMatchInlineSnapshot(`
    "ship is pending (waiting).
      ship needs
        api, open, expected to end in 2m 55s
        lint did not complete, so it will not run
    Before it can end, these must
      api.build  working, expected to end in 2m 55s
      api.docs   working, expected to end in 30s
    Expected to end in 2m 55s; people are taken to answer at once."
  `);
  expect(explained(busyRun(), 'api.build', busyRun())).toMatchInlineSnapshot(`
    "api.build is running.
      api.build/tests has been running for 1m 05s, expected to end in 2m 55s
    Expected to end in 2m 55s; people are taken to answer at once."
  `);
});

test('a task that lacks tokens is told who holds them', () => {
  const tell = (): Run => {
    const run = given(
      's:\n  max_parallel: 1\n  tasks:\n    a: { prompt: x, estimate: 5m }\n    b: { prompt: x, estimate: 5m, pools: { p: 2 } }\nc: { run: x, pools: [p], estimate: 1h }',
      {
        plan: 'pools: { p: 2 }\nbudget: { usd: 3 }\nagents: { ai: { use: scripted, reserve: { usd: 2 } } }\nagent: ai',
      },
    );
    run.waits(60_000);
    return run;
  };
  expect(explained(tell(), 's.b', tell())).toMatchInlineSnapshot(`
    "s.b is pending (ready).
      s.b waits for a slot of s; held by
        s.a, running for 1m, expected to end in 4m
      s.b waits for 2 of the pool p, of which 1 is free; held by
        c, running for 1m, expected to end in 59m
      s.b waits for $2.00 of the budget of the run ($0.00 spent and $2.00 reserved of $3.00); reserved for
        s.a $2.00, running for 1m, expected to end in 4m
    Expected to start in 59m, to end in 1h 04m; people are taken to answer at once."
  `);
});

test('what only a person or time can move on is told with what to do', () => {
  const run = given('a: { gate: "Go?" }\nb: { run: x, pools: [p] }\nc: { run: x }', { plan: 'pools: { p: 1 }' });
  run.says('b', { limitedUntil: 60_000, pool: 'p' });
  run.hears({ type: 'stop', tasks: ['c'] });
  run.says('c', 'stopped');
  run.pause();
  const said = ['a', 'b', 'c'].map((task) => explained(run, task)).join('\n');
  expect(said).toMatchInlineSnapshot(`
    "a is running (asking). The run is paused.
      a asks: Go?
        heddle approve a · heddle reject a
    b is running (ready). The run is paused.
      b waits for heddle resume
      b waits for the pool p, whose account has no quota; it opens in 1m
      b backs off and is tried again in 1m
    c is running (ready). The run is paused.
      c is paused: heddle resume c lets it go on
      c waits for heddle resume"
  `);
});

test('a task that has ended is explained by its reason', () => {
  const run = given('a: { run: x }\nb: { needs: [a], run: x }\nc: { run: x }\nd: { run: x }', { plan: 'attempts: 1' });
  run.says('a', 'timeout');
  run.says('c', 'done');
  run.says('d', { said: { ok: false, response: '', exitCode: 7 } });
  expect(['a', 'b', 'c', 'd'].map((task) => explained(run, task)).join('\n')).toMatchInlineSnapshot(`
    "a has failed: it took too long.
      heddle help reasons/timeout says what can be done.
    b was cancelled: a task it needs failed: a.
      heddle help reasons/need says what can be done.
    c is done.
    d has failed: exited with 7.
      heddle help reasons/failed says what can be done."
  `);
});
