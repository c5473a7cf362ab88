// Laws of schedules over random problems: always feasible, never below a bound, never worse than the input.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lowerBounds } from '../../src/core/schedule/bounds.ts';
import { chance } from '../../src/core/schedule/chance.ts';
import { listSchedule, type ScheduleHold } from '../../src/core/schedule/list-schedule.ts';
import { withoutMilestones } from '../../src/core/schedule/milestones.ts';
import { onlinePriorities } from '../../src/core/schedule/online-priorities.ts';
import { longestRemainingMs } from '../../src/core/schedule/priorities.ts';
import { anyProblem, scheduleEndMs, faultsOf } from '../../src/core/schedule/problem.given.ts';
import type { Problem } from '../../src/core/schedule/problem.ts';
import { searchSchedule } from '../../src/core/schedule/search-schedule.ts';
import { crossLists, sampleList, shakeList } from '../../src/core/schedule/activity-list.ts';
import { evolve } from '../../src/core/schedule/evolve.ts';
import { justify, workbench } from '../../src/core/schedule/justify.ts';
import { keepOrder } from '../../src/core/schedule/keep-order.ts';
import { serialScheme } from '../../src/core/schedule/serial-schedule.ts';
import { bestMakespan } from './schedule-optimum.given.ts';

const ORDERS_OF_SIX = 6 * 5 * 4 * 3 * 2;

const randomPriority = (problem: Problem, seed: number): Float64Array => {
  const random = chance(seed);
  return Float64Array.from({ length: problem.count }, () => random.next());
};

const serial = (problem: Problem, list: Int32Array): { startMs: Float64Array; makespanMs: number } => {
  const startMs = new Float64Array(problem.count);
  return { startMs, makespanMs: serialScheme(problem).schedule(list, startMs) };
};

describe('every schedule is feasible', () => {
  test('by the online rule, with any priorities; everything starts', () => {
    fc.assert(
      fc.property(anyProblem(40), fc.nat(), (problem, seed) => {
        const { startMs, makespanMs } = listSchedule(problem, { priority: randomPriority(problem, seed) });
        expect(faultsOf(problem, startMs)).toEqual([]);
        expect(makespanMs).toBe(scheduleEndMs(problem, startMs));
      }),
      { numRuns: 2_000 },
    );
  });

  test('by the online rule, with any holds that follow the topological order', () => {
    fc.assert(
      fc.property(anyProblem(20), fc.nat(), (problem, seed) => {
        const random = chance(seed);
        const holds: ScheduleHold[] = [];
        problem.topological.forEach((held, place) => {
          if (place > 0 && random.happens(0.3))
            holds.push({ held, until: problem.topological[random.below(place)] ?? 0 });
        });
        const { startMs } = listSchedule(problem, { priority: randomPriority(problem, seed), holds });
        expect(faultsOf(problem, startMs)).toEqual([]);
        for (const { held, until } of holds) expect(startMs[held]).toBeGreaterThanOrEqual(startMs[until] ?? 0);
      }),
      { numRuns: 1_000 },
    );
  });

  test('by the serial scheme, whatever list was drawn, crossed and shaken', () => {
    fc.assert(
      fc.property(anyProblem(40), fc.nat(), (problem, seed) => {
        const random = chance(seed);
        const draw = (): Int32Array => sampleList(problem, longestRemainingMs(problem), random);
        const child = shakeList(problem, crossLists({ one: draw(), other: draw() }, random), { share: 0.3, random });
        expect([...child].sort((one, other) => one - other)).toEqual([...child.keys()]);
        const { startMs, makespanMs } = serial(problem, child);
        expect(faultsOf(problem, startMs)).toEqual([]);
        expect(makespanMs).toBe(scheduleEndMs(problem, startMs));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('milestones', () => {
  test('a schedule is the same without them, and has no more links (milestones/M1, M2)', () => {
    let left = 0;
    fc.assert(
      fc.property(anyProblem(30, 3), fc.nat(), (problem, seed) => {
        const free = (activity: number): boolean => problem.durationMs[activity] === 0;
        const { problem: work, activityOf, indexOf } = withoutMilestones(problem, free);
        left += problem.count - work.count;
        // A milestone that could be reached waits for nothing, as the opening of a task does.
        const priority = randomPriority(problem, seed).map((drawn, each) => (free(each) ? Infinity : drawn));
        const whole = listSchedule(problem, { priority });
        const small = listSchedule(work, { priority: Float64Array.from(activityOf, (each) => priority[each] ?? 0) });
        expect(small.makespanMs).toBe(whole.makespanMs);
        expect([...small.startMs]).toEqual([...activityOf].map((activity) => whole.startMs[activity]));
        expect([...activityOf].map((activity) => indexOf[activity])).toEqual([...activityOf.keys()]);
        expect(new Set(work.topological).size).toBe(work.count);
        expect(work.successors.to.length).toBeLessThanOrEqual(problem.successors.to.length);
      }),
      { numRuns: 2_000 },
    );
    expect(left).toBeGreaterThan(1_000);
  });
});

describe('improving', () => {
  test('forwards and backwards never lengthens a schedule (justify/J1)', () => {
    fc.assert(
      fc.property(anyProblem(30), fc.nat(), (problem, seed) => {
        const { startMs, makespanMs } = listSchedule(problem, { priority: randomPriority(problem, seed) });
        const improvedMs = justify(workbench(problem), startMs);
        expect(improvedMs).toBeLessThanOrEqual(makespanMs);
        expect(faultsOf(problem, startMs)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('the online rule can be made to follow any planned schedule (keep-order/K1)', () => {
    fc.assert(
      fc.property(anyProblem(30), fc.nat(), (problem, seed) => {
        const planned = serial(problem, sampleList(problem, randomPriority(problem, seed), chance(seed)));
        const { schedule } = keepOrder(problem, planned);
        expect(schedule.makespanMs).toBeLessThanOrEqual(planned.makespanMs);
        expect(faultsOf(problem, schedule.startMs)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the search', () => {
  test('is feasible, repeatable by the online rule, no worse than it, and the same for the same seed (search-schedule/Q2, Q4)', () => {
    fc.assert(
      fc.property(anyProblem(25), fc.nat(), fc.boolean(), (problem, seed, mayHold) => {
        const options = { schedulesMax: 100, seed, mayHold };
        const found = searchSchedule(problem, options);
        expect(mayHold || found.holds.length === 0).toBe(true);
        expect(faultsOf(problem, found.schedule.startMs)).toEqual([]);
        expect(listSchedule(problem, found)).toEqual(found.schedule);
        const alone = listSchedule(problem, { priority: longestRemainingMs(problem) });
        expect(found.schedule.makespanMs).toBeLessThanOrEqual(alone.makespanMs);
        expect(searchSchedule(problem, options)).toEqual(found);
      }),
      { numRuns: 500 },
    );
  });

  test('finds the best there is, which no bound exceeds, when the budget covers every order (search-schedule/Q5)', () => {
    fc.assert(
      fc.property(anyProblem(6, 5), (problem) => {
        const best = bestMakespan(problem);
        expect(lowerBounds(problem).bestMs).toBeLessThanOrEqual(best);
        const found = searchSchedule(problem, { schedulesMax: ORDERS_OF_SIX, seed: 1, mayHold: true });
        expect(found).toMatchObject({ provedOptimal: true, schedule: { makespanMs: best } });
        expect(faultsOf(problem, found.schedule.startMs)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  test('never beats the best there is, and rarely misses it when it has to draw its orders', () => {
    const problems = fc.sample(anyProblem(6, 5), 1_000);
    const misses = problems.filter((problem) => {
      const quest = { problem, boundMs: lowerBounds(problem).bestMs, first: onlinePriorities(problem, 0) };
      const options = { schedulesMax: 600, seed: 1, mayHold: true };
      const { makespanMs } = evolve({ ...quest, random: chance(options.seed), options });
      const best = bestMakespan(problem);
      expect(makespanMs).toBeGreaterThanOrEqual(best);
      return makespanMs > best;
    });
    // Chance decides here, so a miss is possible; of 150,000 tries none missed.
    expect(misses.length).toBeLessThan(3);
  });
});
