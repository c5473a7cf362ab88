// Firing: a transition takes its tokens and gives others, all at once. Anyone may fire any enabled transition, in any
// order, watched or held or not; the enabled set only says what could be fired.

import { assert, at } from '../assert.ts';
import { isEnabled, noticeGiven } from './enabled-set.ts';
import { addCount, addToken, coloursAt, setColours, takeOldest } from './marking.ts';
import { forEachArc } from './walk-arcs.ts';
import type { Marking } from './marking.ts';
import type { Play } from './waits.ts';

/** A token that a firing took from a coloured place. */
export interface TakenTokens<C> {
  readonly place: number;
  readonly colour: C;
}

export interface Taking<C> {
  /** The colour of every given token. */
  readonly colour: C;
  /** Preference for a token: the highest is taken first, the oldest among equals, `undefined` never. */
  readonly choose?: (colour: C, place: number) => number | undefined;
}

/** Fires a transition that is enabled, taking the oldest tokens. */
export function fire<C extends {}>(play: Play<C>, transition: number, colour: C): void {
  refuseDisabled(play, transition);
  const { net, marking } = play;
  const { start, place, weight } = net.takes;
  const end = at(start, transition + 1);
  for (let arc = at(start, transition); arc < end; arc += 1) {
    const from = at(place, arc);
    const tokens = at(weight, arc);
    if (marking.counted[from] === 1) addCount(marking, from, -tokens);
    else for (let token = 0; token < tokens; token += 1) takeOldest(marking, from);
  }
  give(play, transition, colour);
}

/** Fires a transition that is enabled, taking the tokens that the caller chooses, and returns them. */
export function fireTaking<C extends {}>(
  play: Play<C>,
  transition: number,
  taking: Taking<C>,
): readonly TakenTokens<C>[] {
  refuseDisabled(play, transition);
  const { net, marking } = play;
  const choices: Choice<C>[] = [];
  forEachArc(net.takes, transition, (place, weight) => choices.push(chosen(marking, { place, weight }, taking)));
  for (const { place, weight, left } of choices) {
    if (marking.counted[place] === 1) addCount(marking, place, -weight);
    else setColours(marking, place, left);
  }
  give(play, transition, taking.colour);
  return choices.flatMap(({ place, taken }) => taken.map((colour) => ({ place, colour })));
}

interface Choice<C> {
  readonly place: number;
  readonly weight: number;
  readonly taken: readonly C[];
  readonly left: readonly C[];
}

function chosen<C extends {}>(
  marking: Marking<C>,
  { place, weight }: { readonly place: number; readonly weight: number },
  { choose = () => 0 }: Taking<C>,
): Choice<C> {
  if (marking.counted[place] === 1) return { place, weight, taken: [], left: [] };
  const colours = coloursAt(marking, place);
  const wishes = colours.map((colour, index) => ({ colour, index, wish: choose(colour, place) }));
  const willing = wishes.flatMap(({ colour, index, wish }) => (wish === undefined ? [] : [{ colour, index, wish }]));
  assert(willing.length >= weight, `The caller must choose ${weight} tokens of place ${place}.`);
  willing.sort((left, right) => right.wish - left.wish || left.index - right.index);
  const taken = willing.slice(0, weight);
  const gone = new Set(taken.map(({ index }) => index));
  return {
    place,
    weight,
    taken: taken.map(({ colour }) => colour),
    left: colours.filter((_, index) => !gone.has(index)),
  };
}

function give<C extends {}>(play: Play<C>, transition: number, colour: C): void {
  const { net, marking } = play;
  const { start, place, weight } = net.gives;
  const end = at(start, transition + 1);
  for (let arc = at(start, transition); arc < end; arc += 1) {
    const to = at(place, arc);
    const tokens = at(weight, arc);
    if (marking.counted[to] === 1) addCount(marking, to, tokens);
    else for (let token = 0; token < tokens; token += 1) addToken(marking, to, colour);
    noticeGiven(play, to);
  }
}

/** The sentence is made only when it is needed: firing is the hottest path there is. */
function refuseDisabled<C extends {}>(play: Play<C>, transition: number): void {
  if (isEnabled(play, transition)) return;
  const { net, marking } = play;
  const missing: string[] = [];
  for (const arcs of [net.takes, net.reads]) {
    forEachArc(arcs, transition, (place, weight) => {
      const count = at(marking.counts, place);
      if (count < weight) missing.push(`${net.places[place]?.id} has ${count} of ${weight}`);
    });
  }
  assert(false, `Transition ${net.transitions[transition]?.id} cannot fire: ${missing.join(', ')}.`);
}

/** Sets the tokens of a coloured place, for a caller with a marking that no single firing leads to. */
export function putTokens<C extends {}>(play: Play<C>, place: number, colours: readonly C[]): void {
  setColours(play.marking, place, colours);
  if (colours.length > 0) noticeGiven(play, place);
}

/** Takes a transition's tokens of counted places, even below zero: the place owes them until they are given back. */
export function takeCounted<C extends {}>({ net, marking }: Play<C>, transition: number): void {
  forEachArc(net.takes, transition, (place, weight) => {
    if (marking.counted[place] === 1) addCount(marking, place, -weight);
  });
}
