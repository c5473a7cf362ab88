// Chooses the priorities by which a run claims its steps. Several candidates are computed before the run, each is
// simulated on the plan's estimates, and the candidate with the shortest makespan is kept.
//
// N1. Longest remaining path is tried first, and another candidate replaces it only when its makespan is truly shorter:
//   where estimates are guesses, the simplest rule misleads least.
import type { Compiled } from '../compile/compiled.ts';
import type { Hold, Order } from '../engine/order.ts';
import { lowerBounds } from '../schedule/bounds.ts';
import { listSchedule } from '../schedule/list-schedule.ts';
import { onlinePriorities } from '../schedule/online-priorities.ts';
import { longestRemainingMs } from '../schedule/priorities.ts';
import { schedulesDefault, searchSchedule } from '../schedule/search-schedule.ts';
import type { Learnt } from './estimate.ts';
import { problemOf, type PlanProblem } from './problem-of.ts';
import { simulate } from './simulate.ts';

/** The input of every forecast of a plan. */
export interface Prepared {
  readonly planned: PlanProblem;
  readonly order: Order;
  readonly learnt: Learnt;
  readonly seed: number;
}

type Ordering = Omit<Prepared, 'order'>;

export const SERIAL: Order = { policy: 'serial', priorities: [], holds: [] };

/** With more activities than this, comparing candidates costs more than it could gain. */
const TRIED_ACTIVITIES_MAX = 4_000;

export function prepare(compiled: Compiled, { learnt, seed }: { learnt: Learnt; seed: number }): Prepared {
  const ordering: Ordering = { planned: problemOf(compiled, learnt), learnt, seed };
  return { ...ordering, order: orderOf(compiled, ordering) };
}

function orderOf(compiled: Compiled, ordering: Ordering): Order {
  const { problem } = ordering.planned;
  const priority = longestRemainingMs(problem);
  const first = orderBy(ordering.planned, priority, []);
  if (problem.count > TRIED_ACTIVITIES_MAX) return first;
  const { bestMs } = lowerBounds(problem);
  // A computed schedule costs a fraction of a simulation, and no candidate can be shorter than the lower bound.
  if (listSchedule(problem, { priority }).makespanMs <= bestMs) return first;
  const scenario = { seed: ordering.seed, learnt: ordering.learnt, spread: 0, failureShare: 0, endsWell: true };
  const triedMs = (order: Order): number => simulate(compiled, order, scenario).makespanMs;
  let best = { order: first, ms: triedMs(first) };
  for (const draw of [byBestRule, bySearch, bySearchWithHolds]) {
    if (best.ms <= bestMs) break;
    const order = draw(ordering);
    const ms = triedMs(order);
    if (ms < best.ms) best = { order, ms };
  }
  return best.order;
}

function byBestRule({ planned }: Ordering): Order {
  return orderBy(planned, onlinePriorities(planned.problem, lowerBounds(planned.problem).bestMs).priority, []);
}

const bySearch = (ordering: Ordering): Order => searched(ordering, false);
const bySearchWithHolds = (ordering: Ordering): Order => searched(ordering, true);

function searched({ planned, seed }: Ordering, mayHold: boolean): Order {
  const { problem } = planned;
  const found = searchSchedule(problem, { seed, schedulesMax: schedulesDefault(problem), mayHold });
  const holds = found.holds.flatMap(({ held, until }): Hold[] => {
    const [heldIs, untilIs] = [planned.meanings[held], planned.meanings[until]];
    return heldIs?.type === 'step' && untilIs?.type === 'step' ? [{ held: heldIs, until: untilIs }] : [];
  });
  return orderBy(planned, found.priority, holds);
}

function orderBy({ steps }: PlanProblem, priority: Float64Array, holds: readonly Hold[]): Order {
  const priorities = steps.map((ofTask) => ofTask.map((activity) => priority[activity] ?? 0));
  return { policy: 'parallel', priorities, holds };
}
