import { describe, expect, test } from 'vitest';
import { listSchedule } from './list-schedule.ts';
import { givenActivities } from './problem.given.ts';
import { keepOrder } from './keep-order.ts';

/** The last one fits at once; let in, it stands in the way of the second, which needs the whole pool. */
const problem = givenActivities(
  [1, 4, 4, 4],
  [
    [0, 1],
    [1, 2],
  ],
  { capacity: [2], demands: [[1], [2], [1], [1]] },
);
const planned = { startMs: Float64Array.of(0, 1, 5, 5), makespanMs: 9 };

describe('keeping to a planned schedule', () => {
  test('holds only activities that would start early and delay others', () => {
    const kept = keepOrder(problem, planned);
    expect(kept.holds).toEqual([{ held: 3, until: 1 }]);
    expect(kept.schedule).toEqual(planned);
  });

  test('holds nothing back where the order alone is enough', () => {
    const slack = { startMs: Float64Array.of(0, 1, 5, 8), makespanMs: 12 };
    expect(keepOrder(problem, slack).holds).toEqual([]);
  });

  test('a schedule that would take too many repairs is followed one by one', () => {
    const kept = keepOrder(problem, planned, 0);
    expect(kept.holds.length).toBe(problem.count - 1);
    expect(kept.schedule).toEqual(planned);
    expect(listSchedule(problem, kept)).toEqual(planned);
  });
});
