// Takes out needs until nobody waits for itself by way of others.
//
// C1. A subplan begins before what is in it and ends after it, so a circle may lead through one.
// C2. Only needs that lie on a circle are taken out, one for each circle, in time that grows with the outline.

import { assert } from '../../assert.ts';
import type { Note } from './outline.ts';
import type { Placed } from './place-items.ts';

type Needs = Map<Placed, Placed[]>;

/** The beginning or the end of an item. */
interface Moment {
  readonly placed: Placed;
  readonly isEnd: boolean;
}

interface Edge {
  readonly from: Moment;
  readonly to: Moment;
}

interface Order {
  readonly needs: Needs;
  readonly moments: ReadonlyMap<Placed, { readonly begin: Moment; readonly end: Moment }>;
  /** How many moments each still waits for. */
  readonly waits: Map<Moment, number>;
  readonly after: Map<Moment, Moment[]>;
}

const SHOWN_MAX = 8;

/** Changes `needs`; says what it took out. */
export function cutNeedCycles(inPlan: readonly Placed[], needs: Needs): readonly Note[] {
  const notes: Note[] = [];
  const order = orderOf(inPlan, needs);
  const ready = [...order.waits].flatMap(([moment, count]) => (count === 0 ? [moment] : []));
  let looked = 0;
  for (;;) {
    for (let moment = ready.pop(); moment !== undefined; moment = ready.pop()) {
      order.waits.delete(moment);
      for (const next of order.after.get(moment) ?? []) settle(order, next, ready);
    }
    // Beginnings alone can be held up for good, and they are looked at in the order of the file.
    while (looked < inPlan.length && !isWaiting(order, inPlan[looked])) looked += 1;
    const stuck = inPlan[looked];
    if (stuck === undefined) return notes;
    notes.push(breakOne(order, stuck, ready));
  }
}

function orderOf(inPlan: readonly Placed[], needs: Needs): Order {
  const moments = new Map(
    inPlan.map((placed) => [placed, { begin: { placed, isEnd: false }, end: { placed, isEnd: true } }] as const),
  );
  const after = new Map<Moment, Moment[]>();
  const waits = new Map<Moment, number>();
  const order: Order = { needs, moments, waits, after };
  for (const { begin, end } of moments.values())
    for (const moment of [begin, end]) {
      const before = beforeOf(order, moment);
      waits.set(moment, before.length);
      for (const one of before) {
        const rest = after.get(one);
        if (rest === undefined) after.set(one, [moment]);
        else rest.push(moment);
      }
    }
  return order;
}

/** What must have come before a moment. */
function beforeOf({ moments, needs }: Order, { placed, isEnd }: Moment): readonly Moment[] {
  const at = (other: Placed | undefined) => (other === undefined ? undefined : moments.get(other));
  const found = isEnd
    ? [at(placed)?.begin, ...placed.children.map((child) => at(child)?.end)]
    : [at(placed.parent)?.begin, ...(needs.get(placed) ?? []).map((needed) => at(needed)?.end)];
  return found.filter((moment) => moment !== undefined);
}

function settle({ waits }: Order, moment: Moment, ready: Moment[]): void {
  const left = waits.get(moment);
  if (left === undefined) return;
  waits.set(moment, left - 1);
  if (left === 1) ready.push(moment);
}

const isWaiting = ({ moments, waits }: Order, placed: Placed | undefined): boolean => {
  const begin = placed === undefined ? undefined : moments.get(placed)?.begin;
  return begin !== undefined && waits.has(begin);
};

/** Walks back from what is stuck until it meets itself, and takes out the need of the first item on that circle. */
function breakOne(order: Order, stuck: Placed, ready: Moment[]): Note {
  const way: Moment[] = [];
  const seen = new Map<Moment, number>();
  let moment = order.moments.get(stuck)?.begin;
  while (moment !== undefined && !seen.has(moment)) {
    seen.set(moment, way.length);
    way.push(moment);
    moment = beforeOf(order, moment).find((before) => order.waits.has(before));
  }
  const circle = way.slice(moment === undefined ? 0 : seen.get(moment));
  const edges = circle.flatMap((one, at): readonly Edge[] => {
    const before = circle[(at + 1) % circle.length];
    return before !== undefined && !one.isEnd && before.isEnd ? [{ from: one, to: before }] : [];
  });
  const edge = edges.toSorted((left, right) => left.from.placed.index - right.from.placed.index)[0];
  assert(edge !== undefined, 'Nothing but needs can close a circle.');
  takeOut(order, edge);
  settle(order, edge.from, ready);
  return { ...edge.from.placed.item.place, says: sentence(edge, edges) };
}

function takeOut({ needs, after }: Order, { from, to }: Edge): void {
  needs.set(
    from.placed,
    (needs.get(from.placed) ?? []).filter((needed) => needed !== to.placed),
  );
  after.set(
    to,
    (after.get(to) ?? []).filter((moment) => moment !== from),
  );
}

function sentence({ from, to }: Edge, edges: readonly Edge[]): string {
  const keys = edges.map((edge) => edge.from.placed.item.key);
  const shown = keys.length <= SHOWN_MAX ? keys : [...keys.slice(0, SHOWN_MAX), '…'];
  return `${from.placed.item.key} waits for ${to.placed.item.key}, and they wait for each other in a circle (${shown.join(', ')}); this need was left out.`;
}
