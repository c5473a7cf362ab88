// The enabled set, kept by watched places.
//
// To know that a transition is disabled, one place that lacks tokens for it is proof enough. So each disabled
// transition *waits on* one such place and is looked at again only when that place is given tokens. A firing then
// costs what it touches, however many transitions there are and however many of them want the same pool.
//
// Giving a token to a place wakes only the first waiting transition, by priority, for which the tokens suffice: one
// token cannot serve all. The woken transition becomes *ready* and remembers the place. If it lacks another token, it
// waits on that place instead, and the place that woke it wakes the next. A ready transition is checked only at the top
// of the ready heap, so taking tokens away meanwhile costs nothing.
//
// enabled-set/W1. A watched transition is in exactly one heap: the ready heap, or one of a place that lacked tokens for
//   it when it went there; or in none, and then it is held.
// enabled-set/W2. If a place has tokens enough for some who wait on it, then a transition woken by that place is in the
//   ready heap and ranks before all of them. So the top of the ready heap, once found to be enabled, ranks before every
//   enabled transition.
// enabled-set/W3. A held transition, postponed or deferred, is never reported. It may still be in a heap, and leaves it
//   when it comes to the top of the ready heap, passing the wake on like one that lacks a token.

import { assert, at } from '../assert.ts';
import { pop, push, topItem, topKey } from '../graph/heap.ts';
import { leastOfFirst, setKey } from '../graph/least-of-first.ts';
import { AWAY, NOWHERE, READY, weightsWithin } from './waits.ts';
import { weightOf } from './walk-arcs.ts';
import type { Arcs } from './net.ts';
import type { Play } from './waits.ts';

/** Whether every place holds the tokens that the transition takes or reads, by the marking alone. */
export function isEnabled<C extends {}>(play: Play<C>, transition: number): boolean {
  const { net, marking } = play;
  return suffices(net.takes, transition, marking.counts) && suffices(net.reads, transition, marking.counts);
}

/** The first in the order of priority of the watched transitions that are enabled and not held. */
export function nextEnabled<C extends {}>(play: Play<C>): number | undefined {
  const { waits } = play;
  const { heaps, ready } = waits;
  for (let transition = topItem(heaps, ready); transition >= 0; transition = topItem(heaps, ready)) {
    const isHeld = waits.held[transition] === 1;
    const lacking = isHeld ? NOWHERE : lackingPlace(play, transition);
    if (!isHeld && lacking === NOWHERE) return transition;
    pop(heaps, ready);
    if (isHeld) waits.waitsOn[transition] = AWAY;
    else park(play, transition, lacking);
    const waker = at(waits.wokenBy, transition);
    waits.wokenBy[transition] = NOWHERE;
    if (waker !== NOWHERE) wake(play, waker);
  }
  return undefined;
}

/** All that `nextEnabled` could report, in that order. It asks every transition, so it is for people and for tests. */
export function enabled<C extends {}>(play: Play<C>): readonly number[] {
  const { watched, held, byRank } = play.waits;
  const isReported = (transition: number): boolean =>
    watched[transition] === 1 && held[transition] === 0 && isEnabled(play, transition);
  return Array.from(byRank.filter(isReported));
}

/** Takes a transition out of the set until `place` is next given a token, for a colour that says "not yet". */
export function postpone<C extends {}>(play: Play<C>, transition: number, place: number): void {
  const { waits } = play;
  defer(play, transition);
  const others = waits.postponed.get(place);
  if (others === undefined) waits.postponed.set(place, new Set([transition]));
  else others.add(transition);
  waits.postponedOn[transition] = place;
}

/** Takes a transition out of the set until `restore`, for what no token can say: time, money. */
export function defer<C extends {}>(play: Play<C>, transition: number): void {
  const { waits } = play;
  assert(waits.watched[transition] === 1, 'Only a watched transition can be taken out of the enabled set.');
  forgetPostponed(play, transition);
  waits.held[transition] = 1;
}

/** Puts a deferred or postponed transition back; it is reported again as soon as it is enabled. */
export function restoreTransition<C extends {}>(play: Play<C>, transition: number): void {
  const { waits } = play;
  if (waits.held[transition] !== 1) return;
  forgetPostponed(play, transition);
  waits.held[transition] = 0;
  if (waits.waitsOn[transition] === AWAY) makeReady(play, transition, NOWHERE);
}

/** Must be called whenever a place has been given tokens. */
export function noticeGiven<C extends {}>(play: Play<C>, place: number): void {
  const { postponed } = play.waits;
  const waiting = postponed.size === 0 ? undefined : postponed.get(place);
  if (waiting !== undefined) for (const transition of waiting) restoreTransition(play, transition);
  wake(play, place);
}

/** Finds every watched transition its first heap. */
export function parkAll<C extends {}>(play: Play<C>): void {
  const { watched } = play.waits;
  for (let transition = 0; transition < watched.length; transition += 1) {
    if (watched[transition] !== 1) continue;
    const lacking = lackingPlace(play, transition);
    if (lacking === NOWHERE) makeReady(play, transition, NOWHERE);
    else park(play, transition, lacking);
  }
}

function makeReady<C extends {}>({ waits }: Play<C>, transition: number, waker: number): void {
  waits.waitsOn[transition] = READY;
  waits.wokenBy[transition] = waker;
  push(waits.heaps, waits.ready, transition, at(waits.rank, transition));
}

function park<C extends {}>(play: Play<C>, transition: number, place: number): void {
  const { net, waits } = play;
  waits.waitsOn[transition] = place;
  const rank = at(waits.rank, transition);
  const weighted = waits.byWeight.get(place);
  if (weighted === undefined) {
    push(waits.heaps, place, transition, rank);
    return;
  }
  const weight = weightOf(net.takes, transition, place) || weightOf(net.reads, transition, place);
  const slot = weightsWithin(weighted, weight) - 1;
  const heap = at(weighted.heaps, slot);
  push(waits.heaps, heap, transition, rank);
  if (topKey(waits.heaps, heap) === rank) setKey(weighted.tops, slot, rank);
}

/** Makes ready the first transition that waits on the place and for which its tokens suffice. */
function wake<C extends {}>(play: Play<C>, place: number): void {
  const { marking, waits } = play;
  const count = at(marking.counts, place);
  if (count <= 0) return;
  const weighted = waits.byWeight.get(place);
  if (weighted === undefined) {
    if (waits.heaps.size[place] !== 0) makeReady(play, pop(waits.heaps, place), place);
    return;
  }
  const slot = leastOfFirst(weighted.tops, weightsWithin(weighted, count));
  if (slot < 0) return;
  const heap = at(weighted.heaps, slot);
  const transition = pop(waits.heaps, heap);
  setKey(weighted.tops, slot, topKey(waits.heaps, heap));
  makeReady(play, transition, place);
}

function forgetPostponed<C extends {}>({ waits }: Play<C>, transition: number): void {
  const place = at(waits.postponedOn, transition);
  if (place === NOWHERE) return;
  waits.postponedOn[transition] = NOWHERE;
  const others = waits.postponed.get(place);
  others?.delete(transition);
  if (others?.size === 0) waits.postponed.delete(place);
}

/**
 * A place that lacks tokens for the transition. Coloured places come before counted ones: they belong to one
 * transition, while a pool is shared, and fewer transitions waiting on a pool means fewer needless wake-ups.
 */
function lackingPlace<C extends {}>(play: Play<C>, transition: number): number {
  const { net, marking } = play;
  const taken = lackingTaken(play, transition);
  if (taken !== NOWHERE && marking.counted[taken] === 0) return taken;
  const read = lackingOf(net.reads, transition, marking);
  return read !== NOWHERE && (taken === NOWHERE || marking.counted[read] === 0) ? read : taken;
}

/**
 * Scans the arcs from the one that was last found lacking, and wraps round. Otherwise a transition that waits for very
 * many places, such as the end of a large run, would scan all filled places again at every token that arrives.
 */
function lackingTaken<C extends {}>({ net, marking, waits }: Play<C>, transition: number): number {
  const { start, place, weight } = net.takes;
  const first = at(start, transition);
  const end = at(start, transition + 1);
  let lacking = NOWHERE;
  let arc = first + at(waits.lookFrom, transition);
  for (let looked = first; looked < end; looked += 1) {
    const taken = at(place, arc);
    if (at(marking.counts, taken) < at(weight, arc)) {
      if (marking.counted[taken] === 0) {
        waits.lookFrom[transition] = arc - first;
        return taken;
      }
      lacking = taken;
    }
    arc = arc + 1 === end ? first : arc + 1;
  }
  return lacking;
}

function lackingOf(
  arcs: Arcs,
  transition: number,
  marking: { readonly counts: Int32Array; readonly counted: Uint8Array },
): number {
  const end = at(arcs.start, transition + 1);
  let lacking = NOWHERE;
  for (let arc = at(arcs.start, transition); arc < end; arc += 1) {
    const place = at(arcs.place, arc);
    if (at(marking.counts, place) >= at(arcs.weight, arc)) continue;
    if (marking.counted[place] === 0) return place;
    lacking = place;
  }
  return lacking;
}

function suffices(arcs: Arcs, transition: number, counts: Int32Array): boolean {
  const end = at(arcs.start, transition + 1);
  for (let arc = at(arcs.start, transition); arc < end; arc += 1) {
    if (at(counts, at(arcs.place, arc)) < at(arcs.weight, arc)) return false;
  }
  return true;
}
