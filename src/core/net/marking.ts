// The tokens on the places of a net in play, changed in place because every firing goes through here.
//
// marking/M1. `counts` says how many tokens each place holds. It is negative only for a counted place that became
//   smaller while more were held of it than it has left, until they are given back.
// marking/M2. A coloured place holds as many colours as it counts; a counted place holds none.
// marking/M3. Colours keep the order in which they were given, so the oldest is taken first.

import { at } from '../assert.ts';
import type { Net } from './net.ts';

export interface Marking<C> {
  readonly counts: Int32Array;
  readonly counted: Uint8Array;
  /** By place: its oldest colour. Most places never hold a second one, so they need no list. */
  readonly oldest: (C | undefined)[];
  /** By place: the colours after the oldest, of places that ever held more than one. */
  readonly later: Map<number, ColourQueue<C>>;
}

/** A queue of colours; those before `head` have left it. */
interface ColourQueue<C> {
  items: C[];
  head: number;
}

export function firstMarking<C extends {}>(net: Net, colour: (place: number) => C): Marking<C> {
  const { counted, places, initial } = net;
  const oldest = Array.from<C | undefined>({ length: places.length }).fill(undefined);
  const marking = { counts: new Int32Array(places.length), counted, oldest, later: new Map<number, ColourQueue<C>>() };
  for (let place = 0; place < places.length; place += 1) {
    const tokens = at(initial, place);
    if (counted[place] === 1) addCount(marking, place, tokens);
    else for (let token = 0; token < tokens; token += 1) addToken(marking, place, colour(place));
  }
  return marking;
}

export function addCount<C>(marking: Marking<C>, place: number, tokens: number): void {
  marking.counts[place] = at(marking.counts, place) + tokens;
}

export function addToken<C>(marking: Marking<C>, place: number, colour: C): void {
  const count = at(marking.counts, place);
  marking.counts[place] = count + 1;
  if (count === 0) marking.oldest[place] = colour;
  else addLater(marking, place, colour);
}

/** Takes the oldest token of a coloured place that is not empty. */
export function takeOldest<C extends {}>(marking: Marking<C>, place: number): C | undefined {
  const count = at(marking.counts, place) - 1;
  const colour = marking.oldest[place];
  marking.counts[place] = count;
  marking.oldest[place] = count === 0 ? undefined : takeLater(marking, place);
  return colour;
}

/** The colours at a place, oldest first; none at a counted place. */
export function coloursAt<C extends {}>(marking: Marking<C>, place: number): readonly C[] {
  const first = marking.oldest[place];
  if (first === undefined) return [];
  const line = marking.later.get(place);
  return line === undefined ? [first] : [first, ...line.items.slice(line.head)];
}

/** Puts other colours at a coloured place, oldest first. */
export function setColours<C extends {}>(marking: Marking<C>, place: number, colours: readonly C[]): void {
  marking.counts[place] = colours.length;
  marking.oldest[place] = colours[0];
  marking.later.delete(place);
  if (colours.length > 1) marking.later.set(place, { items: colours.slice(1), head: 0 });
}

function addLater<C>(marking: Marking<C>, place: number, colour: C): void {
  const line = marking.later.get(place);
  if (line === undefined) marking.later.set(place, { items: [colour], head: 0 });
  else line.items.push(colour);
}

/** Advances the head, and drops the items before it once they are half of the array: constant amortised time. */
function takeLater<C>(marking: Marking<C>, place: number): C | undefined {
  const line = marking.later.get(place);
  if (line === undefined) return undefined;
  const colour = line.items[line.head];
  line.head += 1;
  if (line.head * 2 >= line.items.length) {
    line.items = line.items.slice(line.head);
    line.head = 0;
  }
  return colour;
}
