import { describe, expect, test } from 'vitest';
import { given, type Run } from '../run.given.ts';

const cancelled = { a: 'cancelled (cancelled)' };

/** Plays `a` to a stage, cancels it there, and says what was owed then. */
function cancelledAt(tasks: string, play: (run: Run) => void): { run: Run; owed: readonly string[] } {
  const run = given(tasks, { tree: 'auto', plan: 'max_parallel: 1\nattempts: 1' });
  play(run);
  run.cancel('a');
  return { run, owed: run.owed() };
}

describe('a task that is cancelled', () => {
  test('while it waits for its needs is dropped when they have ended', () => {
    const { run, owed } = cancelledAt('b: { run: x }\na: { needs: [b], run: x }', () => {});
    expect(owed).toEqual(['work b#1']);
    run.says('b', 'done', 'merged');
    expect(run.endings()).toMatchObject({ ...cancelled, b: 'done' });
  });

  test('while too few of its needs have arrived is dropped at once', () => {
    const { run } = cancelledAt(
      'b: { run: x }\nc: { run: x }\nd: { run: x }\na: { needs: { at_least: 2, of: [b, c, d] }, run: x }',
      (at) => {
        at.says('b', 'failed');
        at.says('c', 'done', 'merged');
      },
    );
    expect(run.endings()).toMatchObject(cancelled);
  });

  test('while it is ready ends at once', () => {
    const { run, owed } = cancelledAt('b: { run: x }\na: { run: x }', () => {});
    expect(owed).toEqual(['work b#1']);
    expect(run.endings()).toMatchObject(cancelled);
  });

  test('while it rests between attempts ends at once, and nobody waits for it', () => {
    const run = given('a: { run: x }', { plan: 'attempts: 3' });
    run.says('a', 'failed');
    expect(run.owed()).toHaveLength(1);
    run.cancel('a');
    expect(run.endings()).toEqual(cancelled);
    expect(run.isEnded()).toBe(true);
  });

  test('while it is at work is stopped, and ends however its work came out', () => {
    const { run, owed } = cancelledAt('a: { run: x }', () => {});
    expect(owed).toEqual(['stop a#1']);
    run.says('a', 'failed');
    expect(run.endings()).toEqual(cancelled);
  });

  test('while it runs out of quota ends as cancelled and closes nothing', () => {
    const { run } = cancelledAt('a: { run: x }', () => {});
    run.says('a', { limitedUntil: 99, pool: 'x' });
    expect(run.endings()).toEqual(cancelled);
  });

  test('while a person is asked ends at once', () => {
    const { run, owed } = cancelledAt('a: { gate: Sure? }', () => {});
    expect(owed).toEqual([]);
    expect(run.endings()).toEqual(cancelled);
  });

  test('while a person is asked about a step ends at once', () => {
    const { run } = cancelledAt('a: { run: x, on_error: gate }', (at) => at.says('a', 'failed'));
    expect(run.endings()).toEqual(cancelled);
  });

  test('while it waits for a slot to be checked in ends at once', () => {
    const { run, owed } = cancelledAt('a: { run: x, check: t }\nb: { run: x }', (at) => {
      at.pause();
      at.says('a', 'done');
    });
    expect(owed).toEqual([]);
    expect(run.endings()).toMatchObject(cancelled);
  });

  test('while it is checked is stopped', () => {
    const { run, owed } = cancelledAt('a: { run: x, check: t }', (at) => at.says('a', 'done'));
    expect(owed).toEqual(['stop check a check#1']);
    run.says('a', 'passed');
    expect(run.endings()).toEqual(cancelled);
  });

  test('while it waits to be merged ends at once', () => {
    const { run } = cancelledAt('a: { run: x }', (at) => {
      at.pause();
      at.says('a', 'done');
    });
    expect(run.endings()).toMatchObject(cancelled);
  });

  const merging = (): Run => cancelledAt('a: { run: x }', (at) => at.says('a', 'done')).run;

  test('while it is merged is asked to stop', () => {
    const run = merging();
    expect(run.owed()).toEqual(['stop merge a merge#1']);
    run.says('a', 'stopped');
    expect(run.endings()).toEqual(cancelled);
  });

  test('while it is merged is done when the merge comes first, for what is merged is merged', () => {
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

  test('and has ended already stays as it ended', () => {
    const run = given('a: { run: x }\nb: { run: x }');
    run.says('a', 'done');
    expect(run.cancel('a', 'nobody')).toEqual([]);
    expect(run.endings()).toMatchObject({ a: 'done' });
  });

  test('twice is cancelled once', () => {
    const run = given('a: { run: x }');
    expect(run.cancel('a')).toEqual(['claim.cancelling a (cancelled)']);
    expect(run.cancel('a')).toEqual([]);
  });

  test('takes along those who need it', () => {
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

describe('a subplan that is cancelled', () => {
  const tasks =
    'b: { run: x }\ns:\n  needs: [b]\n  tasks:\n    p: { run: x }\n    q: { needs: [p], run: x }\n    g: { gate: Sure? }';

  test('before it opens never opens', () => {
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

  test('after it opened ends all that is in it', () => {
    const run = given(tasks);
    run.says('b', 'done');
    run.cancel('s');
    expect(run.owed()).toEqual(['stop s.p#1']);
    run.says('s.p', 'stopped');
    expect(run.endings()).toMatchObject({ s: 'cancelled (cancelled)', 's.g': 'cancelled (cancelled)', b: 'done' });
  });

  test('in part lets the rest of it go on', () => {
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
