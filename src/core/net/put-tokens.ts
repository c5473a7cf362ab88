// Setting the tokens of a place by hand, for a caller that knows of a marking which no single firing leads to.
import { noticeGiven } from './enabled-set.ts';
import { setColours } from './marking.ts';
import type { Play } from './waits.ts';

/** Makes these the tokens of a coloured place, whatever lay there. */
export function putTokens<C extends {}>(play: Play<C>, place: number, colours: readonly C[]): void {
  setColours(play.marking, place, colours);
  if (colours.length > 0) noticeGiven(play, place);
}
