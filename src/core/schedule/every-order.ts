// Search for tiny problems: every list of activities there is. A best schedule is among those of the serial scheme,
// and the best that priorities alone can do is among those of the online rule, so nothing is left to chance.

import { listSchedule, type Schedule } from './list-schedule.ts';
import type { Problem } from './problem.ts';
import { priorityOf } from './justify.ts';
import type { SearchInput } from './search-input.ts';
import { serialScheme } from './serial-schedule.ts';

/** The shortest schedule of all lists; undefined when the budget does not cover them or the caller stops it. */
export function tryEveryOrder({ problem, boundMs, options }: SearchInput): Schedule | undefined {
  const orders = everyOrder(problem, options.schedulesMax);
  if (orders === undefined) return undefined;
  const decoded = options.mayHold === true ? serially(problem) : online(problem);
  let best: Schedule | undefined;
  for (const order of orders) {
    if (best !== undefined && best.makespanMs <= boundMs) break;
    if (options.shouldStop?.() === true) return undefined;
    const fresh = decoded(order);
    if (best === undefined || fresh.makespanMs < best.makespanMs) best = fresh;
  }
  return best;
}

type Decoder = (order: Int32Array) => Schedule;

function serially(problem: Problem): Decoder {
  const scheme = serialScheme(problem);
  return (order) => {
    const startMs = new Float64Array(problem.count);
    return { startMs, makespanMs: scheme.schedule(order, startMs) };
  };
}

function online(problem: Problem): Decoder {
  return (order) => listSchedule(problem, { priority: priorityOf(order) });
}

/** Each list that names every activity after all it waits for; undefined when there are more than `most`. */
export function everyOrder({ count, successors, predecessors }: Problem, most: number): Int32Array[] | undefined {
  const orders: Int32Array[] = [];
  const order = new Int32Array(count);
  const missing = Int32Array.from(
    { length: count },
    (_, activity) => (predecessors.start[activity + 1] ?? 0) - (predecessors.start[activity] ?? 0),
  );
  const LISTED = -1;
  const lift = (activity: number, by: number): void => {
    for (const next of successors.to.subarray(successors.start[activity], successors.start[activity + 1]))
      missing[next] = (missing[next] ?? 0) + by;
  };
  const isWithin = (place: number): boolean => {
    if (place === count) return orders.push(order.slice()) <= most;
    for (let activity = 0; activity < count; activity++) {
      if (missing[activity] !== 0) continue;
      order[place] = activity;
      missing[activity] = LISTED;
      lift(activity, -1);
      const within = isWithin(place + 1);
      lift(activity, 1);
      missing[activity] = 0;
      if (!within) return false;
    }
    return true;
  };
  return isWithin(0) ? orders : undefined;
}
