// Firing: a transition takes its tokens and gives others, all at once. Anyone may fire any enabled transition, in any
// order, watched or held or not; the enabled set only says what could be fired.

import { assert, at } from '../assert.ts';
import { isEnabled, noticeGiven } from './enabled-set.ts';
import { addCount, addToken, setColours, takeOldest } from './marking.ts';
import { forEachArc } from './walk-arcs.ts';
import type { Play } from './waits.ts';

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
