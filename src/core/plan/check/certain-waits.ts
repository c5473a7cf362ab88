// The waits that are certain to be over when an event happens, and a tree of one certain wait per event: every event
// below another in the tree is certain to come after it.
//
// A search answers the queries about certain order that the tree of waits cannot.
//
// certain-waits/W1. All queries of one index share one bound of work; past it the answer is unknown.

import { endEvent, eventPosition, taskOfEvent, type EventOrder } from './event-order.ts';
import type { Need } from '../plan.ts';
import { contains, type IndexedTask, type PlanIndex } from './plan-index.ts';

interface CertainWaits {
  readonly index: PlanIndex;
  readonly needs: readonly (readonly number[])[];
  readonly events: EventOrder;
  /** The waits of event `e` that are certain to be over when it happens lie from its first up to here. */
  readonly certainStop: Int32Array;
}

/** The number of needs that a task waits for. */
function wantedOf(need: Need, among: number): number {
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

/** Of the waits of a start that of the task around it comes first, and of those of an end the one for its start. */
export function certainStops(waits: Omit<CertainWaits, 'certainStop'>): Int32Array {
  const { index, needs, events } = waits;
  const stops = new Int32Array(2 * index.tasks.length);
  for (const at of index.tasks) {
    const start = 2 * at.index;
    const own = needs[at.index] ?? [];
    const isSure = wantedOf(at.task.needs, own.length) === own.length;
    const around = (events.start[start] ?? 0) + (at.parent < 0 ? 0 : 1);
    stops[start] = isSure ? (events.start[start + 1] ?? 0) : around;
    stops[start + 1] = hasCopies(at) ? (events.start[start + 2] ?? 0) : (events.start[start + 1] ?? 0) + 1;
  }
  return stops;
}

/** A for_each without items ends without any end inside it. */
function hasCopies({ task }: IndexedTask): boolean {
  return task.type !== 'for_each' || (task.list.type === 'known' && task.list.items.length > 0);
}

/** For each event the stretch of numbers that holds all events certain to come after it along one chosen wait each. */
interface WaitTree {
  readonly first: Int32Array;
  readonly last: Int32Array;
}

export function isAbove(tree: WaitTree, above: number, below: number): boolean {
  const number = tree.first[below] ?? 0;
  return (tree.first[above] ?? 0) <= number && number <= (tree.last[above] ?? 0);
}

export function makeTree(waits: CertainWaits): WaitTree {
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
function latestCertain({ events, certainStop }: CertainWaits, event: number): number {
  let latest = -1;
  for (let edge = events.start[event] ?? 0; edge < (certainStop[event] ?? 0); edge += 1) {
    const before = events.to[edge] ?? 0;
    if (latest < 0 || eventPosition(events, before) > eventPosition(events, latest)) latest = before;
  }
  return latest;
}

export type Certainty = 'yes' | 'no' | 'unknown';

export interface Search extends CertainWaits {
  /** The query in which each event was last visited. */
  readonly seen: Int32Array;
  asked: number;
  work: number;
}

/** Follows certain waits back from `to`; at a choice among needs, all alternatives are considered. */
export function searchBack(search: Search, from: number, to: number): Certainty {
  const met = meetAll(search, { from, to, stops: search.certainStop });
  if (met === undefined) return 'unknown';
  if (met.some((event) => endsWith(search, event, from))) return 'yes';
  return met.some((event) => isChoiceAt(search, event)) ? weighChoices(search, from, to) : 'no';
}

interface BackwardSearch {
  readonly from: number;
  readonly to: number;
  /** Up to where the waits of each event are followed. */
  readonly stops: Int32Array;
}

/** Events met on the way back that are not before `from`, the found one last; undefined past the bound of work. */
function meetAll(search: Search, { from, to, stops }: BackwardSearch): number[] | undefined {
  const { events, seen } = search;
  search.asked += 1;
  const floor = eventPosition(events, from);
  const met: number[] = [to];
  seen[to] = search.asked;
  for (let at = 0; at < met.length; at += 1) {
    const event = met[at] ?? 0;
    if (stops === search.certainStop && endsWith(search, event, from)) return [event];
    for (let edge = events.start[event] ?? 0; edge < (stops[event] ?? 0); edge += 1) {
      const before = events.to[edge] ?? 0;
      search.work -= 1;
      if (seen[before] === search.asked || eventPosition(events, before) < floor) continue;
      seen[before] = search.asked;
      met.push(before);
    }
    if (search.work <= 0) return undefined;
  }
  return met;
}

/** True when this event is the end of the queried task, or of a task around it. */
function endsWith(search: Search, event: number, from: number): boolean {
  if (event === from) return true;
  const at = event % 2 === 0 ? undefined : search.index.tasks[taskOfEvent(event)];
  const asked = at === undefined || at.children.length === 0 ? undefined : search.index.tasks[taskOfEvent(from)];
  return at !== undefined && asked !== undefined && contains(at, asked);
}

/** True at a start that waits for some of its needs only. */
function isChoiceAt(search: Search, event: number): boolean {
  return event % 2 === 0 && (search.certainStop[event] ?? 0) < (search.events.start[event + 1] ?? 0);
}

/** All events that could matter, in order; each is certain or not by those before it. */
function weighChoices(search: Search, from: number, to: number): Certainty {
  const met = meetAll(search, { from, to, stops: search.events.start.subarray(1) });
  if (met === undefined) return 'unknown';
  const certain = new Set<number>();
  for (const event of met.sort(
    (left, right) => eventPosition(search.events, left) - eventPosition(search.events, right),
  )) {
    if (isCertainAt(search, { event, from, certain })) certain.add(event);
  }
  return certain.has(to) ? 'yes' : 'no';
}

interface Weighed {
  readonly event: number;
  readonly from: number;
  readonly certain: ReadonlySet<number>;
}

function isCertainAt(search: Search, { event, from, certain }: Weighed): boolean {
  const { events } = search;
  if (endsWith(search, event, from)) return true;
  for (let edge = events.start[event] ?? 0; edge < (search.certainStop[event] ?? 0); edge += 1) {
    if (certain.has(events.to[edge] ?? -1)) return true;
  }
  const at = search.index.tasks[taskOfEvent(event)];
  if (at === undefined || !isChoiceAt(search, event)) return false;
  const among = search.needs[at.index] ?? [];
  const making = among.filter((needed) => certain.has(endEvent(needed)));
  return making.length > among.length - wantedOf(at.task.needs, among.length);
}
