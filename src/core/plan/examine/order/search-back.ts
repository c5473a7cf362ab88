// Questions about what is certain that the tree of waits cannot answer. It owns:
//
// W1. All questions of one index share one bound of work; past it nothing is claimed.

import { contains } from '../plan-index.ts';
import { certainlyBefore, wantedOf } from './certain-waits.ts';
import { endOf, placeOf, taskOf } from './event-order.ts';
import type { Waits } from './certain-waits.ts';

export type Certainty = 'yes' | 'no' | 'unknown';

export interface Search extends Waits {
  /** The question in which each event was last met. */
  readonly seen: Int32Array;
  asked: number;
  work: number;
}

/** Follows certain waits back from `to`; where a choice among needs is met, all of it is weighed. */
export function searchBack(search: Search, from: number, to: number): Certainty {
  search.asked += 1;
  const met: number[] = [to];
  const choices: number[] = [];
  search.seen[to] = search.asked;
  for (let at = 0; at < met.length; at += 1) {
    const event = met[at] ?? 0;
    if (endsWith(search, event, from)) return 'yes';
    const isChoice = isChoiceAt(search, event);
    if (isChoice) choices.push(event);
    search.work -= 1;
    for (const before of certainlyBefore(search, event)) meet(search, met, { before, from });
    if (search.work <= 0) return 'unknown';
  }
  return choices.length === 0 ? 'no' : weighChoices(search, from, to);
}

function meet(
  search: Search,
  met: number[],
  { before, from }: { readonly before: number; readonly from: number },
): void {
  search.work -= 1;
  if (search.seen[before] === search.asked || placeOf(search.events, before) < placeOf(search.events, from)) return;
  search.seen[before] = search.asked;
  met.push(before);
}

/** True when this event is the end of what was asked for, or of something around it. */
function endsWith(search: Search, event: number, from: number): boolean {
  if (event % 2 === 0) return false;
  const at = search.index.tasks[taskOf(event)];
  const asked = search.index.tasks[taskOf(from)];
  return at !== undefined && asked !== undefined && contains(at, asked);
}

/** True at a start that waits for some of its needs only. */
function isChoiceAt(search: Search, event: number): boolean {
  const at = event % 2 === 0 ? search.index.tasks[taskOf(event)] : undefined;
  if (at === undefined || at.task.needs.type === 'all') return false;
  const among = search.needs[at.index]?.length ?? 0;
  return wantedOf(at.task.needs, among) < among;
}

/** All events that could matter, in order; each is certain or not by those before it. */
function weighChoices(search: Search, from: number, to: number): Certainty {
  search.asked += 1;
  const met: number[] = [to];
  search.seen[to] = search.asked;
  for (let at = 0; at < met.length; at += 1) {
    const event = met[at] ?? 0;
    for (const before of allBefore(search, event)) meet(search, met, { before, from });
    if (search.work <= 0) return 'unknown';
  }
  const certain = new Set<number>();
  for (const event of met.sort((left, right) => placeOf(search.events, left) - placeOf(search.events, right))) {
    if (isCertainAt({ search, event, from, certain })) certain.add(event);
  }
  return certain.has(to) ? 'yes' : 'no';
}

function allBefore(search: Search, event: number): readonly number[] {
  const needs = isChoiceAt(search, event) ? (search.needs[taskOf(event)] ?? []).map(endOf) : [];
  return [...certainlyBefore(search, event), ...needs];
}

function isCertainAt(question: {
  readonly search: Search;
  readonly event: number;
  readonly from: number;
  readonly certain: ReadonlySet<number>;
}): boolean {
  const { search, event, from, certain } = question;
  if (endsWith(search, event, from)) return true;
  if (certainlyBefore(search, event).some((before) => certain.has(before))) return true;
  const at = search.index.tasks[taskOf(event)];
  if (at === undefined || !isChoiceAt(search, event)) return false;
  const among = search.needs[at.index] ?? [];
  const making = among.filter((needed) => certain.has(endOf(needed)));
  return making.length > among.length - wantedOf(at.task.needs, among.length);
}
