import { describe, expect, test } from 'vitest';
import { given } from '../run.given.ts';

describe('a step that fails', () => {
  test('is retried after a backoff that doubles and depends on the seed', () => {
    const rests = (seed: number): readonly number[] => {
      const run = given('a: { run: x, attempts: 4 }', { seed });
      const found: number[] = [];
      for (let attempt = 1; attempt < 4; attempt += 1) {
        run.says('a', 'failed');
        const wait = run.effects().find(({ type }) => type === 'wait');
        found.push(wait?.type === 'wait' ? wait.until - run.now() : 0);
        run.waits(found.at(-1) ?? 0);
      }
      return found;
    };
    expect(rests(1)).toEqual(rests(1));
    expect(rests(1)).not.toEqual(rests(2));
    rests(1).forEach((rest, index) => {
      expect(rest).toBeGreaterThanOrEqual(500 * 2 ** index);
      expect(rest).toBeLessThanOrEqual(1000 * 2 ** index);
    });
  });

  test('is not retried before its backoff is over', () => {
    const run = given('a: { run: x }');
    run.says('a', 'timeout');
    expect(run.waits(400)).toEqual([]);
    expect(run.waits(700)).toEqual(['claim.made a #2']);
  });

  test('gives its slot and pool to others during its backoff', () => {
    const run = given('a: { run: x, pools: [ci] }\nb: { run: x, pools: [ci] }', { plan: 'pools: { ci: 1 }' });
    expect(run.claims()).toEqual(['a#1']);
    run.says('a', 'failed');
    expect(run.claims()).toEqual(['b#1']);
  });

  test('is not retried when the failure is final', () => {
    const run = given('a: { run: x, attempts: 5 }');
    run.says('a', { lost: 'refused', isFinal: true });
    expect(run.endings()).toEqual({ a: 'failed (refused)' });
  });

  test('keeps the reason of its last attempt', () => {
    const run = given('a: { run: x }');
    run.says('a', 'timeout');
    run.waits(60_000);
    run.says('a', 'idle');
    expect(run.endings()).toEqual({ a: 'failed (idle)' });
  });

  test('is claimed again without losing an attempt when it was stopped without being cancelled', () => {
    const run = given('a: { run: x, attempts: 1 }');
    expect(run.says('a', 'stopped')).toEqual(['claim.returned a (cancelled) uncounted', 'claim.made a #2']);
    run.says('a', 'done');
    expect(run.endings()).toEqual({ a: 'done' });
  });
});

describe('a report', () => {
  test('of an unknown claim has no effect', () => {
    const run = given('a: { run: x }');
    const spend = { usd: 0, tokens: 0 };
    const result = { ok: true, response: '', output: undefined, exitCode: 0, commit: undefined };
    const report = { type: 'finished', work: 'step', spend, result } as const;
    expect(run.hears({ ...report, task: 'a', step: 'main', attempt: 2 })).toEqual([]);
    expect(run.hears({ ...report, task: 'b', step: 'main', attempt: 1 })).toEqual([]);
    expect(run.hears({ ...report, task: 'a', step: 'other', attempt: 1 })).toEqual([]);
    expect(run.hears({ ...report, work: 'check', task: 'a', step: undefined, attempt: 1 })).toEqual([]);
    expect(run.hears({ ...report, work: 'merge', task: 'z', step: undefined, attempt: 1 })).toEqual([]);
    expect(run.hears({ type: 'answered', task: 'a', step: undefined, attempt: 1, answer: 'approve' })).toEqual([]);
    expect(run.claims()).toEqual(['a#1']);
  });

  test('of an earlier attempt has no effect', () => {
    const run = given('a: { run: x }');
    run.says('a', 'failed');
    run.waits(60_000);
    expect(run.claims()).toEqual(['a#2']);
    const late = {
      type: 'stopped',
      work: 'step',
      task: 'a',
      step: 'main',
      attempt: 1,
      spend: { usd: 9, tokens: 0 },
    } as const;
    expect(run.hears(late)).toEqual([]);
    expect(run.spent()).toEqual({ usd: 0, tokens: 0 });
  });

  test('after the end of the run has no effect', () => {
    const run = given('a: { run: x }');
    run.says('a', 'done');
    expect(run.hears({ type: 'time' })).toEqual([]);
    expect(run.cancel('a')).toEqual([]);
    expect(run.pause()).toEqual([]);
    expect(run.owed()).toEqual([]);
  });
});

describe('a gate', () => {
  test('asks when its needs are met, and is done when a person approves', () => {
    const run = given('a: { run: x }\ng: { needs: [a], gate: Ship it? }\nb: { needs: [g], run: x }');
    expect(run.owed()).toEqual(['work a#1']);
    run.says('a', 'done');
    expect(run.owed()).toEqual(['ask g#1']);
    run.says('g', 'approve');
    expect(run.claims()).toEqual(['b#1']);
  });

  test('that is rejected fails, and cancels the tasks that need it', () => {
    const run = given('g: { gate: Ship it? }\nb: { needs: [g], run: x }');
    run.says('g', 'reject');
    expect(run.endings()).toEqual({ g: 'failed (rejected)', b: 'cancelled (need)' });
  });

  test('cannot be retried', () => {
    const run = given('g: { gate: Ship it? }');
    expect(run.says('g', 'retry')).toEqual([]);
    expect(run.owed()).toEqual(['ask g#1']);
  });

  test('is asked while the run is paused too', () => {
    const run = given('a: { run: x }\ng: { needs: [a], gate: Ship it? }');
    run.pause();
    run.says('a', 'done');
    expect(run.owed()).toEqual(['ask g#1']);
  });
});

describe('a lost step', () => {
  test('is claimed again, and uses up an attempt only after many losses in a row', () => {
    const run = given('a: { run: x }', { plan: 'attempts: 2' });
    const loseOften = (): void => {
      for (let times = 0; times < 20; times += 1) run.says('a', 'lost');
    };
    run.says('a', 'lost');
    expect(run.claims()).toEqual(['a#2']);
    run.says('a', 'stopped');
    loseOften();
    run.waits(600_000);
    expect(run.claims()).toEqual(['a#23']);
    loseOften();
    expect(run.endings()).toEqual({ a: 'failed (crashed)' });
  });
});
