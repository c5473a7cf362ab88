// Rules for transitions that give back tokens that they take.

import { at } from '../../assert.ts';
import {
  arcAt,
  arcsOfPort,
  clearTransition,
  dockOf,
  giversOf,
  GIVES,
  isOrdinary,
  NONE,
  ORDINARY,
  portOf,
  SOURCE,
  takersOf,
  TAKES,
  transitionsOfDock,
  unlink,
  weightAt,
} from './linked-net.ts';
import { haveEqualPorts } from './twins.ts';
import type { ArcEnd, LinkedNet } from './linked-net.ts';

/** The number of transitions, or arcs of one transition, that a rule examines before it gives up. */
const LOOKED_AT_MOST = 16;

/**
 * Removes a transition that gives exactly the tokens it takes: it changes no marking. The transition must not be dead;
 * it is alive when another live transition takes or gives all the tokens that it needs.
 */
export function dropLoop(net: LinkedNet, transition: number): boolean {
  const takes = portOf(transition, TAKES);
  if (at(net.sizeOfPort, takes) === 0 || !haveEqualPorts(net, takes, portOf(transition, GIVES))) return false;
  const needs = arcsOfPort(net, takes);
  if (!needs.every(({ place }) => !isOrdinary(net, place) || giversOf(net, place) > 1)) return false;
  if (!isCovered(net, transition, needs)) return false;
  clearTransition(net, transition);
  return true;
}

function isCovered(net: LinkedNet, transition: number, needs: readonly ArcEnd[]): boolean {
  const [first] = needs;
  if (first === undefined) return false;
  return [TAKES, GIVES].some((side) =>
    firstTransitions(net, dockOf(first.place, side)).some(
      (other) =>
        other !== transition && needs.every(({ place, weight }) => weightAt(net, portOf(other, side), place) >= weight),
    ),
  );
}

function firstTransitions(net: LinkedNet, dock: number): number[] {
  const found: number[] = [];
  for (let arc = at(net.firstAtDock, dock); arc !== NONE; arc = at(net.nextAtDock, arc)) {
    found.push(at(net.port, arc) >> 1);
    if (found.length === LOOKED_AT_MOST) return found;
  }
  return found;
}

/**
 * Removes the reads of a transition when the takers of its only output place need all the read tokens anyway, and no
 * other transition takes its input tokens. The firing can then wait until just before that taker, when the read would
 * succeed. So with or without the read, the same markings can be reached from those in which the transition has not
 * fired.
 */
export function dropEarlyRead(net: LinkedNet, transition: number): boolean {
  const takes = portOf(transition, TAKES);
  const gives = portOf(transition, GIVES);
  const given = at(net.sizeOfPort, gives);
  if (given < 2 || given > LOOKED_AT_MOST || at(net.sizeOfPort, takes) > LOOKED_AT_MOST) return false;
  if (!readsAny(net, takes, gives)) return false;
  const read = arcsOfPort(net, gives).filter(({ place, weight }) => weightAt(net, takes, place) === weight);
  const [left, ...others] = arcsOfPort(net, gives).filter(({ place }) => !read.some((end) => end.place === place));
  if (left === undefined || others.length > 0 || read.length === 0) return false;
  if (left.weight !== 1 || !isOrdinary(net, left.place) || arcAt(net, takes, left.place) !== NONE) return false;
  const owned = arcsOfPort(net, takes).filter(({ place }) => !read.some((end) => end.place === place));
  if (owned.length === 0 || !owned.every((end) => isOwned(net, end))) return false;
  if (!areNeededByTakers(net, left.place, read)) return false;
  if (!read.every(({ place }) => !isOrdinary(net, place) || giversOf(net, place) > 1)) return false;
  for (const { place } of read) {
    unlink(net, arcAt(net, takes, place));
    unlink(net, arcAt(net, gives, place));
  }
  return true;
}

function readsAny(net: LinkedNet, takes: number, gives: number): boolean {
  for (let arc = at(net.firstAtPort, gives); arc !== NONE; arc = at(net.nextAtPort, arc)) {
    if (arcAt(net, takes, at(net.place, arc)) !== NONE) return true;
  }
  return false;
}

/** Whether the transition of this arc is the only taker of the place, and the place must be empty at the end. */
function isOwned(net: LinkedNet, { place, weight }: ArcEnd): boolean {
  const role = at(net.role, place);
  return weight === 1 && takersOf(net, place) === 1 && (role === ORDINARY || role === SOURCE);
}

function areNeededByTakers(net: LinkedNet, place: number, needs: readonly ArcEnd[]): boolean {
  if (takersOf(net, place) > LOOKED_AT_MOST) return false;
  return transitionsOfDock(net, dockOf(place, TAKES)).every((taker) =>
    needs.every((need) => weightAt(net, portOf(taker, TAKES), need.place) >= need.weight),
  );
}
