import { describe, expect, test } from 'vitest';
import { compiled, given } from '../engine/run.given.ts';
import { NO_HISTORY } from './estimate.ts';
import { prepare } from './prepare-run.ts';
import { simulate } from './simulate-run.ts';
import { trackRecord } from './track-record.ts';

const PLAN = 'a: { run: x, estimate: 10m }\nb: { needs: [a], run: x, estimate: 5m }\nc: { run: x, estimate: 8m }';

/** A run in which everything takes this many times its estimate. */
function run(factor: number, tasks = PLAN) {
  const plan = compiled(tasks);
  const { order } = prepare(plan, { history: NO_HISTORY, seed: 1 });
  const scenario = { seed: 1, history: NO_HISTORY, spread: 0, failureShare: 0, endsWell: true, factor };
  return simulate(plan, order, scenario).events;
}

describe('the track record of forecasts', () => {
  test('counts the runs that kept to the range', () => {
    expect(trackRecord([])).toEqual({ held: 0, of: 0 });
    expect(trackRecord([run(1), run(1.1), run(0.9)])).toEqual({ held: 3, of: 3 });
    expect(trackRecord([run(1), run(20), run(1)])).toMatchObject({ of: 3, held: 2 });
  });

  test('forecasts each run from the runs before it alone', () => {
    // The first run is far from its estimates; those after it are forecast from it.
    expect(trackRecord([run(6), run(6), run(6), run(6), run(6)])).toMatchObject({ held: 4, of: 5 });
  });

  test('leaves out runs that waited for a person, failed or have not ended', () => {
    const open = given(PLAN);
    const failed = given('a: { run: x }', { plan: 'attempts: 1' });
    failed.says('a', 'failed');
    const paused = given('a: { run: x }');
    paused.pause();
    paused.waits(60_000);
    paused.resume();
    paused.says('a', 'done');
    expect(paused.isEnded()).toBe(true);
    const gated = run(1, 'a: { gate: Go? }\nb: { needs: [a], run: x }');
    expect(trackRecord([open.log, failed.log, paused.log, gated])).toEqual({ held: 0, of: 0 });
  });
});
