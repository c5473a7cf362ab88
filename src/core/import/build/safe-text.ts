// Somebody else's words as words of a plan.
//
// T1. Nothing in them is taken for a template: what would begin one is written so that it prints itself.
// T2. Characters that no plan may hold are gone.

import { plural } from '../read/words.ts';

const FORBIDDEN =
  // oxlint's rule against control characters asks for them to be built, as in the reader of plans.
  new RegExp(
    '[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x84\\x86-\\x9F\\uFFFE\\uFFFF]|[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])|(?<![\\uD800-\\uDBFF])[\\uDC00-\\uDFFF]',
    'g',
  );

/** Longer prompts are cut, with a note; no agent reads more of one task. */
export const PROMPT_LENGTH_MAX = 100_000;
const DESCRIPTION_LENGTH_MAX = 300;
export const MARKUP = /\{[{%]/;

export const cleanText = (text: string): string => text.replace(/\r\n?/g, '\n').replace(FORBIDDEN, '');

/** Words that stand in a template as themselves. */
export const literal = (text: string): string => text.replace(/\{[{%]/g, (sign) => `{{ "${sign}" }}`);

export interface PromptText {
  readonly text: string;
  readonly cut: string | undefined;
}

/** A prompt of these words and no others; `fallback` when they say nothing. */
export function promptOf(words: string, fallback: string): PromptText {
  const clean = cleanText(words).trim();
  const kept = clean.slice(0, PROMPT_LENGTH_MAX).replace(/[\uD800-\uDBFF]$/, '');
  const cut =
    kept.length === clean.length ? undefined : `its words were cut after ${plural(PROMPT_LENGTH_MAX, 'character')}`;
  return { text: literal(kept === '' ? fallback : tidyLines(kept)), cut };
}

/** One line for people. */
export function descriptionOf(words: string | undefined): string | undefined {
  const line = cleanText(words ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  if (line === '') return undefined;
  return line.length <= DESCRIPTION_LENGTH_MAX
    ? line
    : `${line.slice(0, DESCRIPTION_LENGTH_MAX).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Without white space at the ends of lines, so that the plan shows them as lines. */
const tidyLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
