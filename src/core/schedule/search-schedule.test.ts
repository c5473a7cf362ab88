import { describe, expect, test } from 'vitest';
import { lowerBounds } from './bounds.ts';
import { chance } from './chance.ts';
import { listSchedule } from './list-schedule.ts';
import { isCostly, onlinePriorities } from './online-priorities.ts';
import { longestRemainingMs } from './priorities.ts';
import { faultsOf, givenActivities, givenProblem } from './problem.given.ts';
import type { Problem } from './problem.ts';
import { schedulesDefault, searchSchedule } from './search-schedule.ts';
import { everyOrder } from './every-order.ts';
import { evolve } from './evolve.ts';

/** The last one fits at once; let in, it stands in the way of the second, which needs the whole pool. */
const tempting = givenActivities(
  [1, 4, 4, 4],
  [
    [0, 1],
    [1, 2],
  ],
  { capacity: [2], demands: [[1], [2], [1], [1]] },
);

/** Pool 0 must never idle, so the third goes first; by every measure of what is left after it, the first would. */
const putOff = givenActivities(
  [1, 5, 2, 0, 2, 5],
  [
    [0, 1],
    [1, 3],
    [1, 4],
    [2, 5],
  ],
  { capacity: [1, 1], demands: [[0, 1], [1], [1, 1], [], [1], [1]] },
);
const ORDERS_PUT_OFF = 30;

describe('plan-time search', () => {
  test('leaves tokens idle for something more urgent that is about to come', () => {
    const found = searchSchedule(tempting, { schedulesMax: 500, seed: 1, mayHold: true });
    expect(listSchedule(tempting, { priority: longestRemainingMs(tempting) }).makespanMs).toBe(12);
    expect(found.schedule.makespanMs).toBe(9);
    expect(found.holds).toEqual([{ held: 3, until: 1 }]);
    expect(faultsOf(tempting, found.schedule.startMs)).toEqual([]);
  });

  test('the online rule reproduces the found schedule from the priorities and holds alone (keep-order/K1)', () => {
    const found = searchSchedule(tempting, { schedulesMax: 500, seed: 1, mayHold: true });
    expect(listSchedule(tempting, found)).toEqual(found.schedule);
  });

  test('without holds, priorities alone give the answer', () => {
    const found = searchSchedule(tempting, { schedulesMax: 500, seed: 1 });
    expect(found.holds).toEqual([]);
    expect(found.schedule.makespanMs).toBe(12);
  });

  test('ends at once when the bound is met (search-schedule/Q3)', () => {
    const problem = givenActivities([3, 4], [[0, 1]], { capacity: [] });
    let asked = 0;
    const shouldStop = (): boolean => asked++ > 0;
    expect(searchSchedule(problem, { schedulesMax: 1e9, seed: 1, shouldStop })).toMatchObject({
      provedOptimal: true,
      holds: [],
    });
    expect(asked).toBe(0);
  });

  test('tries every order when the budget covers them, and then knows the best (search-schedule/Q5)', () => {
    const options = { schedulesMax: ORDERS_PUT_OFF, seed: 1 };
    const withHolds = searchSchedule(putOff, { ...options, mayHold: true });
    expect(withHolds).toMatchObject({ provedOptimal: true, lowerBoundMs: 14, schedule: { makespanMs: 14 } });
    expect(searchSchedule(putOff, options).schedule.makespanMs).toBe(14);
    expect(searchSchedule(tempting, options)).toMatchObject({ provedOptimal: false, schedule: { makespanMs: 12 } });
    expect(everyOrder(putOff, ORDERS_PUT_OFF)).toHaveLength(ORDERS_PUT_OFF);
    expect(everyOrder(putOff, ORDERS_PUT_OFF - 1)).toBeUndefined();
  });

  test('a caller that stops it during the search of all orders gets the result of the online rule', () => {
    const found = searchSchedule(putOff, { schedulesMax: 1_000, seed: 1, mayHold: true, shouldStop: () => true });
    expect(found).toMatchObject({ provedOptimal: false, schedule: { makespanMs: 15 } });
  });

  test('draws activities that every priority would postpone', () => {
    const boundMs = lowerBounds(putOff).bestMs;
    for (let seed = 1; seed <= 100; seed++) {
      const options = { schedulesMax: 600, seed, mayHold: true };
      const first = onlinePriorities(putOff, boundMs);
      const { makespanMs } = evolve({ problem: putOff, boundMs, first, random: chance(seed), options });
      expect({ seed, makespanMs }).toEqual({ seed, makespanMs: 14 });
    }
  });

  test('the default budget shrinks as plans grow', () => {
    const large = givenActivities(
      Array.from({ length: 600 }, () => 1),
      [],
      { capacity: [1] },
    );
    expect(schedulesDefault(large)).toBeLessThan(schedulesDefault(tempting) / 10);
    expect(schedulesDefault(large)).toBeGreaterThan(100);
  });

  test('a large plan is improved by the online rule alone, until the caller stops it', () => {
    const large = generateStaggered(2_500);
    const alone = searchSchedule(large, { schedulesMax: 0, seed: 1 });
    const found = searchSchedule(large, { schedulesMax: 12, seed: 1, mayHold: true });
    expect(found.schedule.makespanMs).toBeLessThanOrEqual(alone.schedule.makespanMs);
    expect(found.holds).toEqual([]);
    expect(faultsOf(large, found.schedule.startMs)).toEqual([]);
    expect(searchSchedule(large, { schedulesMax: 12, seed: 1, shouldStop: () => true })).toEqual(alone);
  });

  test('a barren population is left for a fresh one, and the best is kept', () => {
    const problem = generateStaggered(14);
    const short = searchSchedule(problem, { schedulesMax: 100, seed: 1, mayHold: true });
    const long = searchSchedule(problem, { schedulesMax: 3_000, seed: 1, mayHold: true });
    expect(long.schedule.makespanMs).toBeLessThanOrEqual(short.schedule.makespanMs);
    expect(long.provedOptimal).toBe(false);
  });

  test('a plan of very many different demands is too costly to search', () => {
    expect(isCostly(tempting)).toBe(false);
    expect(isCostly({ ...tempting, count: 100_000, classCount: 40 })).toBe(false);
    expect(isCostly({ ...tempting, count: 100_000, classCount: 100_000 })).toBe(true);
  });
});

/** Chains of uneven length and demand, on which the online rule stays above the bound. */
function generateStaggered(count: number): Problem {
  const activities = Array.from({ length: count }, (_, index) => ({
    durationMs: 1 + ((index * 31) % 17),
    successors: index + 7 < count && index % 5 > 0 ? [index + 7] : [],
    demands: [
      { pool: 0, tokens: 1 + (index % 4) },
      { pool: 1, tokens: 1 + (index % 3) },
    ],
  }));
  return givenProblem({ activities, capacity: [9, 7] });
}
