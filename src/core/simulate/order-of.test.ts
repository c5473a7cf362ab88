import { describe, expect, test } from 'vitest';
import { compiled } from '../engine/run.given.ts';
import { NOTHING_LEARNT } from './estimate.ts';
import { orderOf } from './order-of.ts';
import { simulate } from './simulate.ts';

const ordering = { policy: 'parallel', learnt: NOTHING_LEARNT, search: false, seed: 1 } as const;

describe('the order of claims', () => {
  test('puts the longest remaining path first', () => {
    const plan = compiled(
      'short: { run: x, estimate: 5m }\nlong: { run: x, estimate: 1m }\nafter: { needs: [long], run: x, estimate: 9m }',
    );
    const { priorities } = orderOf(plan, ordering);
    expect(priorities.map(([priority]) => priority)).toEqual([300_000, 600_000, 540_000]);
  });

  test('is empty under the serial policy, which goes by the plan', () => {
    expect(orderOf(compiled('a: { run: x }'), { ...ordering, policy: 'serial' })).toEqual({
      policy: 'serial',
      priorities: [],
    });
  });

  test('found by a search makes no run longer than the longest path does', () => {
    const tasks = Array.from({ length: 12 }, (_, at) => {
      const needs = at < 4 ? '' : `, needs: [t${at - 4}]`;
      return `t${at}: { run: x, estimate: ${(at % 5) + 1}m, pools: [${at % 2 === 0 ? 'p' : 'q'}]${needs} }`;
    });
    const plan = compiled(tasks.join('\n'), { plan: 'pools: { p: 1, q: 2 }\nmax_parallel: 3' });
    const scenario = { seed: 1, learnt: NOTHING_LEARNT, spread: 0, failureShare: 0 };
    const plain = simulate(plan, orderOf(plan, ordering), scenario).makespanMs;
    const searched = simulate(plan, orderOf(plan, { ...ordering, search: true }), scenario).makespanMs;
    expect(searched).toBeLessThanOrEqual(plain);
  });
});
