import { describe, expect, test } from 'vitest';
import { listSchedule } from './list-schedule.ts';
import { longestRemainingMs } from './priorities.ts';
import { faultsOf, givenActivities } from './problem.given.ts';
import { schedulesDefault, searchSchedule } from './search.ts';

/** The last one fits at once; let in, it stands in the way of the second, which needs the whole pool. */
const tempting = givenActivities(
  [1, 4, 4, 4],
  [
    [0, 1],
    [1, 2],
  ],
  { capacity: [2], demands: [[1], [2], [1], [1]] },
);

describe('plan-time search', () => {
  test('leaves tokens idle for something more urgent that is about to come', () => {
    const found = searchSchedule(tempting, { schedulesMax: 500, seed: 1, mayHold: true });
    expect(listSchedule(tempting, { priority: longestRemainingMs(tempting) }).makespanMs).toBe(12);
    expect(found.schedule.makespanMs).toBe(9);
    expect(found.holds).toEqual([{ held: 3, until: 1 }]);
    expect(faultsOf(tempting, found.schedule.startMs)).toEqual([]);
  });

  test('the online rule reproduces what was found from the priorities and holds alone (K1)', () => {
    const found = searchSchedule(tempting, { schedulesMax: 500, seed: 1, mayHold: true });
    expect(listSchedule(tempting, found)).toEqual(found.schedule);
  });

  test('without leave to hold anything back, priorities alone give the answer', () => {
    const found = searchSchedule(tempting, { schedulesMax: 500, seed: 1 });
    expect(found.holds).toEqual([]);
    expect(found.schedule.makespanMs).toBe(12);
  });

  test('ends at once when the bound is met (Q3)', () => {
    const problem = givenActivities([3, 4], [[0, 1]], { capacity: [] });
    let asked = 0;
    const shouldStop = (): boolean => asked++ > 0;
    expect(searchSchedule(problem, { schedulesMax: 1e9, seed: 1, shouldStop })).toMatchObject({
      provedOptimal: true,
      holds: [],
    });
    expect(asked).toBe(0);
  });

  test('the default budget shrinks as plans grow', () => {
    const large = givenActivities(
      Array.from({ length: 600 }, () => 1),
      [],
      { capacity: [1] },
    );
    expect(schedulesDefault(tempting)).toBe(20_000);
    expect(schedulesDefault(large)).toBe(1_000);
  });
});
