import { describe, expect, test } from 'vitest';
import { compiled } from '../engine/run.given.ts';
import { longestRemainingMs } from '../schedule/priorities.ts';
import { NOTHING_LEARNT } from './estimate.ts';
import { prepare } from './prepare.ts';
import type { Scenario } from './scenario.ts';
import { simulate } from './simulate.ts';

const GIVEN = { learnt: NOTHING_LEARNT, seed: 1 };
const EXACT: Scenario = { ...GIVEN, spread: 0, failureShare: 0, endsWell: true };

describe('the order of claims', () => {
  test('puts the longest remaining path first', () => {
    const plan = compiled(
      'short: { run: x, estimate: 5m }\nlong: { run: x, estimate: 1m }\nafter: { needs: [long], run: x, estimate: 9m }',
    );
    const { order } = prepare(plan, GIVEN);
    expect(order.priorities.map(([priority]) => priority)).toEqual([300_000, 600_000, 540_000]);
    expect(order.holds).toEqual([]);
  });

  test('is never worse than the longest path, and better where several pools make it wait', () => {
    let better = 0;
    for (let seed = 1; seed <= 4; seed += 1) {
      const tasks = Array.from({ length: 14 }, (_, at) => {
        const needs = at < 4 ? '' : `, needs: [t${at - 1 - ((at * seed) % 4)}]`;
        const pools = ['{ p: 1 }', '{ q: 2 }', '{ p: 1, q: 1 }'][(at + seed) % 3] ?? '';
        return `t${at}: { run: x, estimate: ${((at * seed) % 7) + 1}m, pools: ${pools}${needs} }`;
      });
      const plan = compiled(tasks.join('\n'), { plan: 'pools: { p: 2, q: 3 }\nmax_parallel: 4' });
      const { order, planned } = prepare(plan, GIVEN);
      const priority = longestRemainingMs(planned.problem);
      const priorities = planned.steps.map((steps) => steps.map((activity) => priority[activity] ?? 0));
      const plain = simulate(plan, { policy: 'parallel', priorities, holds: [] }, EXACT).makespanMs;
      const kept = simulate(plan, order, EXACT).makespanMs;
      expect(kept).toBeLessThanOrEqual(plain);
      if (kept < plain) better += 1;
    }
    expect(better).toBeGreaterThan(0);
  });
});
