import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../engine/event.ts';
import { given, OK, type Run } from '../../engine/run.given.ts';
import { documentOf } from '../document/document-of.ts';
import { ganttOf } from './gantt.ts';
import { reported } from './report.given.ts';
import { writeMarkdown } from '../document/write-markdown.ts';
import { timelineOf } from './timeline-entries.ts';

const GIT = { tree: 'auto', base: 'base' } as const;

const results = (run: Run): readonly string[] =>
  reported(run).spans.map(({ type, attempt, result, reason }) => `${type} ${attempt} ${result} ${reason ?? ''}`.trim());

describe('every span has its result', () => {
  test('also checks whose worker was lost, and merges that were outrun or failed', () => {
    const run = given('a: { prompt: x, check: y, attempts: 3 }', GIT);
    run.says('a', { said: { ok: true, commit: 'tip' } }, 'lost', 'passed', 'outrun', 'failed');
    run.says('a', { said: { ok: true, commit: 'tip 2' } }, 'passed', 'merged');
    expect(results(run)).toEqual([
      'step 1 done',
      'check 1 returned crashed',
      'check 2 passed',
      'merge 1 returned outrun',
      'merge 2 failed check',
      'step 2 done',
      'check 3 passed',
      'merge 3 done',
    ]);
    expect(reported(run).checks).toMatchObject({ passed: 2, returned: 1, merged: 1, failedMerged: 1 });
  });

  test('also turns on conflicts that have to be taken again', () => {
    const run = given('a: { prompt: x, attempts: 4 }', GIT);
    run.says('a', { said: { ok: true, commit: 'tip' } }, { conflictsWith: ['b'] });
    run.says('a', 'lost');
    run.waits(60_000);
    run.says('a', { said: { ok: true, commit: 'fits' } }, 'merged');
    expect(results(run)).toEqual([
      'step 1 done',
      'merge 1 conflict conflict',
      'resolve 2 returned crashed',
      'resolve 3 done',
      'merge 2 done',
    ]);
    const { conflicts, timeline } = reported(run);
    expect(conflicts).toMatchObject([{ turns: 2, resolvedBy: 'agent' }]);
    expect(timeline[0]?.text).toBe('The worker of a turn on a conflict of a was lost; it is done again.');
  });

  test('and a turn that exceeds its reservation without reporting a cost counts as the raised reservation', () => {
    const run = given('a: { prompt: x }');
    const about = { task: 'a', step: 'main', attempt: 1 };
    run.hears({ type: 'spending', work: 'step', ...about, spend: { usd: 2, tokens: 500_000 } });
    run.says('a', { said: { ok: true }, spend: { usd: undefined, tokens: undefined } });
    expect(reported(run).spans[0]).toMatchObject({ usd: 2, tokens: 500_000, isReported: false });
    expect(reported(run).budgets[0]?.spent).toEqual({ usd: 2, tokens: 500_000 });
  });
});

describe('a conflict for a person', () => {
  const conflicting = (): Run => {
    const run = given('a: { prompt: x }', { ...GIT, plan: 'merge: { on_conflict: stop }\n' });
    run.says('a', { said: { ok: true, commit: 'tip' } }, { conflictsWith: ['b'] });
    return run;
  };

  test('resolved by a person is reported as such, with question and answer', () => {
    const run = conflicting();
    expect(reported(run).questions).toMatchObject([{ type: 'conflict', answer: undefined }]);
    run.hears({ type: 'resolved', task: 'a', attempt: 1, commit: 'by hand' });
    run.says('a', 'merged');
    expect(reported(run).conflicts).toMatchObject([{ resolvedBy: 'person', turns: 0 }]);
    expect(reported(run).questions).toMatchObject([{ answer: 'resolved by hand' }]);
    const text = writeMarkdown(documentOf(reported(run)));
    expect(text).toContain('| +0s | a | b | file | 0 | a person |');
  });

  test('that they reject is given up', () => {
    const run = conflicting();
    run.says('a', 'reject');
    expect(reported(run).conflicts).toMatchObject([{ resolvedBy: 'nobody' }]);
    expect(writeMarkdown(documentOf(reported(run)))).toContain('nobody: it was given up');
  });

  test('after their agent has failed at it is a question too', () => {
    const run = given('a: { prompt: x, attempts: 1 }', GIT);
    run.says('a', { said: { ok: true, commit: 'tip' } }, { conflictsWith: [] });
    run.says('a', { lost: 'refused', isFinal: true });
    expect(reported(run).questions).toMatchObject([{ type: 'conflict' }]);
    expect(writeMarkdown(documentOf(reported(run)))).toContain('what was merged before it');
  });
});

test('a step that waits for a yes or no is a question of the plan', () => {
  const run = given('a: { steps: [{ id: one, run: x, on_error: gate, attempts: 1 }] }');
  run.says('a/one', 'failed');
  expect(reported(run).questions).toMatchObject([
    { type: 'gate', step: 'one', text: 'Is what the step one of a came to good?' },
  ]);
  run.says('a/one', 'approve');
  expect(reported(run).questions).toMatchObject([{ answer: 'approved' }]);
  const again = given('a: { steps: [{ id: one, run: x, on_error: gate, attempts: 1 }] }');
  again.says('a/one', 'failed', 'retry');
  expect(reported(again).questions).toMatchObject([{ answer: 'to be done again' }]);
});

test.each([
  ['yes', 'allowed'],
  ['always', 'allowed, for all turns of the task'],
  ['no', 'refused'],
] as const)('a permission that a person says %s to is reported as %s', (decision, answer) => {
  const run = given('a: { prompt: x }', { plan: 'permissions: gate' });
  run.hears({
    type: 'asked',
    work: 'step',
    task: 'a',
    step: 'main',
    attempt: 1,
    question: 'Permission to use Bash: make?',
    permission: { tool: 'Bash', about: 'make', key: 'k' },
    result: OK,
    spend: { usd: 0, tokens: 0 },
  });
  run.hears({ type: 'replied', task: 'a', step: 'main', attempt: 1, text: 'Quietly.', decision });
  expect(reported(run).questions).toMatchObject([
    { type: 'permission', text: 'Permission to use Bash: make?', answer },
  ]);
});

test('timeline entries name the events', () => {
  const check = { work: 'check', task: 'a', step: undefined, attempt: 1, spend: { usd: 0, tokens: 0 } } as const;
  const events: readonly RunEvent[] = [
    ...given('a: { run: x }')
      .log.slice(0, 1)
      .map((started) => ({ ...started, at: 1_000 })),
    { type: 'run.paused', at: 2_000, cause: 'all turns fail' },
    { type: 'pool.throttled', at: 3_000, pool: 'one', limit: 2, until: 9_000 },
    { type: 'pool.restored', at: 4_000, pool: 'one', limit: 3, until: 9_000 },
    { type: 'task.rolledBack', at: 5_000, task: 'a', to: 'code', tasks: ['a'] },
    { type: 'task.reset', at: 6_000, tasks: Array.from({ length: 10 }, (_, index) => `t${index}`) },
    {
      type: 'claim.returned',
      work: 'step',
      at: 7_000,
      task: 'a',
      step: 'code',
      attempt: 1,
      reason: 'quota',
      counted: false,
      until: 67_000,
      spend: { usd: 0, tokens: 0 },
      pool: undefined,
    },
    { type: 'claim.returned', at: 8_000, ...check, reason: 'crashed', counted: true, until: 0 },
    { type: 'claim.returned', at: 9_000, ...check, reason: 'cancelled', counted: false, until: 0 },
  ];
  expect(timelineOf(events).map(({ atMs, text }) => `${atMs} ${text}`)).toEqual([
    '1000 Paused by itself: all turns fail',
    '2000 The pool one was throttled to 2: overloaded.',
    '3000 The pool one was restored to 3.',
    '4000 a was rolled back to before its step code.',
    '5000 To be done again: t0, t1, t2, t3, t4, t5, t6, t7 and 2 more.',
    '6000 The account of a has no quota for 60 s.',
    '7000 The worker of the check of a was lost; it is done again.',
  ]);
});

test('budgets of tasks are listed beside the budget of the run, with whether they were reached', () => {
  const run = given(
    'a: { prompt: x }\nb: { needs: a, budget: { usd: 0.1 }, prompt: y }\nc: { needs: a, budget: { tokens: 1M }, prompt: z }',
    {
      plan: 'agents: { ai: { use: scripted, reserve: { usd: 0.05 } } }\nbudget: { usd: 3 }\n',
    },
  );
  run.says('a', { said: { ok: true }, spend: { usd: 0.02, tokens: 5 } });
  run.says('b', { said: { ok: false }, spend: { usd: 0.09, tokens: 5 } });
  run.says('c', 'done');
  run.waits(600_000);
  const { budgets } = reported(run);
  expect(budgets.map(({ task, ceiling, isReached }) => [task, ceiling.usd, ceiling.tokens, isReached])).toEqual([
    [undefined, 3, undefined, false],
    ['b', 0.1, undefined, true],
    ['c', undefined, 1_000_000, false],
  ]);
  const text = writeMarkdown(documentOf(reported(run)));
  expect(text).toContain('| b | \\$0.09 | \\$0.10 | 5 |  | reached |');
});

test('the chart has running claims up to the time of the report, and failures as such', () => {
  const run = given('a: { run: x }\nb: { run: y, attempts: 1 }\nc: { run: z }');
  run.waits(1_000);
  run.says('b', 'failed');
  run.cancel('c');
  run.says('c', 'stopped');
  run.waits(1_000);
  run.pause();
  const chart = ganttOf(run.compiled, reported(run));
  expect(
    chart.rows.map(({ label, bars }) => `${label} ${bars[0]?.kind} ${bars[0]?.startMs} ${bars[0]?.endMs}`),
  ).toEqual(['a work 0 2000', 'b failed 0 1000', 'c cancelled 0 1000']);
  expect(chart.marks).toEqual([{ atMs: 2_000, label: 'Paused.' }]);
});

test('waits for a person are in the chart, gates too', () => {
  const run = given('a: { run: x }\nok: { needs: a, gate: Go? }\nb: { needs: ok, run: y }');
  run.waits(1_000);
  run.says('a', 'done');
  run.waits(3_000);
  run.says('ok', 'approve');
  const chart = ganttOf(run.compiled, reported(run));
  expect(
    chart.rows.map(({ label, bars }) => `${label} ${bars.map(({ kind, endMs }) => `${kind} ${endMs}`).join()}`),
  ).toEqual(['a work 1000', 'ok waiting 4000', 'b work 4000']);
});

test('attempts without success beyond the listed ones are counted', () => {
  const run = given(
    `a: { prompt: x, attempts: 2 }\n${Array.from({ length: 510 }, (_, index) => `t${index}: { run: x, attempts: 1 }`).join('\n')}`,
  );
  for (let claims = run.claims(); claims.length > 0 && !run.isEnded(); claims = run.claims())
    run.says(claims[0]?.split('#')[0] ?? '', 'failed');
  const text = writeMarkdown(documentOf(reported(run)));
  expect(text).toMatch(/… and 1[0-9] more/);
});
