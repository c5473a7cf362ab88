import { describe, expect, test } from 'vitest';
import { given, type Run } from './run.given.ts';

const GIT = { tree: 'auto', plan: 'attempts: 1' } as const;

const NOTHING_CHANGED = { ok: true, response: undefined, output: undefined, exitCode: 0, commit: undefined };
const SPEND = { usd: 0, tokens: 0 };

const merges = (run: Run, ...tasks: readonly string[]): void => {
  for (const task of tasks) run.says(task, 'done', 'merged');
};

/** The merge of a task finds the run branch at the merge of another task, or at the base. */
function finds(run: Run, task: string, { lacks, at }: { lacks: string; at: string }): readonly string[] {
  const claim = { work: 'merge', task, step: undefined, attempt: 1 } as const;
  return run.hears({ type: 'rewound', ...claim, lacks: `commit of ${lacks}`, branch: `commit of ${at}`, spend: SPEND });
}

describe('when the run branch lacks merges', () => {
  test('their tasks have failed, and the merge that found out is claimed again', () => {
    const run = given('a: { run: x }\nb: { run: x }\nc: { run: x }', GIT);
    merges(run, 'a', 'b');
    run.says('c', 'done');
    expect(finds(run, 'c', { lacks: 'b', at: 'a' })).toEqual([
      'task.lost b',
      'claim.returned c merge (outrun) uncounted',
      'claim.made c merge',
    ]);
    run.says('c', 'merged');
    expect(run.endings()).toEqual({ a: 'done', b: 'failed (lost)', c: 'done' });
    run.retry('b');
    merges(run, 'b');
    expect(run.endings()).toEqual({ a: 'done', b: 'done', c: 'done' });
    expect(run.isEnded()).toBe(true);
  });

  test('a report from before a later merge loses nothing', () => {
    const run = given('a: { run: x }\nb: { run: x }\nc: { run: x }', GIT);
    merges(run, 'a', 'b');
    run.says('c', 'done');
    expect(finds(run, 'c', { lacks: 'a', at: 'base' })).not.toContain('task.lost a b');
  });

  test('nothing stays done on top of them, what runs there is ended, and all of it can be retried', () => {
    const run = given(
      `a: { run: x }
test: { needs: [a], run: x }
s: { tasks: { p: { run: x } } }
after: { needs: [test], run: x }
late: { needs: [after, s], run: x }
z: { run: x }`,
      GIT,
    );
    merges(run, 'a', 's.p');
    run.says('test', 'done');
    const merge = { work: 'merge', task: 'test', step: undefined, attempt: 1 } as const;
    run.hears({ type: 'finished', ...merge, spend: SPEND, result: NOTHING_CHANGED });
    run.says('z', 'done');
    expect(finds(run, 'z', { lacks: 's.p', at: 'base' })[0]).toBe('task.lost a test s s.p');
    run.says('after', 'stopped');
    run.says('z', 'merged');
    expect(run.endings()).toEqual({
      a: 'failed (lost)',
      test: 'failed (lost)',
      s: 'failed (lost)',
      's.p': 'failed (lost)',
      after: 'cancelled (lost)',
      late: 'cancelled (need)',
      z: 'done',
    });
    run.retry('a', 's.p');
    merges(run, 'a', 's.p', 'test', 'after', 'late');
    expect(new Set(Object.values(run.endings()))).toEqual(new Set(['done']));
    expect(run.isEnded()).toBe(true);
  });

  test.each([
    ['a subplan', 's: { needs: [a], tasks: { p: { run: x }, q: { needs: [p], run: x } } }', ['s.p', 's.q']],
    [
      'a subplan in a subplan',
      's: { needs: [a], tasks: { t: { tasks: { p: { run: x } } }, q: { needs: [t], run: x } } }',
      ['s.t.p', 's.q'],
    ],
    ['the copies of a for_each', 's: { needs: [a], for_each: { in: [p, q], task: { run: x } } }', ['s.p', 's.q']],
  ])('%s that had opened on top of them runs again whole, and not before them', (_, subplan, inside) => {
    const run = given(`a: { run: x }\n${subplan}\nafter: { needs: [s], run: x }\nz: { run: x }`, GIT);
    merges(run, 'a', ...inside);
    run.says('z', 'done');
    finds(run, 'z', { lacks: inside.at(-1) ?? '', at: 'base' });
    run.says('z', 'merged');
    run.says('after', 'stopped');
    expect(run.endings()).toMatchObject({ a: 'failed (lost)', s: 'failed (lost)', after: 'cancelled (lost)' });
    run.retry(inside[0] ?? '');
    expect(run.endings(), 'refused without the lost work').toMatchObject({ [inside[0] ?? '']: 'failed (lost)' });
    run.retry('a');
    merges(run, 'a', ...inside, 'after');
    expect(new Set(Object.values(run.endings()))).toEqual(new Set(['done']));
    expect(run.isEnded()).toBe(true);
  });

  test('a subplan of which a task still runs on top of them is ended first, and then runs again', () => {
    const run = given('a: { run: x }\ns: { needs: [a], tasks: { p: { run: x }, q: { run: x } } }\nz: { run: x }', GIT);
    merges(run, 'a', 's.p');
    run.says('z', 'done');
    finds(run, 'z', { lacks: 's.p', at: 'base' });
    run.says('z', 'merged');
    run.says('s.q', 'stopped');
    expect(run.endings()).toMatchObject({ a: 'failed (lost)', 's.p': 'failed (lost)', 's.q': 'cancelled (lost)' });
    run.retry();
    merges(run, 'a', 's.p', 's.q');
    expect(new Set(Object.values(run.endings()))).toEqual(new Set(['done']));
    expect(run.isEnded()).toBe(true);
  });

  test('a task that waits is dropped, and siblings that fail fast are ended', () => {
    const run = given('a: { run: x }\nb: { run: x }\nc: { needs: [a, b], run: x }\nd: { run: x }', {
      tree: 'auto',
      plan: 'failure_mode: fail_fast',
    });
    merges(run, 'a');
    run.says('d', 'done');
    finds(run, 'd', { lacks: 'a', at: 'base' });
    run.says('b', 'stopped');
    expect(run.endings()).toMatchObject({ a: 'failed (lost)', b: 'cancelled (fail_fast)' });
    expect(run.isEnded()).toBe(true);
  });
});
