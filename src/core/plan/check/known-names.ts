// Suggests the nearest known name, at a cost that is bounded for the whole plan.

import { nearest } from '../language/nearest-name.ts';

/** Names compared in one plan; after that no more guesses are made. */
const COMPARISONS_MAX = 300_000;

export interface NameGuesses {
  /** The nearest of the candidates, or undefined. */
  nearestOf(word: string, candidates: readonly string[]): string | undefined;
}

export function makeNames(): NameGuesses {
  let left = COMPARISONS_MAX;
  return {
    nearestOf(word, candidates) {
      if (left <= 0 || word.length > 200) return undefined;
      left -= candidates.length;
      return nearest(word, candidates);
    },
  };
}

/** "`a`, `b` and `c`", or the first few of many. */
export function quotedList(names: readonly string[], none: string): string {
  if (names.length === 0) return none;
  const shown = names.slice(0, 8).map((name) => `\`${name}\``);
  return names.length > 8 ? `${shown.join(', ')} and ${names.length - 8} more` : shown.join(', ');
}
