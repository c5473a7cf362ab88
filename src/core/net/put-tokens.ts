// Setting the tokens of a place by hand, for a caller that knows of a marking which no single firing leads to.
import { noticeGiven } from './enabled-set.ts';
import { addCount, setColours } from './marking.ts';
import type { Play } from './waits.ts';
import { forEachArc } from './walk-arcs.ts';

/** Makes these the tokens of a coloured place, whatever lay there. */
export function putTokens<C extends {}>(play: Play<C>, place: number, colours: readonly C[]): void {
  setColours(play.marking, place, colours);
  if (colours.length > 0) noticeGiven(play, place);
}

/** Takes what a transition takes of counted places, also where there is too little: the place owes it until it is back. */
export function takeCounted<C extends {}>({ net, marking }: Play<C>, transition: number): void {
  forEachArc(net.takes, transition, (place, weight) => {
    if (marking.counted[place] === 1) addCount(marking, place, -weight);
  });
}
