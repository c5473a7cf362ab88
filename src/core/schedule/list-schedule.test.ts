import { describe, expect, test } from 'vitest';
import { listSchedule, PASSED_OVER_MAX } from './list-schedule.ts';
import { longestRemainingMs } from './priorities.ts';
import { givenActivities, givenProblem } from './problem.given.ts';
import type { Activity } from './problem.ts';

describe('the online rule', () => {
  test('an activity starts as soon as its last predecessor ends', () => {
    const problem = givenActivities(
      [3, 1, 2],
      [
        [0, 2],
        [1, 2],
      ],
      { capacity: [] },
    );
    const { startMs, makespanMs } = listSchedule(problem, { priority: longestRemainingMs(problem) });
    expect([...startMs]).toEqual([0, 0, 3]);
    expect(makespanMs).toBe(5);
  });

  test('the greater priority goes first, and the lower index among equals', () => {
    const problem = givenActivities([1, 1, 1], [], { capacity: [1] });
    expect([...listSchedule(problem, { priority: Float64Array.of(0, 0, 9) }).startMs]).toEqual([1, 2, 0]);
  });

  test('an activity that does not fit is skipped for one that does (list-schedule/O1)', () => {
    const problem = givenActivities([4, 4, 4], [], { capacity: [3], demands: [[2], [2], [1]] });
    expect([...listSchedule(problem, { priority: Float64Array.of(3, 2, 1) }).startMs]).toEqual([0, 4, 0]);
  });

  test('successors of an activity without duration compete at the same time', () => {
    const problem = givenActivities([0, 5, 1], [[0, 1]], { capacity: [1] });
    expect([...listSchedule(problem, { priority: Float64Array.of(5, 5, 1) }).startMs]).toEqual([0, 0, 5]);
  });

  test('a class asleep on one pool is tried again when that pool gains tokens, and may then lack another', () => {
    const problem = givenActivities([2, 5, 1], [], {
      capacity: [1, 1],
      demands: [
        [1, 0],
        [0, 1],
        [1, 1],
      ],
    });
    expect([...listSchedule(problem, { priority: Float64Array.of(3, 2, 1) }).startMs]).toEqual([0, 0, 5]);
  });

  test('an activity held for another starts no sooner than that one (list-schedule/O4)', () => {
    const problem = givenActivities([2, 3, 4], [[0, 1]], { capacity: [2] });
    const priority = longestRemainingMs(problem);
    const { startMs } = listSchedule(problem, { priority, holds: [{ held: 2, until: 1 }] });
    expect([...startMs]).toEqual([0, 2, 2]);
  });

  test('one that needs the whole pool is not starved by small ones (list-schedule/O3)', () => {
    // Two staggered chains of small activities always leave the pool half taken when the other half comes free.
    const links = 10 * PASSED_OVER_MAX;
    const chain = (first: number): Activity[] =>
      Array.from({ length: links }, (_, index) => ({
        durationMs: index === 0 ? first : 2,
        successors: index + 1 < links ? [(first - 1) * links + index + 1] : [],
        demands: [{ pool: 0, tokens: 1 }],
      }));
    const activities = [...chain(1), ...chain(2), { durationMs: 1, successors: [], demands: [{ pool: 0, tokens: 2 }] }];
    const problem = givenProblem({ activities, capacity: [2] });
    const priority = new Float64Array(activities.length);
    // The first two take the pool before the large one is looked at; after that it outranks them all.
    priority[2 * links] = 1;
    priority[0] = 2;
    priority[links] = 2;
    const { startMs } = listSchedule(problem, { priority });
    expect(startMs[2 * links]).toBeGreaterThan(PASSED_OVER_MAX / 2);
    expect(startMs[2 * links]).toBeLessThan(2 * PASSED_OVER_MAX);
  });

  test('a hundred thousand activities on one pool end close to their bound', () => {
    const count = 100_000;
    const activities = Array.from({ length: count }, (_, index) => ({
      durationMs: 1 + ((index * 7919) % 97),
      successors: index + 50 < count && index % 3 > 0 ? [index + 50] : [],
      demands: [{ pool: 0, tokens: 1 + (index % 3) }],
    }));
    const problem = givenProblem({ activities, capacity: [16] });
    const work = activities.reduce((sum, { durationMs, demands }) => sum + durationMs * (demands[0]?.tokens ?? 0), 0);
    const { makespanMs } = listSchedule(problem, { priority: longestRemainingMs(problem) });
    expect(makespanMs / (work / 16)).toBeLessThan(1.05);
  });
});
