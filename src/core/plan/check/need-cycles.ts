// Circles among what waits for what: where each is, and the shortest way around it. It owns:
//
// O1. Each knot of circles is told once, by a shortest circle in it.
// O2. Work is bounded: in a very large knot the circle told is short, and perhaps not the shortest.

import { taskOf } from './event-order.ts';
import type { EventOrder } from './event-order.ts';

/** Waits followed while looking for the shortest circle of one knot. */
const SHORTEST_WORK_MAX = 500_000;

/** Tasks along a circle, each waiting for the next and the last for the first. */
export type NeedCycle = readonly number[];

export function needCycles(events: EventOrder): readonly NeedCycle[] {
  const stuck: number[] = [];
  for (const [event, position] of events.position.entries()) if (position < 0) stuck.push(event);
  return stuck.length === 0 ? [] : knotsOf(events, stuck).map((knot) => tasksAlong(shortestCircle(events, knot)));
}

interface Visit {
  readonly event: number;
  edge: number;
}

interface Walk {
  readonly events: EventOrder;
  readonly number: Int32Array;
  readonly low: Int32Array;
  readonly open: number[];
  readonly isOpen: Uint8Array;
  readonly knots: number[][];
  count: number;
}

/** Strongly connected parts of more than one event, found without recursion because chains may be long. */
function knotsOf(events: EventOrder, stuck: readonly number[]): readonly (readonly number[])[] {
  const size = events.position.length;
  const walk: Walk = {
    events,
    number: new Int32Array(size),
    low: new Int32Array(size),
    open: [],
    isOpen: new Uint8Array(size),
    knots: [],
    count: 0,
  };
  for (const event of stuck) if (walk.number[event] === 0) walkFrom(walk, event);
  return walk.knots;
}

function walkFrom(walk: Walk, first: number): void {
  const visits: Visit[] = [enter(walk, first)];
  for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
    const next = walk.events.before[visit.edge];
    if (next !== undefined && visit.edge < (walk.events.start[visit.event + 1] ?? 0)) {
      visit.edge += 1;
      if ((walk.events.position[next] ?? 0) >= 0) continue;
      if (walk.number[next] === 0) visits.push(enter(walk, next));
      else if (walk.isOpen[next] === 1) lower(walk, visit.event, walk.number[next] ?? 0);
      continue;
    }
    visits.pop();
    const around = visits.at(-1);
    if (around !== undefined) lower(walk, around.event, walk.low[visit.event] ?? 0);
    if (walk.low[visit.event] === walk.number[visit.event]) close(walk, visit.event);
  }
}

function enter(walk: Walk, event: number): Visit {
  walk.count += 1;
  walk.number[event] = walk.count;
  walk.low[event] = walk.count;
  walk.open.push(event);
  walk.isOpen[event] = 1;
  return { event, edge: walk.events.start[event] ?? 0 };
}

function lower(walk: Walk, event: number, number: number): void {
  walk.low[event] = Math.min(walk.low[event] ?? 0, number);
}

function close(walk: Walk, event: number): void {
  const knot = walk.open.splice(walk.open.lastIndexOf(event));
  for (const inside of knot) walk.isOpen[inside] = 0;
  if (knot.length > 1) walk.knots.push(knot);
}

function shortestCircle(events: EventOrder, knot: readonly number[]): readonly number[] {
  const inside = new Set(knot);
  let best: readonly number[] = [];
  let work = SHORTEST_WORK_MAX;
  for (const from of knot.toSorted((left, right) => left - right)) {
    const found = circleFrom(events, inside, from);
    work -= found.work;
    if (best.length === 0 || found.circle.length < best.length) best = found.circle;
    if (work <= 0) break;
  }
  return best;
}

/** Breadth first from an event back to itself, within the knot. */
function circleFrom(
  events: EventOrder,
  inside: ReadonlySet<number>,
  from: number,
): { circle: readonly number[]; work: number } {
  const cameFrom = new Map<number, number>();
  const queue = [from];
  for (let at = 0; at < queue.length; at += 1) {
    const event = queue[at] ?? from;
    for (let edge = events.start[event] ?? 0; edge < (events.start[event + 1] ?? 0); edge += 1) {
      const before = events.before[edge] ?? -1;
      if (before === from) return { circle: wayTo(cameFrom, from, event), work: queue.length };
      if (!inside.has(before) || cameFrom.has(before)) continue;
      cameFrom.set(before, event);
      queue.push(before);
    }
  }
  return { circle: [...inside], work: queue.length };
}

function wayTo(cameFrom: ReadonlyMap<number, number>, from: number, last: number): readonly number[] {
  const way = [last];
  for (let at = last; at !== from;) {
    at = cameFrom.get(at) ?? from;
    way.push(at);
  }
  return way.toReversed();
}

/** The tasks of the events, each once, beginning with the one that stands first in the plan. */
function tasksAlong(events: readonly number[]): NeedCycle {
  const tasks: number[] = [];
  for (const event of events) if (tasks.at(-1) !== taskOf(event)) tasks.push(taskOf(event));
  if (tasks.length > 1 && tasks.at(-1) === tasks[0]) tasks.pop();
  const first = tasks.indexOf(tasks.reduce((least, task) => Math.min(least, task), Infinity));
  return [...tasks.slice(first), ...tasks.slice(0, first)];
}
