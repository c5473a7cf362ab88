// What is certain to have happened before an event, by one wait; and a tree of such waits that answers most questions
// at once: what lies below an event in it is certain to come after.

import { endOf, placeOf, startOf, taskOf } from './event-order.ts';
import type { Need } from '../../plan.ts';
import type { IndexedTask, PlanIndex } from '../plan-index.ts';
import type { EventOrder } from './event-order.ts';

export interface Waits {
  readonly index: PlanIndex;
  readonly needs: readonly (readonly number[])[];
  readonly events: EventOrder;
}

/** How many of the tasks that it can need a task waits for. */
export function wantedOf(need: Need, among: number): number {
  switch (need.type) {
    case 'all':
      return among;
    case 'any':
    case 'race':
      return Math.min(1, among);
    case 'at_least':
      return Math.min(need.count, among);
  }
}

/** Events that are certain to have come before this one, by one wait. */
export function certainlyBefore({ index, needs }: Waits, event: number): readonly number[] {
  const at = index.tasks[taskOf(event)];
  if (at === undefined) return [];
  const own = needs[at.index] ?? [];
  if (event === startOf(at.index)) {
    const around = at.parent >= 0 ? [startOf(at.parent)] : [];
    const isCertain = wantedOf(at.task.needs, own.length) === own.length;
    return isCertain ? [...around, ...own.map(endOf)] : around;
  }
  return [startOf(at.index), ...certainlyInside(at)];
}

/** Ends inside a task that are certain once it has ended; a for_each without items has none. */
function certainlyInside(at: IndexedTask): readonly number[] {
  const { task } = at;
  const hasCopies = task.type !== 'for_each' || (task.list.type === 'known' && task.list.items.length > 0);
  return hasCopies ? at.children.map(endOf) : [];
}

/** For each event the stretch of numbers that holds all events certain to come after it along one chosen wait each. */
export interface Tree {
  readonly first: Int32Array;
  readonly last: Int32Array;
}

export function isAbove(tree: Tree, above: number, below: number): boolean {
  const number = tree.first[below] ?? 0;
  return (tree.first[above] ?? 0) <= number && number <= (tree.last[above] ?? 0);
}

export function makeTree(waits: Waits): Tree {
  const { position } = waits.events;
  const byPosition: number[] = [];
  for (const [event, place] of position.entries()) if (place >= 0) byPosition[place] = event;
  const parent = new Int32Array(position.length).fill(-1);
  for (const event of byPosition) parent[event] = latestCertain(waits, event);
  const size = new Int32Array(position.length).fill(1);
  for (let at = byPosition.length - 1; at >= 0; at -= 1) {
    const event = byPosition[at] ?? 0;
    const above = parent[event] ?? -1;
    if (above >= 0) size[above] = (size[above] ?? 0) + (size[event] ?? 0);
  }
  const first = new Int32Array(position.length);
  const last = new Int32Array(position.length).fill(-1);
  const free = new Int32Array(position.length);
  let roots = 0;
  for (const event of byPosition) {
    const above = parent[event] ?? -1;
    const number = above >= 0 ? (free[above] ?? 0) : roots;
    if (above >= 0) free[above] = number + (size[event] ?? 0);
    else roots += size[event] ?? 0;
    first[event] = number;
    free[event] = number + 1;
    last[event] = number + (size[event] ?? 0) - 1;
  }
  return { first, last };
}

/** Of the events that are certain to come before this one, the one that comes last; -1 when there is none. */
function latestCertain(waits: Waits, event: number): number {
  let latest = -1;
  for (const before of certainlyBefore(waits, event)) {
    if (latest < 0 || placeOf(waits.events, before) > placeOf(waits.events, latest)) latest = before;
  }
  return latest;
}
