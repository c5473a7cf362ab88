// Plan-time search: the shortest schedule found within a budget, and how the online rule is to reproduce it.
//
// search-schedule/Q1. The budget is a count of schedules; there is no clock here. The caller may stop the search
//   between schedules.
// search-schedule/Q2. The same problem, seed and budget give the same answer, unless the caller stops the search.
// search-schedule/Q3. The search ends at once when the lower bound is met.
// search-schedule/Q4. The answer is never longer than the schedule of the online rule alone.
// search-schedule/Q5. When the budget covers every order there is, all are tried: with holds, the answer is the best
//   there is.

import { lowerBounds } from './bounds.ts';
import { chance } from './chance.ts';
import { tryEveryOrder } from './every-order.ts';
import { evolve } from './evolve.ts';
import { keepOrder } from './keep-order.ts';
import { isCostly, onlinePriorities } from './online-priorities.ts';
import { listSchedule } from './list-schedule.ts';
import { mirrored } from './problem.ts';
import type { ScheduleHold, Schedule } from './list-schedule.ts';
import type { Problem } from './problem.ts';
import type { SearchOptions, SearchInput } from './search-input.ts';
import type { Online } from './online-priorities.ts';

export interface FoundSchedule {
  /** For the online rule, with `holds`; the greater goes first. */
  readonly priority: Float64Array;
  /** None, unless the options allow them. */
  readonly holds: readonly ScheduleHold[];
  /** The schedule of the online rule with these priorities and holds, when every activity takes its estimate. */
  readonly schedule: Schedule;
  readonly lowerBoundMs: number;
  readonly provedOptimal: boolean;
}

/** Activities placed in all by a search of default budget: a fraction of a second of work. */
const PLACEMENTS_DEFAULT = 1_000_000;
/** Up to here placing one activity costs about the same; beyond, it costs in proportion to their number. */
const PLACEMENT_STEADY_MAX = 120;
const SCHEDULES_DEFAULT_MIN = 4;

/** Beyond this many activities only the online rule is sampled, since the serial scheme grows faster than linearly. */
const SERIAL_ACTIVITIES_MAX = 1_200;

export function searchSchedule(problem: Problem, options: SearchOptions): FoundSchedule {
  const boundMs = lowerBounds(problem).bestMs;
  const first = onlinePriorities(problem, boundMs);
  const found = { ...first, holds: [], lowerBoundMs: boundMs };
  if (first.schedule.makespanMs <= boundMs) return { ...found, provedOptimal: true };
  if (isCostly(problem)) return { ...found, provedOptimal: false };
  const input = { problem, boundMs, first, random: chance(options.seed), options };
  if (problem.count > SERIAL_ACTIVITIES_MAX) {
    const sampled = sampleOnline(input);
    return { ...found, ...sampled, provedOptimal: sampled.schedule.makespanMs <= boundMs };
  }
  const best = tryEveryOrder(input);
  const planned = best ?? evolve(input);
  const isBest = planned.makespanMs <= boundMs || (best !== undefined && options.mayHold === true);
  if (planned.makespanMs >= first.schedule.makespanMs) return { ...found, provedOptimal: isBest };
  // A schedule of the online rule is followed by its order alone, so there it takes no holds.
  return { ...keepOrder(problem, planned), lowerBoundMs: boundMs, provedOptimal: isBest };
}

/** A budget that takes about as long for a large plan as for a small one. */
export function schedulesDefault({ count }: Problem, placementsMax = PLACEMENTS_DEFAULT): number {
  const placements = Math.max(count, 30) * Math.max(1, count / PLACEMENT_STEADY_MAX);
  return Math.max(SCHEDULES_DEFAULT_MIN, Math.round(Math.min(placementsMax, PLACEMENTS_DEFAULT) / placements));
}

/** Noise on a priority, as a part of the makespan. */
const NOISE_SHARE = 0.02;

/**
 * Search for large problems: the online rule alone, forwards and backwards in turn, each pass guided by the times of the
 * previous one with a little noise. A pass costs one run of the online rule.
 */
function sampleOnline({ problem, boundMs, first, random, options }: SearchInput): Online {
  const backwards = mirrored(problem);
  let best = first;
  for (let schedules = 0; schedules + 2 <= options.schedulesMax; schedules += 2) {
    if (best.schedule.makespanMs <= boundMs || options.shouldStop?.() === true) break;
    const { startMs, makespanMs } = best.schedule;
    const noiseMs = schedules === 0 ? 0 : NOISE_SHARE * makespanMs;
    const ends = startMs.map(
      (start, activity) => start + (problem.durationMs[activity] ?? 0) + noiseMs * random.normal(),
    );
    const mirrored = listSchedule(backwards, { priority: ends });
    const priority = mirrored.startMs.map((start, activity) => start + (problem.durationMs[activity] ?? 0));
    const schedule = listSchedule(problem, { priority });
    if (schedule.makespanMs < makespanMs) best = { priority, schedule };
  }
  return best;
}
