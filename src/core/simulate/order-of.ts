// The order in which a run claims its steps: the longest remaining path first, improved by a search before the run
// when there is something to gain.
import type { Compiled } from '../compile/compiled.ts';
import type { Order } from '../engine/order.ts';
import { longestRemainingMs } from '../schedule/priorities.ts';
import { schedulesDefault, searchSchedule } from '../schedule/search.ts';
import type { Learnt } from './estimate.ts';
import { problemOf, type PlanProblem } from './problem-of.ts';

export interface Ordering {
  readonly policy: Order['policy'];
  readonly learnt: Learnt;
  /** Whether to search at plan time for a better order than the longest remaining path. */
  readonly search: boolean;
  readonly seed: number;
}

export function orderOf(compiled: Compiled, ordering: Ordering): Order {
  if (ordering.policy === 'serial') return { policy: 'serial', priorities: [] };
  const planned = problemOf(compiled, ordering.learnt);
  const { problem } = planned;
  const priority = ordering.search
    ? searchSchedule(problem, { seed: ordering.seed, schedulesMax: schedulesDefault(problem) }).priority
    : longestRemainingMs(problem);
  return { policy: 'parallel', priorities: byStep(planned, priority) };
}

const byStep = ({ steps }: PlanProblem, priority: Float64Array): Order['priorities'] =>
  steps.map((ofTask) => ofTask.map((activity) => priority[activity] ?? 0));
