// Another tool's text as text of a plan.
//
// safe-text/T1. No part of the text is taken for a template: a template opening is written so that it prints itself.
// safe-text/T2. Characters that no plan may hold are removed.

import { countedText } from './text-pieces.ts';

const FORBIDDEN =
  // oxlint's rule against control characters asks for them to be built, as in the reader of plans.
  new RegExp(
    '[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x84\\x86-\\x9F\\uFFFE\\uFFFF]|[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])|(?<![\\uD800-\\uDBFF])[\\uDC00-\\uDFFF]',
    'g',
  );

/** Longer prompts are cut, with a note; no agent reads more of one task. */
const PROMPT_LENGTH_MAX = 100_000;
const DESCRIPTION_LENGTH_MAX = 300;
export const MARKUP = /\{[{%]/;

export const cleanImported = (text: string): string => text.replace(/\r\n?/g, '\n').replace(FORBIDDEN, '');

/** Escapes text so that a template prints it unchanged. */
export const literal = (text: string): string => text.replace(/\{[{%]/g, (sign) => `{{ "${sign}" }}`);

/** The start of a template is escaped by a template, and many thousands of those take a reader minutes. */
const MARKUP_MAX = 250;

export interface FittedText {
  readonly text: string;
  /** The fate of the text that did not fit, to follow the name of its source. */
  readonly cut: string | undefined;
}

/** Text cut to the length that one task may have. */
export function fitted(words: string): FittedText {
  const kept = words.slice(0, PROMPT_LENGTH_MAX).replace(/[\uD800-\uDBFF]$/, '');
  let begun = 0;
  const text = kept.replace(/\{(?=[{%])/g, (sign) => ((begun += 1) > MARKUP_MAX ? `${sign} ` : sign));
  const cuts = [
    kept.length === words.length ? [] : [`its words were cut after ${countedText(PROMPT_LENGTH_MAX, 'character')}`],
    begun <= MARKUP_MAX ? [] : [`after the first ${MARKUP_MAX} of its {{ and {% the rest are written apart, as { {`],
  ].flat();
  return { text, cut: cuts.length === 0 ? undefined : cuts.join('; ') };
}

/** A prompt of exactly this text; `fallback` when it is empty. */
export function promptOf(words: string, fallback: string): FittedText {
  const { text, cut } = fitted(cleanImported(words).trim());
  return { text: literal(text === '' ? fallback : tidyLines(text)), cut };
}

/** One line for people. */
export function descriptionOf(words: string | undefined): string | undefined {
  const line = cleanImported(words ?? '')
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
