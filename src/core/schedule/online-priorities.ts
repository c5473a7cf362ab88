// The priorities that the online rule follows when there is no time for a search. No one rule is best on every plan,
// and running the online rule in the mind costs little, so a handful of rules are tried and the best is kept.

import { listSchedule, type Schedule } from './list-schedule.ts';
import { longestRemainingMs, mirroredRemainingMs, tailAfterMs, weightedRemainingMs } from './priorities.ts';
import type { Problem } from './problem.ts';

export interface Online {
  readonly priority: Float64Array;
  readonly schedule: Schedule;
}

/**
 * Activities times demand classes, beyond which a run of the online rule or of the engine may take a good part of a
 * second: an activity that waits for several pools is looked at again whenever one of them gains tokens.
 * Limit: such problems get the critical path and nothing more. When plans with thousands of different demands of several
 * pools appear, let the starvation guard of the engine look at the first in line alone.
 */
const LOOKS_MAX = 4e6;

export const isCostly = ({ count, classCount }: Problem): boolean => count * classCount > LOOKS_MAX;

/** The first of the best: the critical path, unless another rule is truly shorter. Stops at `boundMs`. */
export function onlinePriorities(problem: Problem, boundMs: number): Online {
  const first = online(problem, longestRemainingMs(problem));
  let best = first;
  for (const rule of [sumOfPathAndTail, mirroredRemainingMs, mirroredAndPath, weightedRemainingMs, tailAfterMs]) {
    if (best.schedule.makespanMs <= boundMs || isCostly(problem)) return best;
    const tried = online(problem, rule(problem));
    if (tried.schedule.makespanMs < best.schedule.makespanMs) best = tried;
  }
  return best;
}

const online = (problem: Problem, priority: Float64Array): Online => ({
  priority,
  schedule: listSchedule(problem, { priority }),
});

/** Twice the latest middle: between the latest start and the latest finish rules. */
function sumOfPathAndTail(problem: Problem): Float64Array {
  const tail = tailAfterMs(problem);
  return longestRemainingMs(problem).map((path, activity) => path + (tail[activity] ?? 0));
}

function mirroredAndPath(problem: Problem): Float64Array {
  const path = longestRemainingMs(problem);
  return mirroredRemainingMs(problem).map((mirrored, activity) => mirrored + (path[activity] ?? 0));
}
