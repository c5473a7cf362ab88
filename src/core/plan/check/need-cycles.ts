// Cycles of tasks that wait for each other.
//
// need-cycles/N1. Each strongly connected component is reported once, by a shortest cycle in it.
// need-cycles/N2. In a very large component the cycle reported is short, and perhaps not the shortest.

import { componentsOf, membersOf } from '../../graph/components.ts';
import { shortestCycle } from '../../graph/cycles.ts';
import { taskOfEvent, type EventOrder } from './event-order.ts';

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
