// Rules that fuse consecutive transitions. Each states why soundness before it is equivalent to soundness after it.

import { at } from '../../assert.ts';
import {
  arcAt,
  arcsOfPort,
  clearPlace,
  clearTransition,
  dockOf,
  giversOf,
  GIVES,
  givesOf,
  isOrdinary,
  link,
  NONE,
  portOf,
  RESOURCE,
  SOURCE,
  takersOf,
  TAKES,
  takesOf,
  transitionsOfDock,
  unlink,
} from './linked-net.ts';
import type { ArcEnd, LinkedNet } from './linked-net.ts';

/**
 * Fuses givers and takers of a place whose takers have no other input. A token here can leave at once by any taker, so
 * every run can be reordered until each taker directly follows its giver, and the pair acts as one transition. Takers
 * must give to a place that counts at the end: a token that could vanish would hide a token that remains beside the
 * sink.
 */
export function fuseThroughPlace(net: LinkedNet, place: number): boolean {
  const givers = giversOf(net, place);
  const takers = takersOf(net, place);
  const isSimple = isOrdinary(net, place) && givers > 0 && takers > 0 && at(net.joined, place) === 0;
  if (!isSimple || (givers > 1 && takers > 1) || hasHeavyArcs(net, place)) return false;
  const after = transitionsOfDock(net, dockOf(place, TAKES));
  if (!after.every((taker) => leavesSomething(net, taker, place))) return false;
  const [only] = after;
  return takers === 1 && only !== undefined ? passThroughTaker(net, place, only) : passFromGiver(net, place, after);
}

const hasHeavyArcs = (net: LinkedNet, place: number): boolean =>
  at(net.heavyAtDock, dockOf(place, TAKES)) + at(net.heavyAtDock, dockOf(place, GIVES)) > 0;

function leavesSomething(net: LinkedNet, taker: number, place: number): boolean {
  const port = portOf(taker, GIVES);
  if (at(net.firstAtPort, port) === NONE || arcAt(net, port, place) !== NONE) return false;
  if (!net.hasResources) return true;
  return arcsOfPort(net, port).some((end) => at(net.role, end.place) !== RESOURCE);
}

/** One taker: its givers give the tokens of the taker. */
function passThroughTaker(net: LinkedNet, place: number, taker: number): boolean {
  const givers = transitionsOfDock(net, dockOf(place, GIVES));
  const [giver] = givers;
  const gives = givesOf(net, taker);
  const isLighter = giver !== undefined && givers.length === 1 && takesOf(net, giver) + givesOf(net, giver) < gives;
  if (isLighter) return passFromGiver(net, place, [taker]);
  if (!spendGrowth(net, (givers.length - 1) * (gives - 1))) return false;
  const ends = arcsOfPort(net, portOf(taker, GIVES));
  clearPlace(net, place);
  net.drainedBy[place] = taker;
  for (const each of givers) linkAll(net, portOf(each, GIVES), ends);
  clearTransition(net, taker);
  return true;
}

/** One giver: each taker performs the giver's firing first. */
function passFromGiver(net: LinkedNet, place: number, takers: readonly number[]): boolean {
  const giver = at(net.port, at(net.firstAtDock, dockOf(place, GIVES))) >> 1;
  if (!spendGrowth(net, (takers.length - 1) * (takesOf(net, giver) + givesOf(net, giver)))) return false;
  clearPlace(net, place);
  const takes = arcsOfPort(net, portOf(giver, TAKES));
  const gives = arcsOfPort(net, portOf(giver, GIVES));
  clearTransition(net, giver);
  net.isOnDemand[giver] = 1;
  for (const taker of takers) {
    linkAll(net, portOf(taker, TAKES), takes);
    linkAll(net, portOf(taker, GIVES), gives);
  }
  return true;
}

/**
 * Removes a transition with a single output place that is the only taker of its input places: the output place is
 * replaced by the input places. No other transition can use those tokens, so the firing can wait until the output is
 * needed. Each marking then corresponds to itself with every token of the output place read as one token of each input
 * place.
 */
export function delayTransition(net: LinkedNet, transition: number): boolean {
  const takes = portOf(transition, TAKES);
  const gives = portOf(transition, GIVES);
  const isPlain = at(net.sizeOfPort, gives) === 1 && at(net.sizeOfPort, takes) > 0 && at(net.shared, transition) === 0;
  if (!isPlain || at(net.heavyAtPort, takes) + at(net.heavyAtPort, gives) > 0) return false;
  const given = at(net.place, at(net.firstAtPort, gives));
  if (!isOrdinary(net, given) || arcAt(net, takes, given) !== NONE || takesResource(net, takes)) return false;
  if (at(net.sizeOfPort, takes) === 1) return fusePlaces(net, transition, given);
  return replacePlace(net, transition, given);
}

const takesResource = (net: LinkedNet, takes: number): boolean =>
  net.hasResources && arcsOfPort(net, takes).some((end) => at(net.role, end.place) === RESOURCE);

function fusePlaces(net: LinkedNet, transition: number, given: number): boolean {
  const taken = at(net.place, at(net.firstAtPort, portOf(transition, TAKES)));
  const isKept = at(net.role, taken) === SOURCE || degreeOf(net, taken) >= degreeOf(net, given);
  clearTransition(net, transition);
  net.isOnDemand[transition] = 1;
  if (isKept) movePlace(net, given, taken);
  else movePlace(net, taken, given);
  return true;
}

const degreeOf = (net: LinkedNet, place: number): number => giversOf(net, place) + takersOf(net, place);

function movePlace(net: LinkedNet, from: number, to: number): void {
  for (const side of [TAKES, GIVES]) {
    const dock = dockOf(from, side);
    for (let arc = at(net.firstAtDock, dock); arc !== NONE; arc = at(net.firstAtDock, dock)) {
      const port = at(net.port, arc);
      const weight = at(net.weight, arc);
      unlink(net, arc);
      link(net, port, { place: to, weight });
    }
  }
  clearPlace(net, from);
}

function replacePlace(net: LinkedNet, transition: number, given: number): boolean {
  const uses = degreeOf(net, given) - 1;
  const takes = takesOf(net, transition);
  const taker = at(net.firstAtDock, dockOf(given, TAKES));
  if (uses === 1 && taker !== NONE && at(net.weight, taker) === 1) return absorbTaker(net, transition, given);
  if (!spendGrowth(net, uses * (takes - 1) - takes)) return false;
  const ends = arcsOfPort(net, portOf(transition, TAKES));
  clearTransition(net, transition);
  net.isOnDemand[transition] = 1;
  for (const side of [TAKES, GIVES]) {
    const dock = dockOf(given, side);
    for (let arc = at(net.firstAtDock, dock); arc !== NONE; arc = at(net.firstAtDock, dock)) {
      const port = at(net.port, arc);
      const weight = at(net.weight, arc);
      unlink(net, arc);
      for (const { place } of ends) link(net, port, { place, weight });
    }
  }
  clearPlace(net, given);
  return true;
}

/** One giver, one taker: the one with fewer arcs hands them to the other, so a wide join is never copied. */
function absorbTaker(net: LinkedNet, transition: number, given: number): boolean {
  const taker = at(net.port, at(net.firstAtDock, dockOf(given, TAKES))) >> 1;
  clearPlace(net, given);
  const sizeOf = (of: number): number => takesOf(net, of) + givesOf(net, of);
  const [kept, handed] = sizeOf(taker) < sizeOf(transition) ? [transition, taker] : [taker, transition];
  const takes = arcsOfPort(net, portOf(handed, TAKES));
  const gives = arcsOfPort(net, portOf(handed, GIVES));
  clearTransition(net, handed);
  if (handed === transition) net.isOnDemand[transition] = 1;
  else net.drainedBy[given] = taker;
  linkAll(net, portOf(kept, TAKES), takes);
  linkAll(net, portOf(kept, GIVES), gives);
  return true;
}

function linkAll(net: LinkedNet, port: number, ends: readonly ArcEnd[]): void {
  for (const end of ends) link(net, port, end);
}

/** Keeps the reduction linear as a whole: all rules that copy arcs share one allowance. */
function spendGrowth(net: LinkedNet, arcs: number): boolean {
  if (arcs > net.growth) return false;
  net.growth -= Math.max(arcs, 0);
  return true;
}
