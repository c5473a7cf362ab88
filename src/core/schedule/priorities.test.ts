import { describe, expect, test } from 'vitest';
import {
  earliestStartMs,
  longestRemainingHops,
  longestRemainingMs,
  mirroredRemainingMs,
  tailAfterMs,
  weightedRemainingMs,
} from './priorities.ts';
import { givenActivities, givenProblem } from './problem.given.ts';

const diamond = givenActivities(
  [1, 5, 2, 3],
  [
    [0, 1],
    [0, 2],
    [1, 3],
    [2, 3],
  ],
  { capacity: [] },
);

describe('priorities', () => {
  test('the longest remaining path counts the time of the activity and of all behind it', () => {
    expect([...longestRemainingMs(diamond)]).toEqual([9, 8, 5, 3]);
  });

  test('in hops every activity counts once', () => {
    expect([...longestRemainingHops(diamond)]).toEqual([3, 2, 2, 1]);
  });

  test('an activity starts at the earliest when its longest way in is over', () => {
    expect([...earliestStartMs(diamond)]).toEqual([0, 1, 1, 6]);
  });

  test('the tail leaves out the time of the activity itself', () => {
    expect([...tailAfterMs(diamond)]).toEqual([8, 3, 3, 0]);
  });

  test('an activity that demands a whole pool weighs twice its time', () => {
    const problem = givenActivities([4, 4], [], { capacity: [2], demands: [[2], [1]] });
    expect([...weightedRemainingMs(problem)]).toEqual([8, 6]);
  });

  test('run backwards, activities that queue for one pool are ordered one after another', () => {
    const problem = givenActivities([2, 2, 2], [], { capacity: [1] });
    expect(mirroredRemainingMs(problem).toSorted()).toEqual(Float64Array.of(2, 4, 6));
  });

  test('a chain of a hundred thousand activities is swept without recursion', () => {
    const count = 100_000;
    const activities = Array.from({ length: count }, (_, index) => ({
      durationMs: 1,
      successors: index + 1 < count ? [index + 1] : [],
      demands: [],
    }));
    const problem = givenProblem({ activities, capacity: [] });
    expect(longestRemainingMs(problem)[0]).toBe(count);
  });
});
