import { describe, expect, test } from 'vitest';
import type { Compiled } from '../compile/compiled.ts';
import type { Order } from '../engine/order.ts';
import { compiled } from '../engine/run.given.ts';
import { longestRemainingMs } from '../schedule/priorities.ts';
import { NO_HISTORY } from './estimate.ts';
import { prepare, type Prepared } from './prepare-run.ts';
import type { Scenario } from './draw-scenarios.ts';
import { simulate } from './simulate-run.ts';
import { CERTAIN } from './variability.ts';

const GIVEN = { history: NO_HISTORY, seed: 1 };
const EXACT: Scenario = { ...GIVEN, spread: 0, failureShare: 0, endsWell: true };

/** Fourteen tasks that compete for two pools. */
function crowded(seed: number): Compiled {
  const tasks = Array.from({ length: 14 }, (_, at) => {
    const needs = at < 4 ? '' : `, needs: [t${at - 1 - ((at * seed) % 4)}]`;
    const pools = ['{ p: 1 }', '{ q: 2 }', '{ p: 1, q: 1 }'][(at + seed) % 3] ?? '';
    return `t${at}: { run: x, estimate: ${((at * seed) % 7) + 1}m, pools: ${pools}${needs} }`;
  });
  return compiled(tasks.join('\n'), { plan: 'pools: { p: 2, q: 3 }\nmax_parallel: 4' });
}

function longestPath({ planned }: Prepared): Order {
  const priority = longestRemainingMs(planned.problem);
  const priorities = planned.steps.map((steps) => steps.map((activity) => priority[activity] ?? 0));
  return { policy: 'parallel', priorities, holds: [] };
}

describe('the order of claims', () => {
  test('puts the longest remaining path first', () => {
    const plan = compiled(
      'short: { run: x, estimate: 5m }\nlong: { run: x, estimate: 1m }\nafter: { needs: [long], run: x, estimate: 9m }',
    );
    const { order } = prepare(plan, GIVEN);
    expect(order.priorities.map(([priority]) => priority)).toEqual([300_000, 600_000, 540_000]);
    expect(order.holds).toEqual([]);
  });

  test('is the order of the plan where the plan says so, in the forecast as in the run', () => {
    const tasks = 'short: { run: x, estimate: 1m }\nlong: { run: x, estimate: 9m }';
    const plan = compiled(tasks, { plan: 'schedule: declared\nmax_parallel: 1' });
    const { order } = prepare(plan, GIVEN);
    const claims = simulate(plan, order, EXACT).events.flatMap((event) =>
      event.type === 'claim.made' ? event.task : [],
    );
    expect(claims).toEqual(['short', 'long']);
  });

  test('is never worse than the longest path, and better where several pools make it wait', () => {
    let better = 0;
    for (let seed = 1; seed <= 2; seed += 1) {
      const plan = crowded(seed);
      const prepared = prepare(plan, { history: { ...NO_HISTORY, variability: CERTAIN }, seed: 1 });
      const plain = simulate(plan, longestPath(prepared), EXACT).makespanMs;
      const kept = simulate(plan, prepared.order, EXACT).makespanMs;
      expect(kept).toBeLessThanOrEqual(plain);
      if (kept < plain) better += 1;
    }
    expect(better).toBeGreaterThan(0);
  });

  test('is never worse than the longest path over many runs when durations are uncertain (prepare/N1)', () => {
    const means = { kept: 0, plain: 0 };
    for (let seed = 1; seed <= 2; seed += 1) {
      const plan = crowded(seed);
      const prepared = prepare(plan, GIVEN);
      expect(simulate(plan, prepared.order, EXACT).makespanMs).toBeLessThanOrEqual(
        simulate(plan, longestPath(prepared), EXACT).makespanMs,
      );
      for (let run = 1_000; run < 1_050; run += 1) {
        const scenario = { ...EXACT, seed: run, spread: 0.8 };
        means.kept += simulate(plan, prepared.order, scenario).makespanMs;
        means.plain += simulate(plan, longestPath(prepared), scenario).makespanMs;
      }
    }
    expect(means.kept).toBeLessThanOrEqual(1.005 * means.plain);
  });
});
