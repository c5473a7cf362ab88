// Starts and ends of tasks as the nodes of a graph, with an edge from each event to every event that it waits for, and the cycles
// of tasks that wait for each other.
//
// event-order/N1. Each strongly connected component is reported once, by a shortest cycle in it.
// event-order/N2. In a very large component the cycle reported is short, and perhaps not the shortest.

import { componentsOf, membersOf } from '../../graph/components.ts';
import { shortestCycle } from '../../graph/cycles.ts';
import { positionsIn, reversed, topologicalOrder, type Graph } from '../../graph/directed-graph.ts';
import type { PlanIndex } from './plan-index.ts';

export interface EventOrder extends Graph {
  /** Index of each event in an order that respects all waits; -1 for one on a cycle or behind one. */
  readonly position: Int32Array;
}

export const startEvent = (task: number): number => 2 * task;
export const endEvent = (task: number): number => 2 * task + 1;
export const taskOfEvent = (event: number): number => event >> 1;

export const eventPosition = (events: EventOrder, event: number): number => events.position[event] ?? -1;

export function orderEvents(index: PlanIndex, needs: readonly (readonly number[])[]): EventOrder {
  const count = 2 * index.tasks.length;
  const start = new Int32Array(count + 1);
  const waits: number[] = [];
  for (const at of index.tasks) {
    start[startEvent(at.index)] = waits.length;
    if (at.parent >= 0) waits.push(startEvent(at.parent));
    for (const needed of needs[at.index] ?? []) waits.push(endEvent(needed));
    start[endEvent(at.index)] = waits.length;
    waits.push(startEvent(at.index));
    for (const child of at.children) waits.push(endEvent(child));
  }
  start[count] = waits.length;
  const graph = { start, to: Int32Array.from(waits) };
  return { ...graph, position: positionsIn(topologicalOrder(reversed(graph)), count) };
}

/** Tasks in the order of their starts. */
export function orderOfTasks(events: EventOrder): readonly number[] {
  const byPosition = new Int32Array(events.position.length).fill(-1);
  for (const [event, position] of events.position.entries()) if (position >= 0) byPosition[position] = event;
  const order: number[] = [];
  for (const event of byPosition) if (event >= 0 && event % 2 === 0) order.push(taskOfEvent(event));
  return order;
}

/** Events visited in the search for the shortest cycle of one component. */
const SEARCH_WORK_MAX = 500_000;

/** Tasks along each cycle, every task waiting for the next and the last for the first. */
export function needCycles(events: EventOrder): readonly (readonly number[])[] {
  if (!events.position.includes(-1)) return [];
  return membersOf(componentsOf(events))
    .filter((members) => members.length > 1)
    .map((members) => tasksAlong(shortestCycle(events, members, SEARCH_WORK_MAX)));
}

/** The tasks of the events, each once, beginning with the first in the plan. */
function tasksAlong(events: readonly number[]): readonly number[] {
  const tasks: number[] = [];
  for (const event of events) if (tasks.at(-1) !== taskOfEvent(event)) tasks.push(taskOfEvent(event));
  if (tasks.length > 1 && tasks.at(-1) === tasks[0]) tasks.pop();
  const first = tasks.indexOf(tasks.reduce((least, task) => Math.min(least, task), Infinity));
  return [...tasks.slice(first), ...tasks.slice(0, first)];
}
