// Rules that remove one of two equivalent places or transitions.

import { at } from '../../assert.ts';
import { clearPlace, clearTransition, dockOf, GIVES, isOrdinary, NONE, portOf, TAKES, weightAt } from './linked-net.ts';
import type { LinkedNet } from './linked-net.ts';

/** Longer lists are not walked for a twin; the hash table finds it instead. */
const WALKED_MOST = 16;

/** The last place or transition seen with each hash; an overwritten entry only costs a reduction. */
export interface HashTable {
  readonly seen: Int32Array;
}

export function hashTable(room: number): HashTable {
  return { seen: new Int32Array(2 ** Math.ceil(Math.log2(room + 2))).fill(NONE) };
}

/** The first arc of the shortest of the given lists, with the length of that list. */
interface Anchor {
  readonly arc: number;
  readonly length: number;
}

/** Two transitions with equal inputs and outputs are one choice: either can replace the other. */
export function dropTwinTransition(net: LinkedNet, transition: number, table: HashTable): boolean {
  const port = portOf(transition, TAKES);
  if (at(net.sizeOfPort, port) === 0) return false;
  const anchor = shortestDock(net, port);
  const twin =
    anchor.length <= WALKED_MOST
      ? walkForTwinTransition(net, transition, anchor.arc)
      : lookUp(table, transition, {
          hash: at(net.hashOfPort, port) ^ Math.imul(at(net.hashOfPort, port + 1), 31),
          isTwin: (other) => areTwinTransitions(net, transition, other),
        });
  if (twin === NONE) return false;
  clearTransition(net, transition);
  return true;
}

function shortestDock(net: LinkedNet, port: number): Anchor {
  let found: Anchor = { arc: NONE, length: Number.MAX_SAFE_INTEGER };
  let looked = 0;
  for (let arc = at(net.firstAtPort, port); arc !== NONE && looked < WALKED_MOST; arc = at(net.nextAtPort, arc)) {
    const dock = dockOf(at(net.place, arc), TAKES);
    const length = at(net.sizeOfDock, dock);
    if (length < found.length) found = { arc: at(net.firstAtDock, dock), length };
    if (length === 1) return found;
    looked += 1;
  }
  return found;
}

function walkForTwinTransition(net: LinkedNet, transition: number, first: number): number {
  for (let arc = first; arc !== NONE; arc = at(net.nextAtDock, arc)) {
    const other = at(net.port, arc) >> 1;
    if (other !== transition && areTwinTransitions(net, transition, other)) return other;
  }
  return NONE;
}

const areTwinTransitions = (net: LinkedNet, one: number, other: number): boolean =>
  haveEqualPorts(net, portOf(one, TAKES), portOf(other, TAKES)) &&
  haveEqualPorts(net, portOf(one, GIVES), portOf(other, GIVES));

/** Whether two ports have the same places with the same weights. */
export function haveEqualPorts(net: LinkedNet, one: number, other: number): boolean {
  if (net.sizeOfPort[one] !== net.sizeOfPort[other] || net.hashOfPort[one] !== net.hashOfPort[other]) return false;
  for (let arc = at(net.firstAtPort, one); arc !== NONE; arc = at(net.nextAtPort, arc)) {
    if (weightAt(net, other, at(net.place, arc)) !== at(net.weight, arc)) return false;
  }
  return true;
}

/** Two places that start empty and have the same givers and takers always hold the same number of tokens. */
export function dropTwinPlace(net: LinkedNet, place: number, table: HashTable): boolean {
  if (!isOrdinary(net, place)) return false;
  const dock = dockOf(place, TAKES);
  const anchor = shortestPort(net, place);
  if (anchor.arc === NONE) return false;
  const twin =
    anchor.length <= WALKED_MOST
      ? walkForTwinPlace(net, place, anchor.arc)
      : lookUp(table, place, {
          hash: at(net.hashOfDock, dock) ^ Math.imul(at(net.hashOfDock, dock + 1), 31),
          isTwin: (other) => areTwinPlaces(net, place, other),
        });
  if (twin === NONE) return false;
  clearPlace(net, place);
  return true;
}

function shortestPort(net: LinkedNet, place: number): Anchor {
  const anchors = [TAKES, GIVES].map((side): Anchor => {
    const arc = at(net.firstAtDock, dockOf(place, side));
    if (arc === NONE) return { arc, length: Number.MAX_SAFE_INTEGER };
    const port = at(net.port, arc);
    return { arc: at(net.firstAtPort, port), length: at(net.sizeOfPort, port) };
  });
  return anchors.reduce((one, other) => (other.length < one.length ? other : one));
}

function walkForTwinPlace(net: LinkedNet, place: number, first: number): number {
  for (let arc = first; arc !== NONE; arc = at(net.nextAtPort, arc)) {
    const other = at(net.place, arc);
    if (other !== place && areTwinPlaces(net, place, other)) return other;
  }
  return NONE;
}

const areTwinPlaces = (net: LinkedNet, one: number, other: number): boolean =>
  isOrdinary(net, other) &&
  haveEqualDocks(net, dockOf(one, TAKES), dockOf(other, TAKES)) &&
  haveEqualDocks(net, dockOf(one, GIVES), dockOf(other, GIVES));

function haveEqualDocks(net: LinkedNet, one: number, other: number): boolean {
  if (net.sizeOfDock[one] !== net.sizeOfDock[other] || net.hashOfDock[one] !== net.hashOfDock[other]) return false;
  for (let arc = at(net.firstAtDock, one); arc !== NONE; arc = at(net.nextAtDock, arc)) {
    if (weightAt(net, at(net.port, arc), other >> 1) !== at(net.weight, arc)) return false;
  }
  return true;
}

interface SoughtTwin {
  readonly hash: number;
  readonly isTwin: (other: number) => boolean;
}

function lookUp({ seen }: HashTable, item: number, { hash, isTwin }: SoughtTwin): number {
  const slot = hash & (seen.length - 1);
  const other = at(seen, slot);
  if (other !== NONE && other !== item && isTwin(other)) return other;
  seen[slot] = item;
  return NONE;
}
