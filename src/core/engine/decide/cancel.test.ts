import { describe, expect, test } from 'vitest';
import { given, type Run } from '../run.given.ts';

const cancelled = { a: 'cancelled (cancelled)' };

/** Plays `a` to a stage, cancels it there, and returns the owed effects. */
function cancelledAt(tasks: string, play: (run: Run) => void): { run: Run; owed: readonly string[] } {
  const run = given(tasks, { tree: 'auto', plan: 'max_parallel: 1\nattempts: 1' });
  play(run);
  run.cancel('a');
  return { run, owed: run.owed() };
}

describe('a cancelled task', () => {
  test('is dropped when its needs have ended, while it waits for them', () => {
    const { run, owed } = cancelledAt('b: { run: x }\na: { needs: [b], run: x }', () => {});
    expect(owed).toEqual(['work b#1']);
    run.says('b', 'done', 'merged');
    expect(run.endings()).toMatchObject({ ...cancelled, b: 'done' });
  });

  test('is dropped at once while too few of its needs have arrived', () => {
    const { run } = cancelledAt(
      'b: { run: x }\nc: { run: x }\nd: { run: x }\na: { needs: { at_least: 2, of: [b, c, d] }, run: x }',
      (at) => {
        at.says('b', 'failed');
        at.says('c', 'done', 'merged');
      },
    );
    expect(run.endings()).toMatchObject(cancelled);
  });

  test('ends at once while it is ready', () => {
    const { run, owed } = cancelledAt('b: { run: x }\na: { run: x }', () => {});
    expect(owed).toEqual(['work b#1']);
    expect(run.endings()).toMatchObject(cancelled);
  });

  test('ends at once during a backoff, and nothing waits for it', () => {
    const run = given('a: { run: x }', { plan: 'attempts: 3' });
    run.says('a', 'failed');
    expect(run.owed()).toHaveLength(1);
    run.cancel('a');
    expect(run.endings()).toEqual(cancelled);
    expect(run.isEnded()).toBe(true);
  });

  test('is stopped while it is running, and ends as cancelled whatever its outcome', () => {
    const { run, owed } = cancelledAt('a: { run: x }', () => {});
    expect(owed).toEqual(['stop a#1']);
    run.says('a', 'failed');
    expect(run.endings()).toEqual(cancelled);
  });

  test('ends as cancelled when it runs out of quota, and closes no pool', () => {
    const { run } = cancelledAt('a: { run: x }', () => {});
    run.says('a', { limitedUntil: 99, pool: 'x' });
    expect(run.endings()).toEqual(cancelled);
  });

  test('ends at once while a gate asks a person', () => {
    const { run, owed } = cancelledAt('a: { gate: Sure? }', () => {});
    expect(owed).toEqual([]);
    expect(run.endings()).toEqual(cancelled);
  });

  test('ends at once while a person is asked about a step', () => {
    const { run } = cancelledAt('a: { run: x, on_error: gate }', (at) => at.says('a', 'failed'));
    expect(run.endings()).toEqual(cancelled);
  });

  test('ends at once while its check waits for a slot', () => {
    const { run, owed } = cancelledAt('a: { run: x, check: t }\nb: { run: x }', (at) => {
      at.pause();
      at.says('a', 'done');
    });
    expect(owed).toEqual([]);
    expect(run.endings()).toMatchObject(cancelled);
  });

  test('is stopped during its check', () => {
    const { run, owed } = cancelledAt('a: { run: x, check: t }', (at) => at.says('a', 'done'));
    expect(owed).toEqual(['stop check a check#1']);
    run.says('a', 'passed');
    expect(run.endings()).toEqual(cancelled);
  });

  test('ends at once while it waits to be merged', () => {
    const { run } = cancelledAt('a: { run: x }', (at) => {
      at.pause();
      at.says('a', 'done');
    });
    expect(run.endings()).toMatchObject(cancelled);
  });

  const merging = (): Run => cancelledAt('a: { run: x }', (at) => at.says('a', 'done')).run;

  test('is asked to stop during its merge', () => {
    const run = merging();
    expect(run.owed()).toEqual(['stop merge a merge#1']);
    run.says('a', 'stopped');
    expect(run.endings()).toEqual(cancelled);
  });

  test('is done when its running merge succeeds first', () => {
    const run = merging();
    run.says('a', 'merged');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test.each(['outrun', 'conflict'] as const)('while it is merged is not tried again after %s', (word) => {
    const run = merging();
    run.says('a', word);
    expect(run.endings()).toEqual(cancelled);
    expect(run.isEnded()).toBe(true);
  });

  test('keeps its ending when it has ended already', () => {
    const run = given('a: { run: x }\nb: { run: x }');
    run.says('a', 'done');
    expect(run.cancel('a', 'nobody')).toEqual([]);
    expect(run.endings()).toMatchObject({ a: 'done' });
  });

  test('is cancelled once when asked twice', () => {
    const run = given('a: { run: x }');
    expect(run.cancel('a')).toEqual(['claim.cancelling a (cancelled)']);
    expect(run.cancel('a')).toEqual([]);
  });

  test('takes along the tasks that need it', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }');
    run.cancel('a');
    run.says('a', 'stopped');
    expect(run.endings()).toEqual({ ...cancelled, b: 'cancelled (need)' });
  });

  test('ends all its steps, async ones too', () => {
    const run = given(
      'a:\n  steps:\n    - { id: p, run: x, async: true }\n    - { id: q, run: x }\n    - { id: r, run: x, needs: [p] }',
    );
    run.cancel('a');
    expect(run.owed()).toEqual(['stop a/p#1', 'stop a/q#1']);
    run.says('a/q', 'stopped');
    run.says('a/p', 'stopped');
    expect(run.endings()).toEqual(cancelled);
  });
});

describe('a cancelled subplan', () => {
  const tasks =
    'b: { run: x }\ns:\n  needs: [b]\n  tasks:\n    p: { run: x }\n    q: { needs: [p], run: x }\n    g: { gate: Sure? }';

  test('never opens when it has not opened yet', () => {
    const run = given(tasks);
    expect(run.cancel('s')).toEqual([
      'task.cancelling s (cancelled)',
      'task.cancelling s.p (cancelled)',
      'task.cancelling s.q (cancelled)',
      'task.cancelling s.g (cancelled)',
    ]);
    run.says('b', 'done');
    expect(run.endings()).toMatchObject({ s: 'cancelled (cancelled)', 's.q': 'cancelled (cancelled)' });
    expect(run.isEnded()).toBe(true);
  });

  test('ends all its tasks after it opened', () => {
    const run = given(tasks);
    run.says('b', 'done');
    run.cancel('s');
    expect(run.owed()).toEqual(['stop s.p#1']);
    run.says('s.p', 'stopped');
    expect(run.endings()).toMatchObject({ s: 'cancelled (cancelled)', 's.g': 'cancelled (cancelled)', b: 'done' });
  });

  test('lets the other tasks continue when only a part is cancelled', () => {
    const run = given(tasks);
    run.cancel('s.q');
    run.says('b', 'done');
    run.says('s.p', 'done');
    run.says('s.g', 'approve');
    expect(run.endings()).toMatchObject({ 's.p': 'done', 's.q': 'cancelled (cancelled)', s: 'cancelled (cancelled)' });
  });
});

test('cancelling every task ends the run, even while it is paused', () => {
  const run = given('a: { run: x }\nb: { run: x }\nc: { needs: [a, b], run: x }');
  run.pause();
  run.cancel('a', 'b', 'c');
  run.says('a', 'stopped');
  run.says('b', 'stopped');
  expect(Object.values(run.endings())).toEqual(Array.from({ length: 3 }, () => 'cancelled (cancelled)'));
  expect(run.isEnded()).toBe(true);
});
