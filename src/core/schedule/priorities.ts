// Priority rules. Every function gives one number per activity, and the greater number goes first. All are computed in
// one pass over the topological order, without recursion, so a hundred thousand activities are no problem.

import type { Graph } from '../graph/directed-graph.ts';
import { listSchedule } from './list-schedule.ts';
import { mirrored, type Problem } from './problem.ts';

/** Time from the start of each activity to the end of the longest chain behind it, its own time included. */
export function longestRemainingMs(problem: Problem): Float64Array {
  return tailsOf(problem, problem.durationMs);
}

/** Number of activities on the longest chain that begins with each; for plans without estimates. */
export function longestRemainingHops(problem: Problem): Float64Array {
  return tailsOf(problem, new Float64Array(problem.count).fill(1));
}

/** The earliest start of each activity were there no pools. */
export function earliestStartMs(problem: Problem): Float64Array {
  const { durationMs } = problem;
  return tailsOf(mirrored(problem), durationMs).map((head, activity) => head - (durationMs[activity] ?? 0));
}

/** Least time that must still pass after each activity has ended; the greatest is the latest-finish-time rule. */
export function tailAfterMs(problem: Problem): Float64Array {
  return longestRemainingMs(problem).map((tail, activity) => tail - (problem.durationMs[activity] ?? 0));
}

/** The longest remaining path, where an activity that demands much of its pools counts for more of its time. */
export function weightedRemainingMs(problem: Problem): Float64Array {
  const share = demandShares(problem);
  return tailsOf(
    problem,
    problem.durationMs.map((own, activity) => own * (1 + (share[activity] ?? 0))),
  );
}

/**
 * Time from each start to the end of a real schedule of the problem run backwards. It knows what the longest path
 * does not: that what comes later must also queue for its pools.
 */
export function mirroredRemainingMs(problem: Problem): Float64Array {
  const backwards = mirrored(problem);
  const { startMs } = listSchedule(backwards, { priority: longestRemainingMs(backwards) });
  return startMs.map((start, activity) => start + (problem.durationMs[activity] ?? 0));
}

/** The greatest part of any pool that each activity demands, from 0 to 1. */
function demandShares({ classOf, demands, capacity }: Problem): Float64Array {
  return Float64Array.from(classOf, (kind) => {
    let share = 0;
    for (let slot = demands.start[kind] ?? 0; slot < (demands.start[kind + 1] ?? 0); slot++) {
      share = Math.max(share, (demands.tokens[slot] ?? 0) / (capacity[demands.pool[slot] ?? 0] ?? 1));
    }
    return share;
  });
}

function tailsOf({ topological, successors }: Problem, weight: Float64Array): Float64Array {
  const tail = new Float64Array(weight.length);
  for (let place = topological.length - 1; place >= 0; place--) {
    const activity = topological[place] ?? 0;
    tail[activity] = (weight[activity] ?? 0) + greatestOf(successors, activity, tail);
  }
  return tail;
}

function greatestOf({ start, to }: Graph, activity: number, values: Float64Array): number {
  let greatest = 0;
  for (let link = start[activity] ?? 0; link < (start[activity + 1] ?? 0); link++) {
    greatest = Math.max(greatest, values[to[link] ?? 0] ?? 0);
  }
  return greatest;
}
