// The order of starts and ends that a plan makes certain.
//
// needs-index/B1. Each task has a start and an end. A start waits for the start of the subplan around it and for the
//   ends of its needs; an end waits for its start and for the ends of all tasks inside. A cycle among these is a
//   deadlock.
// needs-index/B2. `isBefore(a, b)` is true only when `a` has ended whenever `b` starts. A need on some of several tasks
//   makes certain only the order that enough of them make certain.
// needs-index/B3. Building is linear. Most queries take constant time; the others search, with bounded work over all
//   queries; past the bound the answer is false.

import { certainStops, isAbove, makeTree, searchBack, type Certainty, type Search } from './certain-waits.ts';
import { endEvent, orderEvents, orderOfTasks, eventPosition, startEvent, type EventOrder } from './event-order.ts';
import { cannotReach, reachIndexOf } from '../../graph/reach.ts';
import { contains, findTask, indexPlan, type IndexedTask, type PlanIndex } from './plan-index.ts';
import type { Plan } from '../plan.ts';

export interface NeedsIndex {
  readonly index: PlanIndex;
  /**
   * The needs of each task as task indices, each once, without unknown tasks, enclosing tasks and tasks inside itself.
   */
  readonly needs: readonly (readonly number[])[];
  readonly events: EventOrder;
  /** Tasks in topological order; tasks in or behind a cycle are left out. */
  readonly order: readonly number[];
  /** Whether `a` is certain to have ended when `b` starts; false in cycles and past the bound of work. */
  certaintyOf(a: number, b: number): Certainty;
  isBefore(a: number, b: number): boolean;
  /** True when the two tasks may run at once. */
  mayRunTogether(a: number, b: number): boolean;
  /** True when some query was not answered because of the bound of work. */
  isExhausted(): boolean;
}

/** Waits followed by all searches together. */
const SEARCH_WORK_MAX = 2_000_000;

export function indexNeeds(plan: Plan): NeedsIndex {
  return needsIndexOf(indexPlan(plan));
}

export function needsIndexOf(index: PlanIndex): NeedsIndex {
  const needs = index.tasks.map((at) => resolvedNeeds(index, at));
  const events = orderEvents(index, needs);
  const waits = { index, needs, events, certainStop: certainStops({ index, needs, events }) };
  const tree = makeTree(waits);
  const inOrder = [...events.position.keys()].filter((event) => eventPosition(events, event) >= 0);
  const reach = reachIndexOf(events, inOrder);
  const search: Search = { ...waits, seen: new Int32Array(events.position.length), asked: 0, work: SEARCH_WORK_MAX };
  const certaintyOf = (a: number, b: number): Certainty => {
    const from = endEvent(a);
    const to = startEvent(b);
    if (eventPosition(events, from) < 0 || eventPosition(events, to) < 0) return 'unknown';
    if (eventPosition(events, from) > eventPosition(events, to) || cannotReach(reach, to, from)) return 'no';
    return isAbove(tree, from, to) ? 'yes' : searchBack(search, from, to);
  };
  return {
    index,
    needs,
    events,
    order: orderOfTasks(events),
    certaintyOf,
    isBefore: (a, b) => certaintyOf(a, b) === 'yes',
    mayRunTogether: (a, b) => a !== b && certaintyOf(a, b) === 'no' && certaintyOf(b, a) === 'no',
    isExhausted: () => search.work <= 0,
  };
}

const NONE: readonly number[] = [];

function resolvedNeeds(index: PlanIndex, at: IndexedTask): readonly number[] {
  if (at.task.needs.of.length === 0) return NONE;
  const [only] = at.task.needs.of;
  if (only !== undefined && at.task.needs.of.length === 1) {
    const needed = findTask(index, only);
    return needed === undefined || contains(needed, at) || contains(at, needed) ? NONE : [needed.index];
  }
  const found = new Set<number>();
  for (const path of at.task.needs.of) {
    const needed = findTask(index, path);
    if (needed !== undefined && !contains(needed, at) && !contains(at, needed)) found.add(needed.index);
  }
  return [...found];
}
