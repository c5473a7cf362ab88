// Divides the places of a net into sets, such that the transitions which change a set need nothing outside of it, and
// keeps those of them that are beside the flow.

import { at } from '../assert.ts';
import type { Arcs } from '../net/net.ts';
import type { FlatNet } from './search/flat-net.ts';

/** Visits each place that a firing leaves with another count. */
export function changesIn({ placeCount, takes, gives }: FlatNet) {
  // All zero between uses.
  const balance = new Int32Array(placeCount);
  const add = (arcs: Arcs, transition: number, sign: 1 | -1): void => {
    for (let arc = at(arcs.start, transition); arc < at(arcs.start, transition + 1); arc += 1) {
      const place = at(arcs.place, arc);
      balance[place] = at(balance, place) + sign * at(arcs.weight, arc);
    }
  };
  return (transition: number, visit: (place: number) => void): void => {
    add(takes, transition, -1);
    add(gives, transition, 1);
    for (const { start, place: places } of [takes, gives])
      for (let arc = at(start, transition); arc < at(start, transition + 1); arc += 1) {
        const place = at(places, arc);
        if (at(balance, place) === 0) continue;
        balance[place] = 0;
        visit(place);
      }
  };
}

/** Those that hold none of the ends of the flow. */
export function closedSets(flat: FlatNet, ends: readonly number[]): readonly (readonly number[])[] {
  const { placeCount, transitionCount, takes } = flat;
  const above = Int32Array.from({ length: placeCount }, (_, place) => place);
  const changes = changesIn(flat);
  const changedIn = new Int32Array(transitionCount).fill(-1);
  for (let transition = 0; transition < transitionCount; transition += 1)
    changes(transition, (place) => {
      if (at(changedIn, transition) >= 0) above[topOf(above, place)] = topOf(above, at(changedIn, transition));
      changedIn[transition] = place;
    });
  const isFlow = new Uint8Array(placeCount);
  for (const end of ends) isFlow[topOf(above, end)] = 1;
  // What changes by reading the flow belongs to it, and what changes by reading another set belongs to that one.
  const needed = neededBy(takes, changedIn, above);
  const pending = [...isFlow.keys()].filter((place) => isFlow[place] === 1);
  for (let top = pending.pop(); top !== undefined; top = pending.pop())
    for (const other of needed.get(top) ?? []) {
      if (isFlow[other] === 1) continue;
      isFlow[other] = 1;
      pending.push(other);
    }
  for (const [top, others] of needed)
    for (const other of others)
      if (isFlow[top] === 0 && isFlow[other] === 0) above[topOf(above, other)] = topOf(above, top);
  const sets = new Map<number, number[]>();
  for (let place = 0; place < placeCount; place += 1) {
    const top = topOf(above, place);
    if (isFlow[top] === 1) continue;
    const set = sets.get(top);
    if (set === undefined) sets.set(top, [place]);
    else set.push(place);
  }
  return [...sets.values()];
}

/** By set: the sets that transitions change which need something of it. */
function neededBy(takes: Arcs, changedIn: Int32Array, above: Int32Array): ReadonlyMap<number, readonly number[]> {
  const needed = new Map<number, number[]>();
  changedIn.forEach((changed, transition) => {
    if (changed < 0) return;
    const own = topOf(above, changed);
    for (let arc = at(takes.start, transition); arc < at(takes.start, transition + 1); arc += 1) {
      const top = topOf(above, at(takes.place, arc));
      if (top === own) continue;
      const users = needed.get(top);
      if (users === undefined) needed.set(top, [own]);
      else users.push(own);
    }
  });
  return needed;
}

function topOf(above: Int32Array, place: number): number {
  let top = place;
  while (at(above, top) !== top) {
    above[top] = at(above, at(above, top));
    top = at(above, top);
  }
  return top;
}
