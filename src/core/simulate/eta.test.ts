import { describe, expect, test } from 'vitest';
import { assert } from '../assert.ts';
import type { RunEvent } from '../engine/event.ts';
import { given, type Run } from '../engine/run.given.ts';
import { NO_HISTORY } from './estimate.ts';
import { forecast } from './forecast.ts';
import { prepare } from './prepare-run.ts';
import { etaOf, type Eta } from './eta.ts';
import { pastWorkOf } from './past-work.ts';

const PLAN = `
quick: { run: x, estimate: 1m }
part:
  needs: [quick]
  tasks:
    long: { run: x, estimate: 10m }
    short: { run: x, estimate: 2m }
last: { needs: [part], run: x, estimate: 3m }
`.trim();

const minutes = (count: number): number => count * 60_000;

function etaAt(run: Run, earlier: readonly (readonly RunEvent[])[] = []): Eta {
  const eta = etaOf({ state: run.state(), past: () => [...earlier, run.log].map(pastWorkOf), now: run.now() });
  assert(eta !== undefined, 'The plan is small.');
  return eta;
}

describe('the eta', () => {
  test('says when the run ends, and which tasks decide that', () => {
    const run = given(PLAN);
    const eta = etaAt(run);
    // Fourteen minutes if all goes as estimated; durations that stray make the longest of several longer.
    expect(eta.endAt.likely).toBeGreaterThan(minutes(12));
    expect(eta.endAt.likely).toBeLessThan(minutes(18));
    expect(eta.endAt.low).toBeLessThan(eta.endAt.likely);
    expect(eta.endAt.high).toBeGreaterThan(eta.endAt.likely);
    expect(eta.chain).toEqual(['quick', 'part.long', 'last']);
  });

  test('leaves out what has ended', () => {
    const run = given(PLAN);
    run.waits(minutes(1));
    run.says('quick', 'done');
    const eta = etaAt(run);
    expect(eta.chain).toEqual(['part.long', 'last']);
  });

  test('learns from how long things took in earlier runs', () => {
    const before = given('a: { run: x }\nb: { needs: [a], run: x }');
    before.waits(minutes(7));
    before.says('a', 'done');
    before.waits(minutes(2));
    before.says('b', 'done');
    const run = given('a: { run: x }\nb: { needs: [a], run: x }');
    const { endAt } = etaAt(run, [before.log]);
    expect(endAt.likely).toBeGreaterThan(minutes(7));
    expect(endAt.likely).toBeLessThan(minutes(13));
  });

  test('agrees with the forecast of the plan when the run begins', () => {
    const run = given(PLAN);
    const prepared = prepare(run.compiled, { history: NO_HISTORY, seed: run.state().run.seed });
    const { makespanMs } = forecast(run.compiled, prepared);
    const begun = given(PLAN, { priorities: prepared.order.priorities });
    const { endAt } = etaAt(begun);
    // Backoff after a failure differs by moments, because each run has its own seed for it.
    for (const part of ['low', 'likely', 'high'] as const) expect(endAt[part] / makespanMs[part]).toBeCloseTo(1, 2);
  });

  test('is not made of a plan so large that it would hold up the run', () => {
    const tasks = Array.from({ length: 2_100 }, (_, at) => `t${at}: { run: x }`).join('\n');
    const run = given(tasks);
    expect(etaOf({ state: run.state(), past: () => [], now: run.now() })).toBeUndefined();
  });
});
