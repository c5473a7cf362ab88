import { describe, expect, test } from 'vitest';
import { taskNamed } from '../../engine/facts.ts';
import { given, type Run } from '../../engine/run.given.ts';
import { workSpansOf } from '../../simulate/work-spans.ts';
import { explainTask } from './explain-task.ts';
import { followProgress } from './progress.ts';
import { statusOf } from './run-status.ts';

const GIVEN = { inputs: {}, env: {} };
const PAID = 'agents: { ai: { use: scripted, pool: ci, reserve: { usd: 1 } } }\nagent: ai\npools: { ci: 1 }';
const merged = { tree: 'auto', base: 'base' } as const;

const waitsOf = (run: Run, task: string): unknown =>
  explainTask(run.state(), taskNamed(run.compiled, task), { now: run.now(), given: GIVEN, expected: undefined }).waits;

describe('a conflict as people see it', () => {
  test('leads from stage to stage, and every span of it is drawn', () => {
    const run = given('a: { prompt: x }', { ...merged, plan: 'attempts: 2\nmerge: { conflict_attempts: 1 }' });
    run.says('a', 'done', { conflictsWith: ['b'] }, 'lost', 'done', 'failed', 'done', 'conflict', 'approve', 'merged');
    const follow = followProgress('given-1', run.compiled);
    const lines = run.log.map((event) => {
      const { type, attempt, from, to, group } = follow(event);
      return [type, attempt === undefined ? '' : `#${attempt}`, `${from} → ${to}`, group ?? ''].join(' ');
    });
    expect(lines).toMatchInlineSnapshot(`
      [
        "run.started  new → going ",
        "task.opened  waiting → ready ",
        "claim.made #1 ready → working 1",
        "claim.ended #1 working → done 1",
        "task.queued  ready → queued ",
        "claim.made #1 queued → merging 2",
        "claim.ended #1 merging → conflicted 2",
        "claim.made #2 conflicted → resolving 3",
        "claim.returned #2 resolving → conflicted 3",
        "claim.made #3 conflicted → resolving 4",
        "claim.ended #3 resolving → ready 4",
        "task.queued  ready → queued ",
        "claim.made #2 queued → merging 5",
        "claim.ended #2 merging → ready 5",
        "claim.made #4 ready → working 6",
        "claim.ended #4 working → done 6",
        "task.queued  ready → queued ",
        "claim.made #3 queued → merging 7",
        "claim.asked #3 merging → conflicted 7",
        "task.resolved  conflicted → ready ",
        "task.queued  ready → queued ",
        "claim.made #4 queued → merging 8",
        "claim.ended #4 merging → ready 8",
        "task.ended  ready → done ",
        "run.ended  going → ended ",
      ]
    `);
    expect(workSpansOf(run.log).map(({ type, ending }) => `${type} ${ending}`)).toEqual([
      'step done',
      'merge failed',
      'resolve failed',
      'resolve done',
      'merge failed',
      'step done',
      'merge failed',
      'merge done',
    ]);
  });

  test('that an agent will resolve waits for the tokens of its turn', () => {
    const run = given('a: { prompt: x }\nb: { prompt: x }', { ...merged, plan: PAID });
    run.says('a', 'done', 'conflict');
    const ci = { type: 'tokens', who: 'a', of: { type: 'pool', pool: 'ci' }, holders: [{ task: 'b', type: 'step' }] };
    expect(waitsOf(run, 'a')).toMatchObject([ci]);
    expect(statusOf(run.state(), { now: 0, given: GIVEN }).tasks[0]).toMatchObject({
      state: 'running',
      stage: 'conflicted',
    });
    run.says('b', 'done');
    expect(waitsOf(run, 'a')).toEqual([]);
    const { running, tasks } = statusOf(run.state(), { now: 0, given: GIVEN });
    expect(running[0]).toMatchObject({ type: 'resolve', task: 'a', step: 'main', attempt: 2 });
    expect(tasks[0]?.stage).toBe('resolving');
    run.says('a', 'crashed');
    expect(waitsOf(run, 'a')).toMatchObject([{ type: 'backoff', who: 'a' }]);
  });

  test('that waits for a person is a question with the files and the other tasks', () => {
    const run = given('a: { run: x }\nb: { run: x }', merged);
    run.says('a', 'done', { conflictsWith: ['b'] });
    const text = 'The work of a conflicts with the work of b in file.';
    expect(waitsOf(run, 'a')).toMatchObject([{ type: 'answer', who: 'a', question: { text } }]);
    const { questions, tasks } = statusOf(run.state(), { now: 0, given: GIVEN });
    expect(questions).toEqual([{ task: 'a', step: undefined, attempt: 1, text, answers: ['merge', 'reject'] }]);
    expect(tasks[0]?.stage).toBe('conflicted');
  });

  test('that its agent could not resolve gives the person the reason', () => {
    const run = given('a: { prompt: x }', { ...merged, plan: 'attempts: 1' });
    run.says('a', 'done', 'conflict');
    const response = 'There are conflict markers in file.';
    const result = { ok: false, response, output: undefined, exitCode: undefined, commit: undefined };
    const about = { task: 'a', step: 'main', attempt: 2, spend: { usd: 0, tokens: 0 } };
    run.hears({ type: 'failed', work: 'resolve', ...about, reason: 'failed', isFinal: false, result });
    expect(statusOf(run.state(), { now: 0, given: GIVEN }).questions[0]?.text).toBe(
      `The work of a conflicts with what was merged before it in file. The resolution of its agent was rejected: ${response}`,
    );
  });

  test('in many files names a few of them', () => {
    const run = given('a: { run: x }', merged);
    run.says('a', 'done');
    const paths = ['1', '2', '3', '4', '5', '6', '7'];
    const claim = { work: 'merge', task: 'a', step: undefined, attempt: 1, spend: { usd: 0, tokens: 0 } } as const;
    run.hears({ type: 'conflict', ...claim, paths, with: [], onto: undefined });
    expect(statusOf(run.state(), { now: 0, given: GIVEN }).questions[0]?.text).toBe(
      'The work of a conflicts with what was merged before it in 1, 2, 3, 4, 5 and 2 more.',
    );
  });
});

test('a task that is rolled back is open again, and an ended run becomes active', () => {
  const run = given('a:\n  steps: [{ id: p, run: x }, { id: q, run: x }]\nb: { needs: [a], run: x }', {
    ...merged,
    plan: 'attempts: 1',
  });
  run.says('a/p', 'done');
  run.says('a/q', 'failed');
  run.hears({ type: 'rollback', task: 'a', step: 'q' });
  run.says('a/q', 'done');
  run.says('a', 'merged');
  run.says('b', 'done', 'merged');
  const follow = followProgress('given-1', run.compiled);
  const lines = run.log.map((event) => {
    const { type, task, step, from, to } = follow(event);
    return `${type} ${task ?? ''}${step === undefined ? '' : `/${step}`} ${from} → ${to}`;
  });
  expect(lines.slice(lines.findIndex((line) => line.startsWith('run.ended')))).toMatchInlineSnapshot(`
    [
      "run.ended  going → ended",
      "task.rolledBack a failed → ready",
      "claim.made a/q ready → working",
      "claim.ended a/q working → done",
      "task.queued a ready → queued",
      "claim.made a queued → merging",
      "claim.ended a merging → ready",
      "task.ended a ready → done",
      "task.opened b waiting → ready",
      "claim.made b/main ready → working",
      "claim.ended b/main working → done",
      "task.queued b ready → queued",
      "claim.made b queued → merging",
      "claim.ended b merging → ready",
      "task.ended b ready → done",
      "run.ended  going → ended",
    ]
  `);
});
