// How the online rule can be made to follow a planned schedule. Starting in the order of the plan is not enough: the
// rule starts every activity that fits, while the best plan may leave tokens idle for a more urgent activity that is
// about to become ready. A hold names such a case: one activity waits until another has started.
//
// keep-order/K1. With the priorities and holds returned, the online rule is no slower than the planned schedule.
// keep-order/K2. A hold always points from a later start of the plan to an earlier one, so holds cannot lock each other
//   up.

import { orderOfStarts, priorityOf } from './justify.ts';
import { listSchedule, type ScheduleHold, type Schedule } from './list-schedule.ts';
import type { Problem } from './problem.ts';

export interface KeptOrder {
  readonly priority: Float64Array;
  readonly holds: readonly ScheduleHold[];
  readonly schedule: Schedule;
}

/** Bound on placements for repairs; after that every activity is held for the one before it, which always works. */
const PLACEMENTS_MAX = 20_000;

export function keepOrder(problem: Problem, planned: Schedule, placementsMax = PLACEMENTS_MAX): KeptOrder {
  const order = orderOfStarts(problem, planned.startMs);
  const priority = priorityOf(order);
  const holds: ScheduleHold[] = [];
  for (let placements = 0; placements <= placementsMax; placements += problem.count) {
    const schedule = listSchedule(problem, { priority, holds });
    if (schedule.makespanMs <= planned.makespanMs) return { priority, holds, schedule };
    holds.push(...holdsAgainst({ problem, planned, schedule }));
  }
  const inOrder = Array.from(order.subarray(1), (held, place) => ({ held, until: order[place] ?? 0 }));
  return { priority, holds: inOrder, schedule: listSchedule(problem, { priority, holds: inOrder }) };
}

interface OrderComparison {
  readonly problem: Problem;
  readonly planned: Schedule;
  readonly schedule: Schedule;
}

/** Holds the activities that overtook others, where those are late although their predecessors are not. */
function holdsAgainst(comparison: OrderComparison): readonly ScheduleHold[] {
  const { problem, planned, schedule } = comparison;
  const { start, to } = problem.predecessors;
  const isLate = (activity: number): boolean => (schedule.startMs[activity] ?? 0) > (planned.startMs[activity] ?? 0);
  const late = [...schedule.startMs.keys()].filter(
    (activity) => isLate(activity) && !to.subarray(start[activity], start[activity + 1]).some(isLate),
  );
  return late.flatMap((until) => overtakers(comparison, until).map((held) => ({ held, until })));
}

/** The activities that ran when `late` should have started, although they were planned for later. */
function overtakers({ problem, planned, schedule }: OrderComparison, late: number): readonly number[] {
  const dueMs = planned.startMs[late] ?? 0;
  return [...schedule.startMs.keys()].filter((activity) => {
    const startMs = schedule.startMs[activity] ?? 0;
    const isRunning = startMs <= dueMs && startMs + (problem.durationMs[activity] ?? 0) > dueMs;
    return isRunning && (planned.startMs[activity] ?? 0) > dueMs && sharesPool(problem, activity, late);
  });
}

function sharesPool({ classOf, demands }: Problem, one: number, other: number): boolean {
  const poolsOf = (activity: number): Int32Array => {
    const kind = classOf[activity] ?? 0;
    return demands.pool.subarray(demands.start[kind], demands.start[kind + 1]);
  };
  const others = poolsOf(other);
  return poolsOf(one).some((pool) => others.includes(pool));
}
