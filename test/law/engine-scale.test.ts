import { describe, expect, test } from 'vitest';
import { compile } from '../../src/core/compile/compile.ts';
import type { Compiled } from '../../src/core/compile/compiled.ts';
import { parsePlan } from '../../src/core/plan/parse.ts';
import { planText } from '../../src/core/engine/run.given.ts';
import { NOTHING_LEARNT } from '../../src/core/simulate/estimate.ts';
import { forecast } from '../../src/core/simulate/forecast.ts';
import { orderOf } from '../../src/core/simulate/order-of.ts';
import { simulate } from '../../src/core/simulate/simulate.ts';

function plan(tasks: string, top = ''): Compiled {
  const parsed = parsePlan(planText(tasks, { plan: top, tree: 'auto' }), { file: 'large.yaml' });
  if (parsed.plan === undefined) throw new Error(parsed.diagnostics[0]?.message);
  return compile(parsed.plan);
}

const braid = (count: number): string =>
  Array.from({ length: count }, (_, at) => `t${at}: { run: x${at < 3 ? '' : `, needs: [t${at - 3}]`} }`).join('\n');

const eventsOf = (compiled: Compiled): number => {
  const order = orderOf(compiled, { policy: 'parallel', learnt: NOTHING_LEARNT, search: false, seed: 1 });
  return simulate(compiled, order, { seed: 1, learnt: NOTHING_LEARNT, spread: 0.3, failureShare: 0 }).events.length;
};

describe('a large plan', () => {
  test('is simulated in time that grows with its size', () => {
    const timed = (count: number): number => {
      const compiled = plan(braid(count), 'max_parallel: 16');
      const before = performance.now();
      expect(eventsOf(compiled)).toBe(6 * count + 2);
      return performance.now() - before;
    };
    timed(1_000);
    const small = timed(2_000);
    const large = timed(20_000);
    // Ten times the size; a quadratic part would show as a hundred times the time.
    expect(large).toBeLessThan(40 * Math.max(small, 20));
  });

  test('whose steps wait in thousands for what they seldom get is simulated too', () => {
    const tasks = Array.from({ length: 3_000 }, (_, at) => {
      const pools = at % 100 === 0 ? '{ gpu: 4 }' : '{ gpu: 1 }';
      return `t${at}: { run: x, pools: ${pools} }`;
    });
    expect(eventsOf(plan(tasks.join('\n'), 'pools: { gpu: 4 }\nmax_parallel: 16'))).toBe(6 * 3_000 + 2);
  });

  test('is forecast from fewer runs', () => {
    const how = { seed: 1, learnt: NOTHING_LEARNT, spread: 0.4, failureShare: 0.05 };
    expect(forecast(plan(braid(4_000)), how).runs).toBe(10);
  });
});
