import { describe, expect, test } from 'vitest';
import { compiled } from '../engine/run.given.ts';
import { NO_HISTORY } from './estimate.ts';
import { forecast, type Forecast, type Forecasting } from './forecast.ts';
import { prepare } from './prepare-run.ts';

const HOW: Forecasting = { spread: 0.4, failureShare: 0.05 };

function of(tasks: string, plan = '', how = HOW): Forecast {
  const given = compiled(tasks, { plan });
  return forecast(given, prepare(given, { history: NO_HISTORY, seed: 1 }), how);
}

describe('a forecast', () => {
  const diamond = [
    'a: { prompt: x, estimate: 10m }',
    'b: { needs: [a], prompt: x, estimate: 20m }',
    'c: { needs: [a], run: x }',
    'd: { needs: [b, c], gate: Ship? }',
  ].join('\n');

  test('gives the makespan when all durations equal their estimates, and its bounds', () => {
    const { expectedMs, lowerBoundMs, serialMs, peakParallelism, critical, gates, origins } = of(diamond);
    expect({ expectedMs, lowerBoundMs, serialMs, peakParallelism, gates, origins }).toEqual({
      expectedMs: 1_800_000,
      lowerBoundMs: 1_800_000,
      serialMs: 1_860_000,
      peakParallelism: 2,
      gates: 1,
      origins: { plan: 2, 'earlier runs': 0, default: 1 },
    });
    expect(critical.map(({ task }) => task)).toEqual(['a', 'b']);
  });

  test('gives ranges in order, from many runs, the same for the same seed', () => {
    const { makespanMs, usd, tokens, runs } = of(diamond);
    for (const { low, likely, high } of [makespanMs, usd, tokens]) {
      expect(low).toBeLessThanOrEqual(likely);
      expect(likely).toBeLessThanOrEqual(high);
    }
    expect(makespanMs.low).toBeLessThan(makespanMs.high);
    expect(runs).toBe(100);
    expect(of(diamond)).toEqual(of(diamond));
  });

  test('gives the share of runs that a budget would cut short', () => {
    expect(of(diamond).budgetShare).toBe(0);
    expect(of('a: { prompt: x }\nb: { needs: [a], prompt: x }', 'budget: { usd: 0.6 }').budgetShare).toBeGreaterThan(
      0.9,
    );
  });

  test('is never shorter than its bound, races or not', () => {
    const races = of(
      'a: { run: x, estimate: 9m }\nb: { run: x, estimate: 2m }\nc: { needs: { race: [a, b] }, run: x, estimate: 1m }',
      'max_parallel: 2',
    );
    expect(races.expectedMs).toBe(180_000);
    expect(races.lowerBoundMs).toBeLessThanOrEqual(races.expectedMs);
  });

  test('is never shorter than its bound when a race is inside a subplan, and its loser has followers', () => {
    const inner =
      'a: { run: x, estimate: 9m }, b: { run: x, estimate: 2m }, c: { needs: { race: [a, b] }, run: x, estimate: 1m }, d: { needs: [a], run: x, estimate: 20m }';
    const races = of(`s: { tasks: { ${inner} } }\ne: { needs: [s], run: x, estimate: 1m }`, 'max_parallel: 4');
    expect(races.expectedMs).toBe(240_000);
    expect(races.lowerBoundMs).toBe(240_000);
  });

  test('counts failures as time and money, and never as work that is not done', () => {
    const calm = of(diamond, '', { spread: 0, failureShare: 0 });
    const rough = of(diamond, '', { spread: 0, failureShare: 0.9 });
    expect(calm.makespanMs.likely).toBe(calm.expectedMs);
    expect(rough.makespanMs.low).toBeGreaterThan(calm.expectedMs);
    expect(rough.usd.likely).toBeGreaterThan(calm.usd.likely);
  });

  test('takes a spread that is given for all that durations stray', () => {
    const { makespanMs } = of('a: { prompt: x }', '', { spread: 0.01, failureShare: 0 });
    expect(makespanMs.high / makespanMs.low).toBeLessThan(1.1);
  });

  test('draws a bar for each claim', () => {
    expect(of(diamond).spans.map(({ task, startMs, endMs }) => [task, startMs / 60_000, endMs / 60_000])).toEqual([
      ['a', 0, 10],
      ['c', 10, 11],
      ['b', 10, 30],
    ]);
  });
});
