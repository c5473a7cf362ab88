// Starts and ends of tasks, what each waits for, and an order that respects all of it.
// The typed arrays here are filled in place while they are built, and never changed afterwards.

import type { PlanIndex } from './plan-index.ts';

/** Events and what each waits for: those before event `e` lie at `start[e]` up to `start[e + 1]` of `before`. */
export interface EventOrder {
  readonly start: Int32Array;
  readonly before: Int32Array;
  /** Place of each event in an order that respects all waits; -1 in or behind a circle. */
  readonly position: Int32Array;
}

export const startOf = (task: number): number => 2 * task;
export const endOf = (task: number): number => 2 * task + 1;
export const taskOf = (event: number): number => event >> 1;

export const placeOf = (events: EventOrder, event: number): number => events.position[event] ?? -1;

export function orderEvents(index: PlanIndex, needs: readonly (readonly number[])[]): EventOrder {
  const count = 2 * index.tasks.length;
  const start = new Int32Array(count + 1);
  const waits: number[] = [];
  for (const at of index.tasks) {
    start[startOf(at.index)] = waits.length;
    if (at.parent >= 0) waits.push(startOf(at.parent));
    for (const needed of needs[at.index] ?? []) waits.push(endOf(needed));
    start[endOf(at.index)] = waits.length;
    waits.push(startOf(at.index));
    for (const child of at.children) waits.push(endOf(child));
  }
  start[count] = waits.length;
  const before = Int32Array.from(waits);
  return { start, before, position: positionsOf(start, before) };
}

/** Counts down what each event still waits for, and places it when nothing is left. */
function positionsOf(start: Int32Array, before: Int32Array): Int32Array {
  const count = start.length - 1;
  const followers = followersOf(start, before);
  const missing = new Int32Array(count);
  const ready: number[] = [];
  for (let event = 0; event < count; event += 1) {
    missing[event] = (start[event + 1] ?? 0) - (start[event] ?? 0);
    if (missing[event] === 0) ready.push(event);
  }
  const position = new Int32Array(count).fill(-1);
  for (let at = 0; at < ready.length; at += 1) {
    const event = ready[at] ?? 0;
    position[event] = at;
    for (let edge = followers.start[event] ?? 0; edge < (followers.start[event + 1] ?? 0); edge += 1) {
      const follower = followers.after[edge] ?? 0;
      missing[follower] = (missing[follower] ?? 0) - 1;
      if (missing[follower] === 0) ready.push(follower);
    }
  }
  return position;
}

function followersOf(
  start: Int32Array,
  before: Int32Array,
): { readonly start: Int32Array; readonly after: Int32Array } {
  const count = start.length - 1;
  const from = new Int32Array(count + 1);
  for (const event of before) from[event + 1] = (from[event + 1] ?? 0) + 1;
  for (let event = 0; event < count; event += 1) from[event + 1] = (from[event + 1] ?? 0) + (from[event] ?? 0);
  const free = from.slice();
  const after = new Int32Array(before.length);
  for (let event = 0; event < count; event += 1) {
    for (let edge = start[event] ?? 0; edge < (start[event + 1] ?? 0); edge += 1) {
      const waited = before[edge] ?? 0;
      after[free[waited] ?? 0] = event;
      free[waited] = (free[waited] ?? 0) + 1;
    }
  }
  return { start: from, after };
}

/** Tasks in the order of their starts. */
export function orderOfTasks(events: EventOrder): readonly number[] {
  const byPosition = new Int32Array(events.position.length).fill(-1);
  for (const [event, position] of events.position.entries()) if (position >= 0) byPosition[position] = event;
  const order: number[] = [];
  for (const event of byPosition) if (event >= 0 && event % 2 === 0) order.push(taskOf(event));
  return order;
}
