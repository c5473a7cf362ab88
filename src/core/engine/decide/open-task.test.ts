import { describe, expect, test } from 'vitest';
import { given } from '../run.given.ts';

const three = (needs: string): string => `a: { run: x }\nb: { run: x }\nc: { run: x }\nd: { needs: ${needs}, run: x }`;
const once = { plan: 'attempts: 1' };

describe('a task that needs all', () => {
  test('opens when the last of its needs is done', () => {
    const run = given(three('[a, b, c]'));
    run.says('c', 'done');
    run.says('a', 'done');
    expect(run.claims()).toEqual(['b#1']);
    expect(run.says('b', 'done')).toEqual([
      'claim.ended b done',
      'task.ended b done',
      'task.opened d',
      'claim.made d #1',
    ]);
  });

  test('is cancelled when a need has failed, but waits for the others first', () => {
    const run = given(three('[a, b, c]'), once);
    run.says('a', 'failed');
    run.says('b', 'done');
    expect(run.endings()).toMatchObject({ a: 'failed (failed)', d: 'not ended' });
    expect(run.says('c', 'done')).toContain('task.skipped d cancelled (need) by a');
    expect(run.endings()).toEqual({ a: 'failed (failed)', b: 'done', c: 'done', d: 'cancelled (need)' });
  });

  test('cancels the tasks that need it', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }\nc: { needs: [b], run: x }', once);
    run.says('a', 'failed');
    expect(run.endings()).toEqual({ a: 'failed (failed)', b: 'cancelled (need)', c: 'cancelled (need)' });
    expect(run.isEnded()).toBe(true);
  });

  test('accepts a skipped need', () => {
    const run = given('a: { run: x, when: "1 > 2" }\nb: { needs: [a], run: x }');
    expect(run.endings()).toMatchObject({ a: 'skipped (condition)' });
    expect(run.claims()).toEqual(['b#1']);
  });
});

describe('a task that needs any', () => {
  test('opens when the first need is done, and lets the others continue', () => {
    const run = given(three('{ any: [a, b, c] }'));
    run.says('b', 'done');
    expect(run.claims()).toEqual(['a#1', 'c#1', 'd#1']);
    run.says('d', 'done');
    expect(run.isEnded()).toBe(false);
    run.says('a', 'done');
    run.says('c', 'done');
    expect(run.isEnded()).toBe(true);
  });

  test('waits while some needs have failed and one may yet succeed', () => {
    const run = given(three('{ any: [a, b, c] }'), once);
    run.says('a', 'failed');
    run.says('b', 'failed');
    expect(run.endings()).toMatchObject({ d: 'not ended' });
    run.says('c', 'done');
    expect(run.claims()).toEqual(['d#1']);
  });

  test('is cancelled when all needs have failed', () => {
    const run = given(three('{ any: [a, b, c] }'), once);
    for (const task of ['a', 'b', 'c']) run.says(task, 'failed');
    expect(run.endings()).toMatchObject({ d: 'cancelled (need)' });
    expect(run.isEnded()).toBe(true);
  });

  test('is satisfied by a skipped need only when no better ending can come', () => {
    const tasks = 'a: { run: x, when: "1 > 2" }\nb: { run: x }\nd: { needs: { any: [a, b] }, run: x }';
    const run = given(tasks, once);
    expect(run.claims()).toEqual(['b#1']);
    run.says('b', 'failed');
    expect(run.claims()).toEqual(['d#1']);
  });
});

describe('a task that needs two of three', () => {
  const orders = [
    ['done', 'done', 'failed'],
    ['done', 'failed', 'done'],
    ['failed', 'done', 'done'],
  ] as const;
  test.each(orders)('opens however they end: %s, %s, %s', (...words) => {
    const run = given(three('{ at_least: 2, of: [a, b, c] }'), once);
    words.forEach((word, index) => run.says('abc'[index] ?? '', word));
    expect(run.claims()).toEqual(['d#1']);
  });

  const bad = [
    ['failed', 'failed', 'done'],
    ['failed', 'done', 'failed'],
    ['done', 'failed', 'failed'],
    ['failed', 'failed', 'failed'],
  ] as const;
  test.each(bad)('is cancelled when too many fail: %s, %s, %s', (...words) => {
    const run = given(three('{ at_least: 2, of: [a, b, c] }'), once);
    words.forEach((word, index) => run.says('abc'[index] ?? '', word));
    expect(run.endings()).toMatchObject({ d: 'cancelled (need)' });
    expect(run.isEnded()).toBe(true);
  });

  test('opens as soon as two needs are done', () => {
    const run = given(three('{ at_least: 2, of: [a, b, c] }'));
    run.says('c', 'done');
    run.says('a', 'done');
    expect(run.claims()).toEqual(['b#1', 'd#1']);
  });
});

describe('a race', () => {
  test('that is won ignores an earlier failure of a racer', () => {
    const run = given(
      's: { tasks: { a: { run: x, attempts: 1 }, b: { run: x }, w: { needs: { race: [a, b] }, run: x } } }',
    );
    run.says('s.a', 'failed');
    run.says('s.b', 'done');
    run.says('s.w', 'done');
    expect(run.endings()).toEqual({ s: 'done', 's.a': 'failed (failed)', 's.b': 'done', 's.w': 'done' });
  });

  test('is not ended by the failure of a racer while another may win, though everything else fails fast', () => {
    const tasks = 'a: { run: x }\nb: { run: x }\nw: { needs: { race: [a, b] }, run: x }';
    const plan = 'attempts: 1\nfailure_mode: fail_fast';
    const run = given(tasks, { plan });
    run.says('a', 'failed');
    run.says('b', 'done');
    expect(run.claims()).toEqual(['w#1']);
    const lost = given(`${tasks}\nother: { run: x }`, { plan });
    lost.says('a', 'failed');
    lost.says('b', 'failed');
    expect(lost.owed()).toEqual(['stop other#1']);
  });

  test('is won by the first racer that is done, and the others are really ended', () => {
    const run = given(three('{ race: [a, b, c] }'));
    run.says('b', 'done');
    expect(run.owed()).toEqual(['stop a#1', 'stop c#1', 'work d#1']);
    run.says('a', 'stopped');
    run.says('c', 'done');
    run.says('d', 'done');
    expect(run.endings()).toEqual({ a: 'cancelled (race)', b: 'done', c: 'cancelled (race)', d: 'done' });
    expect(run.isEnded()).toBe(true);
  });

  test('ends racers that are waiting, ready, backing off, asking or queued', () => {
    const run = given(
      [
        'first: { run: x }',
        'waiting: { needs: [first], run: x }',
        'ready: { run: x, pools: [ci] }',
        'other: { run: x, pools: [ci] }',
        'resting: { run: x }',
        'asking: { gate: Sure? }',
        'merging: { run: x }',
        'queued: { run: x }',
        'fast: { gate: Go? }',
        'won: { needs: { race: [waiting, ready, resting, asking, queued, fast] }, run: x }',
      ].join('\n'),
      { tree: 'auto', plan: 'pools: { ci: 1 }\nmax_parallel: 8', priorities: [[0], [0], [0], [1]] },
    );
    run.says('resting', 'failed');
    run.says('merging', 'done');
    run.pause();
    run.says('queued', 'done');
    expect(run.says('fast', 'approve')).toEqual([
      'task.ended fast done',
      'task.opened won',
      'task.cancelling waiting (race) by won',
      'step.skipped ready cancelled (race) by won',
      'task.ended ready cancelled (race) by won',
      'step.skipped resting cancelled (race) by won',
      'task.ended resting cancelled (race) by won',
      'task.ended asking cancelled (race) by won',
      'task.ended queued cancelled (race) by won',
    ]);
    run.resume();
    run.says('first', 'done');
    run.says('merging', 'merged');
    run.says('first', 'merged');
    expect(run.endings()).toMatchObject({ first: 'done', waiting: 'cancelled (race)' });
  });

  test('is not won by a skipped task', () => {
    const run = given('a: { run: x, when: "1 > 2" }\nb: { run: x }\nd: { needs: { race: [a, b] }, run: x }');
    expect(run.owed()).toEqual(['work b#1']);
    run.says('b', 'done');
    expect(run.claims()).toEqual(['d#1']);
  });

  test('that is won ends the other racers even when its own condition is false', () => {
    const run = given('a: { run: x }\nb: { run: x }\nd: { needs: { race: [a, b] }, when: "1 > 2", run: x }');
    run.says('a', 'done');
    expect(run.owed()).toEqual(['stop b#1']);
    run.says('b', 'stopped');
    expect(run.endings()).toEqual({ a: 'done', b: 'cancelled (race)', d: 'skipped (condition)' });
  });

  test('is lost when all racers fail', () => {
    const run = given('a: { run: x }\nb: { run: x }\nd: { needs: { race: [a, b] }, run: x }', once);
    run.says('a', 'failed');
    run.says('b', 'failed');
    expect(run.endings()).toMatchObject({ d: 'cancelled (need)' });
  });

  test('between subplans ends all tasks in the slower one', () => {
    const run = given(
      's:\n  tasks:\n    p: { run: x }\n    q: { needs: [p], run: x }\nf: { run: x }\nd: { needs: { race: [s, f] }, run: x }',
    );
    run.says('f', 'done');
    run.says('s.p', 'stopped');
    expect(run.endings()).toMatchObject({
      s: 'cancelled (race)',
      's.p': 'cancelled (race)',
      's.q': 'cancelled (race)',
    });
  });

  test('does not fail the subplan of a losing racer', () => {
    const run = given('s:\n  tasks:\n    p: { run: x }\n    q: { run: x }\n    d: { needs: { race: [p, q] }, run: x }');
    run.says('s.p', 'done');
    run.says('s.q', 'stopped');
    run.says('s.d', 'done');
    expect(run.endings()).toMatchObject({ s: 'done', 's.q': 'cancelled (race)' });
  });
});

describe('a condition on a task', () => {
  test('reads results of earlier tasks', () => {
    const tasks =
      'a: { run: x, output: { type: object } }\nb: { needs: [a], when: tasks.a.output.score >= 7, run: x }\nc: { needs: [a], when: tasks.a.output.score < 7, run: x }';
    const run = given(tasks);
    run.says('a', { said: { output: { score: 8 } } });
    expect(run.claims()).toEqual(['b#1']);
    expect(run.endings()).toMatchObject({ c: 'skipped (condition)' });
  });

  test('that cannot be evaluated fails the task with a typed reason and a sentence', () => {
    const run = given(
      'a: { run: x, output: { type: object } }\nb: { needs: [a], when: tasks.a.output.score >= 7, run: x }',
    );
    const lines = run.says('a', { said: { output: {} } });
    expect(lines.find((line) => line.startsWith('task.skipped b failed (expression) by '))).toBeDefined();
  });

  test('that is no boolean fails the task', () => {
    const run = given('a: { run: x, output: { type: object } }\nb: { needs: [a], when: tasks.a.output.score, run: x }');
    run.says('a', { said: { output: { score: 3 } } });
    expect(run.endings()).toMatchObject({ b: 'failed (expression)' });
  });

  test('that is false skips a subplan and all tasks in it', () => {
    const run = given(
      's:\n  when: "1 > 2"\n  tasks:\n    p: { run: x }\n    q: { needs: { any: [p] }, tasks: { r: { run: x } } }\nt: { needs: [s.q.r], run: x }',
    );
    expect(run.endings()).toEqual({
      s: 'skipped (condition)',
      's.p': 'skipped (condition)',
      's.q': 'skipped (condition)',
      's.q.r': 'skipped (condition)',
      t: 'not ended',
    });
    expect(run.claims()).toEqual(['t#1']);
  });
});

describe('a subplan', () => {
  const tasks =
    'a: { run: x }\ns:\n  needs: [a]\n  tasks:\n    p: { run: x }\n    q: { needs: [p], run: x }\nb: { needs: [s], run: x }';

  test('opens its tasks when its needs are met, and ends when they have all ended', () => {
    const run = given(tasks);
    expect(run.claims()).toEqual(['a#1']);
    run.says('a', 'done');
    expect(run.claims()).toEqual(['s.p#1']);
    run.says('s.p', 'done');
    run.says('s.q', 'done');
    expect(run.claims()).toEqual(['b#1']);
    expect(run.endings()).toMatchObject({ s: 'done' });
  });

  test('that never opens skips its tasks', () => {
    const run = given(tasks, once);
    run.says('a', 'failed');
    expect(run.endings()).toEqual({
      a: 'failed (failed)',
      s: 'cancelled (need)',
      's.p': 'cancelled (need)',
      's.q': 'cancelled (need)',
      b: 'cancelled (need)',
    });
  });

  test('fails when one of its tasks does', () => {
    const run = given(tasks, once);
    run.says('a', 'done');
    run.says('s.p', 'failed');
    expect(run.endings()).toMatchObject({ s: 'failed (failed)', 's.q': 'cancelled (need)', b: 'cancelled (need)' });
    expect(run.trace()).toContain('task.ended s failed (failed) by s.p');
  });

  test('may be nested sixteen deep', () => {
    const lines = Array.from(
      { length: 15 },
      (_, depth) =>
        `${'    '.repeat(depth)}s:\n${'    '.repeat(depth)}  max_parallel: 1\n${'    '.repeat(depth)}  tasks:`,
    );
    const run = given(`${lines.join('\n')}\n${'    '.repeat(15)}t: { run: x }`);
    const path = `${'s.'.repeat(15)}t`;
    expect(run.claims()).toEqual([`${path}#1`]);
    run.says(path, 'done');
    expect(run.isEnded()).toBe(true);
    expect(Object.values(run.endings())).toEqual(Array.from({ length: 16 }, () => 'done'));
  });
});
