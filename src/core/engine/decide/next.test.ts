import { describe, expect, test } from 'vitest';
import { given } from '../run.given.ts';

describe('a paused run', () => {
  test('claims nothing, and lets running claims finish', () => {
    const run = given('a: { run: x }\nb: { needs: [a], run: x }');
    expect(run.pause()).toEqual(['run.paused']);
    expect(run.says('a', 'done')).toEqual(['claim.ended a done', 'task.ended a done', 'task.opened b']);
    expect(run.owed()).toEqual([]);
    expect(run.resume()).toEqual(['run.resumed', 'claim.made b #1']);
  });

  test('is paused once and resumed once', () => {
    const run = given('a: { run: x }');
    expect(run.resume()).toEqual([]);
    run.pause();
    expect(run.pause()).toEqual([]);
    run.resume();
    expect(run.resume()).toEqual([]);
  });

  test('does not retry a step that fails meanwhile', () => {
    const run = given('a: { run: x }');
    run.pause();
    run.says('a', 'failed');
    expect(run.waits(60_000)).toEqual([]);
    expect(run.resume()).toEqual(['run.resumed', 'claim.made a #2']);
  });

  test('ends when the last running work ends', () => {
    const run = given('a: { run: x }');
    run.pause();
    run.says('a', 'done');
    expect(run.isEnded()).toBe(true);
  });
});

describe('an account without quota', () => {
  const tasks = 'a: { prompt: x }\nb: { prompt: x }\nc: { run: x }';
  const plan = 'pools: { ai: 1 }\nagents: { bot: { use: scripted, pool: ai } }\nagent: bot\nattempts: 1';

  test('closes its pool until a time, uses up no attempt, and opens again', () => {
    const run = given(tasks, { plan });
    expect(run.says('a', { limitedUntil: 60_000 })).toEqual(['claim.returned a (quota) uncounted', 'pool.closed ai']);
    expect(run.owed()).toEqual(['work c#1', 'wait 60000']);
    expect(run.waits(59_999)).toEqual([]);
    expect(run.waits(1)).toEqual(['pool.opened ai', 'claim.made a #2']);
    run.says('a', 'done');
    expect(run.endings()).toMatchObject({ a: 'done' });
  });

  test('reported by two workers stays closed until the later time', () => {
    const run = given(tasks, { plan: plan.replace('ai: 1', 'ai: 2') });
    run.says('a', { limitedUntil: 90_000 });
    run.says('b', { limitedUntil: 60_000 });
    run.waits(60_000);
    expect(run.owed()).toEqual(['work c#1', 'wait 90000']);
    expect(run.waits(30_000)).toContain('pool.opened ai');
  });

  test('backs off for a minimum time when the reported time is already over', () => {
    const run = given(tasks, { plan });
    run.says('a', { limitedUntil: -5 });
    expect(run.owed()).toEqual(['work c#1', 'wait 10000']);
  });

  test('of a pool that the plan lacks makes only the step back off', () => {
    const run = given('a: { run: x }', { plan: 'attempts: 1' });
    expect(run.says('a', { limitedUntil: 60_000, pool: 'elsewhere' })).toEqual(['claim.returned a (quota) uncounted']);
    expect(run.owed()).toEqual(['wait 60000']);
    expect(run.waits(60_000)).toEqual(['claim.made a #2']);
  });
});

describe('pools', () => {
  test('are never oversubscribed, and a step may want more than one token', () => {
    const run = given(
      'a: { run: x, pools: { db: 2 } }\nb: { run: x, pools: { db: 1 } }\nc: { run: x, pools: { db: 2 } }',
      { plan: 'pools: { db: 3 }' },
    );
    expect(run.claims()).toEqual(['a#1', 'b#1']);
    run.says('b', 'done');
    expect(run.claims()).toEqual(['a#1']);
    run.says('a', 'failed');
    expect(run.claims()).toEqual(['c#1']);
  });

  test('give a claim all its tokens at once or none', () => {
    const run = given('a: { run: x, pools: [db] }\nb: { run: x, pools: [db, web] }\nc: { run: x, pools: [web] }', {
      plan: 'pools: { db: 1, web: 1 }',
    });
    expect(run.claims()).toEqual(['a#1', 'c#1']);
  });

  test('let later claims that fit pass when the first in line does not fit', () => {
    const run = given('a: { run: x, pools: [db] }\nb: { run: x, pools: [db] }\nc: { run: x }', {
      plan: 'pools: { db: 1 }\nmax_parallel: 2',
      priorities: [[9], [8], [1]],
    });
    expect(run.claims()).toEqual(['a#1', 'c#1']);
  });
});

describe('caps', () => {
  test('of the run and of subplans apply together', () => {
    const run = given(
      's:\n  max_parallel: 1\n  tasks: { p: { run: x }, q: { run: x } }\nt:\n  max_parallel: 2\n  tasks: { p: { run: x }, q: { run: x }, r: { run: x } }',
      { plan: 'max_parallel: 2' },
    );
    expect(run.claims()).toEqual(['s.p#1', 't.p#1']);
    run.says('s.p', 'done');
    expect(run.claims()).toEqual(['t.p#1', 's.q#1']);
    run.says('s.q', 'done');
    expect(run.claims()).toEqual(['t.p#1', 't.q#1']);
    run.says('t.p', 'done');
    expect(run.claims()).toEqual(['t.q#1', 't.r#1']);
  });

  test('apply to checks too', () => {
    const run = given('s:\n  max_parallel: 1\n  tasks: { p: { run: x, check: t }, q: { run: x } }');
    run.says('s.p', 'done');
    expect(run.claims()).toEqual(['s.p check#1']);
  });
});

describe('the order of claims', () => {
  test('is by priority, and by the plan among equals', () => {
    const run = given('a: { run: x }\nb: { run: x }\nc: { run: x }', {
      plan: 'max_parallel: 1',
      priorities: [[1], [3], [3]],
    });
    expect(run.claims()).toEqual(['b#1']);
    run.says('b', 'done');
    expect(run.claims()).toEqual(['c#1']);
  });

  test('under the serial policy is the order of the plan, one at a time, merges and checks included', () => {
    const run = given('b: { run: x, check: t }\na: { run: x }\nc: { run: x, needs: [b] }', {
      policy: 'serial',
      tree: 'auto',
      priorities: [[1], [9], [9]],
    });
    const seen = [...run.claims()];
    for (const [task, word] of [
      ['b', 'done'],
      ['b', 'passed'],
      ['b', 'merged'],
      ['a', 'done'],
      ['a', 'merged'],
    ] as const) {
      run.says(task, word);
      seen.push(...run.claims());
    }
    expect(seen).toEqual(['b#1', 'b check#1', 'b merge#1', 'a#1', 'a merge#1', 'c#1']);
  });

  test('under the serial policy passes over a step that backs off', () => {
    const run = given('a: { run: x }\nb: { run: x }', { policy: 'serial' });
    run.says('a', 'failed');
    expect(run.claims()).toEqual(['b#1']);
    run.waits(60_000);
    run.says('b', 'done');
    expect(run.claims()).toEqual(['a#2']);
  });
});

test('a plan of one task runs it and ends', () => {
  const run = given('a: { run: x }');
  run.says('a', 'done');
  expect(run.trace()).toEqual([
    'run.started',
    'task.opened a',
    'claim.made a #1',
    'claim.ended a done',
    'task.ended a done',
    'run.ended',
  ]);
});
