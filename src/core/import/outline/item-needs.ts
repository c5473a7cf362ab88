// The needs of each task. Needs that could not be converted are in the notes.
// Needs are left out until no item waits for itself by way of others.
//
// item-needs/N1. A subplan starts before its children and ends after them, so a cycle may lead through one.
// item-needs/N2. Only needs on a cycle are left out, one for each cycle, in time that grows with the outline.

import type { ImportNote } from './outline.ts';
import type { ItemTree, PlacedItem } from './place-items.ts';
import type { ItemRoles } from './item-roles.ts';
import { assert } from '../../assert.ts';
import { cycleFrom } from '../../graph/cycles.ts';
import { graphOf, nodeCount, reversed, type Graph } from '../../graph/directed-graph.ts';

export interface ItemNeeds {
  readonly of: (placed: PlacedItem) => readonly PlacedItem[];
  readonly notes: readonly ImportNote[];
}

export function needsOf(tree: ItemTree, roles: ItemRoles): ItemNeeds {
  const notes: ImportNote[] = [];
  const needs = new Map<PlacedItem, PlacedItem[]>();
  for (const placed of tree.all) {
    if (!isInPlan(roles, placed)) continue;
    const found = new Set<PlacedItem>();
    for (const key of new Set([...orderKeys(tree, roles, placed), ...placed.item.needs])) {
      const needed = tree.byKey.get(key);
      const says = whyNot(placed, key, needed);
      if (says !== undefined) notes.push({ ...placed.item.place, says });
      else if (needed !== undefined && isInPlan(roles, needed) && !isInside(needed, placed)) found.add(needed);
    }
    needs.set(placed, [...found]);
  }
  const inPlan = tree.all.filter((placed) => isInPlan(roles, placed));
  notes.push(...cutNeedCycles(inPlan, needs));
  return { of: (placed) => needs.get(placed) ?? [], notes };
}

/** The open items that it follows; done items are replaced by the items that they follow. */
function orderKeys(tree: ItemTree, roles: ItemRoles, placed: PlacedItem): readonly string[] {
  const keys = new Set(placed.item.after);
  // A set is gone through in the order in which it grows.
  for (const key of keys) {
    const before = tree.byKey.get(key);
    if (before !== undefined && before !== placed && roles.of(before) === 'done')
      for (const earlier of before.item.after) keys.add(earlier);
  }
  return [...keys];
}

export const isInPlan = (roles: ItemRoles, placed: PlacedItem): boolean => {
  const role = roles.of(placed);
  return role === 'task' || role === 'subplan';
};

/** A sentence when the need must be left out. Done items and parts of the item need no waiting. */
function whyNot(placed: PlacedItem, key: string, needed: PlacedItem | undefined): string | undefined {
  const name = placed.item.key;
  if (needed === undefined) return `${name} waits for ${key}, which is not in the file; it does not wait for it.`;
  if (needed === placed) return `${name} waits for itself; it does not.`;
  if (isInside(placed, needed)) return `${name} waits for ${key}, which contains it; it does not wait for it.`;
  return undefined;
}

function isInside(placed: PlacedItem, other: PlacedItem): boolean {
  for (let around = placed.parent; around !== undefined; around = around.parent) if (around === other) return true;
  return false;
}

type NeedsOfItem = Map<PlacedItem, PlacedItem[]>;

/** Starts and ends of items are the nodes: `2 * i` is the start of the item at index `i`, the next number its end. */
interface EventWaits {
  readonly items: readonly PlacedItem[];
  readonly needs: NeedsOfItem;
  /** From each event to the events it waits for. */
  readonly before: Graph;
  readonly after: Graph;
  /** The number of events that each event still waits for; -1 once it waits for none. */
  readonly left: Int32Array;
  /** Needs left out, as an event and the event that it waited for. */
  readonly cut: Set<string>;
}

const SHOWN_MAX = 8;

const startOf = (item: number): number => 2 * item;
const endOf = (item: number): number => 2 * item + 1;
const itemOf = (event: number): number => event >> 1;
const isEnd = (event: number): boolean => event % 2 === 1;
const cutKey = (event: number, before: number): string => `${event} ${before}`;

/** Changes `needs`, and says which needs it left out. */
function cutNeedCycles(inPlan: readonly PlacedItem[], needs: NeedsOfItem): readonly ImportNote[] {
  const notes: ImportNote[] = [];
  const waits = waitsOf(inPlan, needs);
  const ready: number[] = [];
  for (let event = 0; event < nodeCount(waits.before); event += 1) if (waits.left[event] === 0) ready.push(event);
  let looked = 0;
  for (;;) {
    for (let event = ready.pop(); event !== undefined; event = ready.pop()) settle(waits, event, ready);
    // Only a start can wait for good by itself, and starts are looked at in the order of the file.
    while (looked < inPlan.length && (waits.left[startOf(looked)] ?? 0) < 0) looked += 1;
    if (looked === inPlan.length) return notes;
    notes.push(cutOne(waits, startOf(looked), ready));
  }
}

function waitsOf(items: readonly PlacedItem[], needs: NeedsOfItem): EventWaits {
  const indexOf = new Map(items.map((placed, index) => [placed, index]));
  const known = (placed: PlacedItem | undefined): readonly number[] => {
    const index = placed === undefined ? undefined : indexOf.get(placed);
    return index === undefined ? [] : [index];
  };
  const before = graphOf(
    items.flatMap((placed, index) => [
      [
        ...known(placed.parent).map(startOf),
        ...(needs.get(placed) ?? []).flatMap((needed) => known(needed).map(endOf)),
      ],
      [startOf(index), ...placed.children.flatMap((child) => known(child).map(endOf))],
    ]),
  );
  const left = Int32Array.from(
    { length: nodeCount(before) },
    (_, event) => (before.start[event + 1] ?? 0) - (before.start[event] ?? 0),
  );
  return { items, needs, before, after: reversed(before), left, cut: new Set() };
}

/** The event happens: everything that waits for it waits for one event less. */
function settle(waits: EventWaits, event: number, ready: number[]): void {
  const { after, cut } = waits;
  waits.left[event] = -1;
  for (const later of after.to.subarray(after.start[event], after.start[event + 1]))
    if (!cut.has(cutKey(later, event))) lessen(waits, later, ready);
}

function lessen({ left }: EventWaits, event: number, ready: number[]): void {
  const count = (left[event] ?? 0) - 1;
  left[event] = count;
  if (count === 0) ready.push(event);
}

/** Finds a cycle behind a start that waits for good, and leaves out the need of the first item on it. */
function cutOne(waits: EventWaits, stuck: number, ready: number[]): ImportNote {
  const { items, needs, before, left, cut } = waits;
  const cycle = cycleFrom(stuck, (event) =>
    before.to
      .subarray(before.start[event], before.start[event + 1])
      .find((each) => (left[each] ?? 0) >= 0 && !cut.has(cutKey(event, each))),
  );
  const onCycle = cycle.flatMap((event, index) => {
    const next = cycle[(index + 1) % cycle.length] ?? event;
    return !isEnd(event) && isEnd(next) ? [{ event, next }] : [];
  });
  const [first] = onCycle.toSorted((one, other) => one.event - other.event);
  assert(first !== undefined, 'Only needs can close a cycle.');
  cut.add(cutKey(first.event, first.next));
  const from = items[itemOf(first.event)];
  const to = items[itemOf(first.next)];
  assert(from !== undefined && to !== undefined, 'An event belongs to an item.');
  needs.set(
    from,
    (needs.get(from) ?? []).filter((needed) => needed !== to),
  );
  lessen(waits, first.event, ready);
  const keys = onCycle.map(({ event }) => items[itemOf(event)]?.item.key ?? '');
  return { ...from.item.place, says: sentence(from.item.key, to.item.key, keys) };
}

function sentence(from: string, to: string, cycle: readonly string[]): string {
  const shown = cycle.length <= SHOWN_MAX ? cycle : [...cycle.slice(0, SHOWN_MAX), '…'];
  return `${from} waits for ${to}, and they wait for each other in a cycle (${shown.join(', ')}); this need was left out.`;
}
