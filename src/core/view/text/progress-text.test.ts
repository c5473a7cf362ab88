import { expect, test } from 'vitest';
import { amendIn } from '../../engine/amend.given.ts';
import { given, type Run } from '../../engine/run.given.ts';
import { followProgress } from '../run/progress.ts';
import { progressRow } from './progress-text.ts';
import { textOf } from './styled-text.ts';
import { busyRun } from './busy-run.given.ts';

function linesOf({ compiled, log }: Run): string {
  const follow = followProgress('given-1', compiled);
  const lines = log.map((event) => progressRow(follow(event), { startedAt: 0 })?.map(textOf).join(''));
  return lines.filter((line) => line !== undefined).join('\n');
}

test('a run that is piped away is told in calm lines', () => {
  expect(linesOf(busyRun())).toMatchInlineSnapshot(`
    "     0s  given-1 started
         0s  ask asks: heddle approve ask, or reject
         0s  api.design started
         0s  api.docs started
         0s  lint started
     1m 00s  lint failed after 1m; tried again in 574ms
     1m 05s  lint started, attempt 2
     1m 05s  lint failed after 1m 05s
     5m 00s  api.design done after 5m
     5m 00s  api.build/code started
     5m 30s  api.build/tests started"
  `);
});

test('pauses, holds, quotas, checks and cancelling are told too', () => {
  const run = given('a: { prompt: x, check: t, pools: [p] }\nb: { run: x }\nc: { needs: [b], run: x }', {
    tree: 'auto',
    plan: 'pools: { p: 1 }',
  });
  run.waits(1_000);
  run.says('a', { limitedUntil: 15_000, pool: 'p' });
  run.waits(20_000);
  run.says('a', 'done', 'failed');
  run.pause();
  run.hears({ type: 'pause', tasks: ['c'] });
  run.resume();
  run.cancel('b');
  run.says('b', 'stopped');
  run.says('a', 'done', 'passed', 'merged');
  expect(linesOf(run)).toMatchInlineSnapshot(`
    "     0s  given-1 started
         0s  a started
         0s  b started
         1s  a goes back after 1s: the quota of its account is used up; tried again in 14s
         1s  pool p closed for 14s: its account is at its limit
        21s  pool p open again
        21s  a started, attempt 2
        21s  a goes back to its agent after 0s: its check failed
        21s  a started, attempt 3
        21s  paused: running steps finish, nothing else starts
        21s  c paused: nothing of it starts
        21s  resumed
        21s  c released
        21s  b cancelled after 21s
        21s  c cancelled: a task it needs failed: b
        21s  a done after 21s
        21s  given-1 ended"
  `);
});

test('a step that was stopped is not said to be tried again: an amendment may have cancelled it', () => {
  const run = given('a: { run: x }');
  run.waits(2_000);
  run.says('a', 'stopped');
  expect(linesOf(run)).toContain('2s  a stopped after 2s');
  expect(linesOf(run)).not.toContain('again');
});

test('overloads, questions, who takes over and why a run paused itself are told', () => {
  const run = given('a: { prompt: x }\nb: { prompt: x, agent: other }', {
    plan: 'permissions: gate\npools: { p: 4 }\nagents: { ai: { use: scripted, pool: p }, other: { use: scripted } }\nagent: [ai, other]',
  });
  const about = (task: string, attempt: number) => ({ task, step: 'main', attempt, spend: { usd: 0, tokens: 0 } });
  const result = { ok: false, response: 'no', output: undefined, exitCode: undefined, commit: undefined };
  run.hears({ type: 'failed', work: 'step', ...about('a', 1), reason: 'overloaded', isFinal: false, result });
  run.hears({ type: 'asked', work: 'step', ...about('b', 1), question: 'Which one?', result });
  run.hears({ type: 'replied', task: 'b', step: 'main', attempt: 1, text: 'That one.' });
  const permission = { tool: 'Bash', about: 'make', key: 'k' };
  run.hears({
    type: 'asked',
    work: 'step',
    ...about('b', 2),
    question: 'Permission to use Bash: make?',
    permission,
    result,
  });
  run.waits(30_000);
  const told = `${linesOf(run)}\n${linesOf({ ...run, log: [{ type: 'run.paused', at: 0, cause: 'it is broken' }] })}`;
  for (const part of [
    'a started by ai',
    'a started by other, attempt 2',
    'pool p throttled to 2: its provider is overloaded',
    'pool p restored to 3',
    'b asks: Which one?  heddle answer b "…"',
    'b asks: Permission to use Bash: make?  heddle answer b yes, no or always',
    'nothing else starts, because it is broken',
  ])
    expect(told).toContain(part);
});

test('a plan that changes is told, and what that does', () => {
  const run = given('a: { run: x }\nb: { run: x }');
  amendIn(run, 'a: { run: y }\nc: { run: x }');
  run.says('a', 'stopped');
  run.says('b', 'stopped');
  amendIn(run, 'a: { run: y }\nc: { run: x, timeout: 5m }');
  expect(
    linesOf(run)
      .split('\n')
      .filter((line) => line.includes('plan')),
  ).toEqual([
    '     0s  the plan is being amended: what does not fit the changed one is stopped first',
    '     0s  plan amended: a restarted; c added; b cancelled',
    '     0s  plan amended: every task is kept',
  ]);
});
