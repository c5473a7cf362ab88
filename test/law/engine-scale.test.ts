import { describe, expect, test } from 'vitest';
import { compile } from '../../src/core/compile/compile.ts';
import type { Compiled } from '../../src/core/compile/compiled.ts';
import { parsePlan } from '../../src/core/plan/build/parse.ts';
import { givenPlanText } from '../../src/core/engine/run.given.ts';
import { NO_HISTORY } from '../../src/core/simulate/estimate.ts';
import { forecast } from '../../src/core/simulate/forecast.ts';
import { prepare } from '../../src/core/simulate/prepare-run.ts';
import { simulate } from '../../src/core/simulate/simulate-run.ts';

function plan(tasks: string, top = ''): Compiled {
  const parsed = parsePlan(givenPlanText(tasks, { plan: top, tree: 'auto' }), { file: 'large.yaml' });
  if (parsed.plan === undefined) throw new Error(parsed.diagnostics[0]?.message);
  return compile(parsed.plan);
}

const braid = (count: number): string =>
  Array.from({ length: count }, (_, at) => `t${at}: { run: x${at < 3 ? '' : `, needs: [t${at - 3}]`} }`).join('\n');

const GIVEN = { history: NO_HISTORY, seed: 1 };

const eventsOf = (compiled: Compiled): number => {
  const { order } = prepare(compiled, GIVEN);
  return simulate(compiled, order, { ...GIVEN, spread: 0.3, failureShare: 0, endsWell: false }).events.length;
};

describe('a large plan', () => {
  // A part that grew with the square of the plan would not end within the time that a test has.
  test('of fifty thousand tasks is simulated', () => {
    expect(eventsOf(plan(braid(50_000), 'max_parallel: 16'))).toBe(7 * 50_000 + 2);
  });

  test('with thousands of steps that wait for scarce tokens is simulated too', () => {
    const tasks = Array.from({ length: 3_000 }, (_, at) => {
      const pools = at % 100 === 0 ? '{ gpu: 4 }' : '{ gpu: 1 }';
      return `t${at}: { run: x, pools: ${pools} }`;
    });
    expect(eventsOf(plan(tasks.join('\n'), 'pools: { gpu: 4 }\nmax_parallel: 16'))).toBe(7 * 3_000 + 2);
  });

  test('whose steps each take different amounts of two pools is simulated too', () => {
    const tasks = Array.from(
      { length: 3_000 },
      (_, at) => `t${at}: { run: x, pools: { a: ${1 + (at % 100)}, b: ${1 + Math.floor(at / 100)} } }`,
    );
    expect(eventsOf(plan(tasks.join('\n'), 'pools: { a: 200, b: 200 }\nmax_parallel: 16'))).toBe(7 * 3_000 + 2);
  });

  test('with more steps than the simulation limit is forecast from one schedule', () => {
    const large = plan(braid(20_001), 'max_parallel: 16');
    const { runs, expectedMs, lowerBoundMs, spans, peakParallelism } = forecast(large, prepare(large, GIVEN), {
      spread: 0.4,
      failureShare: 0.05,
    });
    expect({ runs, peakParallelism }).toEqual({ runs: 0, peakParallelism: 3 });
    expect(expectedMs).toBeGreaterThanOrEqual(lowerBoundMs);
    expect(spans).toHaveLength(2 * 20_001);
  });

  test('is forecast from fewer runs', () => {
    const large = plan(braid(4_000));
    expect(forecast(large, prepare(large, GIVEN), { spread: 0.4, failureShare: 0.05 }).runs).toBe(5);
  });
});
