import { describe, expect, test } from 'vitest';
import { fold } from '../engine/apply/fold.ts';
import { given, type Run } from '../engine/run.given.ts';
import { snapshot } from '../engine/state.ts';
import { NO_HISTORY } from './estimate.ts';
import { simulateOn, type ExpectedEnd } from './simulate-on.ts';
import { CERTAIN } from './variability.ts';

const AS_ESTIMATED = { ...NO_HISTORY, variability: CERTAIN };
const minutes = (count: number): number => count * 60_000;

/** In minutes: when each task and step is expected to start and end. */
function expectedOf(run: Run): Record<string, string> {
  const { tasks, endAt }: ExpectedEnd = simulateOn(fold(run.log), { now: run.now(), history: AS_ESTIMATED });
  const said = (at: number | undefined): string => (at === undefined ? '?' : String(Math.round(at / 600) / 100));
  const lines = [...tasks].flatMap(([path, { startAt, endAt: ends, steps }]): [string, string][] => [
    [path, `${said(startAt)} to ${said(ends)}`],
    ...[...steps]
      .filter(([id]) => id !== 'main')
      .map(([id, span]): [string, string] => [`${path}/${id}`, `${said(span.startAt)} to ${said(span.endAt)}`]),
  ]);
  return { ...Object.fromEntries(lines), run: said(endAt.likely) };
}

describe('a run simulated from its present state', () => {
  test('expects the rest of the estimate for a running step', () => {
    const run = given('a: { run: x, estimate: 10m }\nb: { needs: [a], run: x, estimate: 5m }');
    run.waits(minutes(4));
    expect(expectedOf(run)).toEqual({ a: '0 to 10', b: '10 to 15', run: '15' });
  });

  test('expects that a late step takes a little longer', () => {
    const run = given('a: { run: x, estimate: 10m }\nb: { needs: [a], run: x, estimate: 5m }');
    run.waits(minutes(30));
    expect(expectedOf(run)).toEqual({ a: '0 to 31', b: '31 to 36', run: '36' });
  });

  test('gives no times for ended tasks, and times of each step for others', () => {
    const tasks =
      'a: { run: x }\nb:\n  steps:\n    - { id: p, run: x, estimate: 1m }\n    - { id: q, run: x, estimate: 2m }';
    const run = given(tasks);
    run.says('a', 'done');
    run.says('b/p', 'done');
    expect(expectedOf(run)).toEqual({ b: '0 to 2', 'b/q': '0 to 2', run: '2' });
  });

  test('waits for closed pools and for backoffs', () => {
    const run = given('a: { run: x, estimate: 1m, pools: [p] }\nb: { run: x, estimate: 1m, pools: [p] }', {
      plan: 'pools: { p: 1 }',
    });
    run.says('a', { limitedUntil: minutes(5), pool: 'p' });
    expect(expectedOf(run)).toEqual({ a: '5 to 6', b: '6 to 7', run: '7' });
  });

  test('takes a person to answer, to resume and to release at once', () => {
    const run = given('a: { gate: Go? }\nb: { needs: [a], run: x, estimate: 1m }');
    run.pause();
    run.waits(minutes(3));
    expect(expectedOf(run)).toEqual({ a: '? to 3', b: '3 to 4', run: '4' });
  });

  test('answers the questions of agents at once', () => {
    const run = given('a: { prompt: x, estimate: 2m }\nb: { needs: [a], run: x, estimate: 1m }');
    const result = { ok: false, response: '', output: undefined, exitCode: undefined, commit: undefined };
    const about = { task: 'a', step: 'main', attempt: 1, spend: { usd: 0, tokens: 0 } };
    run.hears({ type: 'asked', work: 'step', ...about, question: 'Which one?', result });
    run.waits(minutes(3));
    expect(expectedOf(run)).toEqual({ a: '3 to 5', b: '5 to 6', run: '6' });
  });

  test('has nothing to expect of a run that has ended', () => {
    const run = given('a: { run: x }');
    run.says('a', 'done');
    run.waits(minutes(1));
    expect(expectedOf(run)).toEqual({ run: '0' });
  });

  test('stays as it is, so that the same is expected of it again', () => {
    const run = given('a: { run: x, estimate: 5m }\nb: { needs: [a], run: x, pools: { ci: 1 } }', {
      plan: 'pools: { ci: 1 }',
    });
    run.waits(minutes(1));
    const present = fold(run.log);
    const before = structuredClone(snapshot(present));
    const first = simulateOn(present, { now: run.now(), history: NO_HISTORY });
    expect(simulateOn(present, { now: run.now(), history: NO_HISTORY })).toEqual(first);
    expect(simulateOn(fold(run.log), { now: run.now(), history: NO_HISTORY })).toEqual(first);
    expect(snapshot(present)).toEqual(before);
  });
});
