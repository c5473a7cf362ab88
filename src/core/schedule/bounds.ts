// Lower bounds of the makespan, and the peak parallelism of a schedule. Every bound is a true lower bound.

import { cliqueBoundMs } from './clique-bound.ts';
import { earliestStartMs, longestRemainingMs, tailAfterMs } from './priorities.ts';
import type { Problem } from './problem.ts';
import { windowBoundMs, workloadsOf } from './window-bound.ts';

export interface Bounds {
  /** The longest chain of activities. */
  readonly criticalPathMs: number;
  /** The greatest work of a pool, divided by its size. */
  readonly workMs: number;
  /** The best bound known, never below the two above. */
  readonly bestMs: number;
}

/** Beyond this many activities only the bounds that grow linearly are computed. */
const CLOSE_ACTIVITIES_MAX = 300;

export function lowerBounds(problem: Problem): Bounds {
  const criticalPathMs = longestRemainingMs(problem).reduce((longest, tail) => Math.max(longest, tail), 0);
  const heads = earliestStartMs(problem);
  const tails = tailAfterMs(problem);
  const close = problem.count <= CLOSE_ACTIVITIES_MAX;
  const loads = workloadsOf(problem, close);
  const workMs = loads.reduce((most, load) => Math.max(most, load.plain ? load.totalMs : 0), 0);
  const windowMs = loads.reduce((most, load) => Math.max(most, windowBoundMs(load, { heads, tails })), 0);
  const cliqueMs = close ? cliqueBoundMs(problem, { heads, tails }) : 0;
  return { criticalPathMs, workMs, bestMs: roundedUp(problem, Math.max(criticalPathMs, workMs, windowMs, cliqueMs)) };
}

/** The highest number of activities that run at once in a schedule, given by its starts. */
export function peakParallelism(problem: Problem, startMs: Float64Array): number {
  const lasting = [...startMs.keys()].filter((activity) => (problem.durationMs[activity] ?? 0) > 0);
  const starts = Float64Array.from(lasting, (activity) => startMs[activity] ?? 0).sort();
  const ends = Float64Array.from(
    lasting,
    (activity) => (startMs[activity] ?? 0) + (problem.durationMs[activity] ?? 0),
  ).sort();
  let peak = 0;
  let ended = 0;
  starts.forEach((start, begun) => {
    while ((ends[ended] ?? Infinity) <= start) ended++;
    peak = Math.max(peak, begun + 1 - ended);
  });
  return peak;
}

/** Schedules of whole times end at whole times, up to rounding from the division by a pool's size. */
function roundedUp({ durationMs }: Problem, boundMs: number): number {
  const ROUNDING = 1e-9;
  return durationMs.every(Number.isInteger) ? Math.ceil(boundMs * (1 - ROUNDING)) : boundMs * (1 - ROUNDING);
}
