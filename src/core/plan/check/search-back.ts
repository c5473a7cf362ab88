// Answers the queries about certain order that the tree of waits cannot.
//
// search-back/W1. All queries of one index share one bound of work; past it the answer is unknown.

import { contains } from './plan-index.ts';
import { wantedOf } from './certain-waits.ts';
import { endEvent, placeOf, taskOfEvent } from './event-order.ts';
import type { CertainWaits } from './certain-waits.ts';

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
  const floor = placeOf(events, from);
  const met: number[] = [to];
  seen[to] = search.asked;
  for (let at = 0; at < met.length; at += 1) {
    const event = met[at] ?? 0;
    if (stops === search.certainStop && endsWith(search, event, from)) return [event];
    for (let edge = events.start[event] ?? 0; edge < (stops[event] ?? 0); edge += 1) {
      const before = events.to[edge] ?? 0;
      search.work -= 1;
      if (seen[before] === search.asked || placeOf(events, before) < floor) continue;
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
  for (const event of met.sort((left, right) => placeOf(search.events, left) - placeOf(search.events, right))) {
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
