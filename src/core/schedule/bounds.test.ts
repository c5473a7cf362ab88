import { describe, expect, test } from 'vitest';
import { lowerBounds } from './bounds.ts';
import { givenActivities } from './problem.given.ts';

describe('lower bounds', () => {
  test('no schedule is shorter than the longest chain', () => {
    const problem = givenActivities([3, 4], [[0, 1]], { capacity: [] });
    expect(lowerBounds(problem)).toEqual({ criticalPathMs: 7, workMs: 0, bestMs: 7 });
  });

  test('no schedule is shorter than the work of a pool divided by its size, in whole times', () => {
    const problem = givenActivities([3, 3, 3], [], { capacity: [2] });
    expect(lowerBounds(problem)).toEqual({ criticalPathMs: 3, workMs: 4.5, bestMs: 5 });
  });

  test('work that cannot start at once is counted from where it can', () => {
    const problem = givenActivities(
      [5, 4, 4, 4, 4],
      [
        [0, 1],
        [0, 2],
        [0, 3],
        [0, 4],
      ],
      { capacity: [2] },
    );
    expect(lowerBounds(problem).bestMs).toBe(13);
  });

  test('activities that demand more than half a pool follow one another', () => {
    const problem = givenActivities([3, 3, 3], [], { capacity: [10], demands: [[6], [6], [6]] });
    expect(lowerBounds(problem).bestMs).toBe(9);
  });

  test('activities of which every two exceed some pool follow one another', () => {
    const demands = [
      [2, 0, 2],
      [2, 2, 0],
      [0, 2, 2],
    ];
    const problem = givenActivities([4, 4, 4], [], { capacity: [3, 3, 3], demands });
    expect(lowerBounds(problem).bestMs).toBe(12);
  });

  test('times that are not whole are not rounded up', () => {
    const problem = givenActivities([0.5, 0.5, 0.5], [], { capacity: [2], demands: [[1], [1], [1]] });
    expect(lowerBounds(problem).bestMs).toBeLessThanOrEqual(1);
    expect(lowerBounds(problem).bestMs).toBeGreaterThan(0.74);
  });

  test('a problem of nothing takes no time', () => {
    expect(lowerBounds(givenActivities([], [], { capacity: [1] })).bestMs).toBe(0);
  });
});
