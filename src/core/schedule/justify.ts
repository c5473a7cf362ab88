// Forward-backward improvement: push every activity as late as the schedule allows, then as early as it allows. The
// gaps that this opens and closes often shorten a schedule.
//
// justify/J1. The result is never longer than the schedule it began with.

import { mirrored, orderBy, type Problem } from './problem.ts';
import { serialScheme, type SerialScheme } from './serial-schedule.ts';

export interface Workbench {
  readonly problem: Problem;
  readonly forward: SerialScheme;
  readonly backward: SerialScheme;
  /** Scratch memory, used again by every call. */
  readonly order: Int32Array;
  readonly keys: Float64Array;
  readonly mirrored: Float64Array;
}

/** The schedules built by one call of `justify`. */
export const JUSTIFY_SCHEDULES = 2;

export function workbench(problem: Problem): Workbench {
  return {
    problem,
    forward: serialScheme(problem),
    backward: serialScheme(mirrored(problem)),
    order: new Int32Array(problem.count),
    keys: new Float64Array(problem.count),
    mirrored: new Float64Array(problem.count),
  };
}

/** Writes the improved starts over `startMs` and returns the makespan. */
export function justify(bench: Workbench, startMs: Float64Array): number {
  const { problem, order, keys, mirrored } = bench;
  const { topological, durationMs, count } = problem;
  for (let activity = 0; activity < count; activity++)
    keys[activity] = -(startMs[activity] ?? 0) - (durationMs[activity] ?? 0);
  // Among equals the topological order, reversed here, keeps what takes no time on the right side of its neighbours.
  order.set(topological);
  bench.backward.schedule(orderBy(order.reverse(), keys), mirrored);
  for (let activity = 0; activity < count; activity++)
    keys[activity] = -(mirrored[activity] ?? 0) - (durationMs[activity] ?? 0);
  order.set(topological);
  return bench.forward.schedule(orderBy(order, keys), startMs);
}

/** All activities by rising start, each after all it waits for. */
export function orderOfStarts(problem: Problem, startMs: Float64Array): Int32Array {
  return orderBy(problem.topological.slice(), startMs);
}

/** Priorities that follow a list. */
export function priorityOf(list: Int32Array): Float64Array {
  const priority = new Float64Array(list.length);
  list.forEach((activity, place) => (priority[activity] = -place));
  return priority;
}
