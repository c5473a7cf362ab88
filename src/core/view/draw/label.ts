// Text from plans, agents and programs, made safe to draw: one line, or line by line, without terminal control sequences, bidirectional controls or
// characters that XML forbids, and cut to a length.
import { onceAsked } from '../../plan/expressions/bounded-cache.ts';

const LINE_END = /\r\n|[\n\r\u0085\u2028\u2029]/u;
/** Terminal control sequences: colours, cursor movements, titles, links. */
const STEERING = new RegExp(
  [
    '\\u001B\\][^\\u0007\\u001B]*(?:\\u0007|\\u001B\\\\)',
    '(?:\\u001B\\[|\\u009B)[0-?]*[ -/]*[@-~]',
    '\\u001B[ -/]*[0-~]',
  ].join('|'),
  'gu',
);

/** The text as a single line. */
export const plainLine = (text: string): string => cleanLine(text.replace(STEERING, ''));

export const cleanText = (text: string): string =>
  text
    .replace(STEERING, '')
    .split(LINE_END)
    .map((line) => {
      const indent = /^[ \t]*/u.exec(line)?.[0].replaceAll('\t', '  ') ?? '';
      return `${indent}${cleanLine(line)}`.trimEnd();
    })
    .join('\n');

// Control characters would steer a terminal, bidirectional controls would make a label read as another one, and
// U+FFFE and U+FFFF are no XML characters. Tabs and line breaks have become spaces before.
const UNSAFE = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/gu;
const SPACES = /[\s\u0085\u2028\u2029]+/gu;

/** Code units per character of a label that are looked at: emoji sequences are long, and labels may be endless. */
const UNITS_PER_CHARACTER = 16;

/** Most labels are plain and need no Unicode segmentation. */
const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/u;

// Letters of Latin, dashes, quotes, arrows, boxes and ticks: each is a character of its own, whatever follows it.
const SINGLE = /^[ -~\u00A1-\u02FF\u2010-\u2027\u2190-\u21FF\u2500-\u25FF\u2700-\u27BF]*$/u;

const segmenter = onceAsked(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** The characters a person sees, each with all its marks. */
export function graphemesOf(text: string): string[] {
  if (SINGLE.test(text)) return text.split('');
  return Array.from(segmenter().segment(text), (part) => part.segment);
}

/** One line without controls; characters that cannot be drawn become the replacement character. */
export function cleanLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  return text.toWellFormed().replace(SPACES, ' ').replace(UNSAFE, '\uFFFD').trim();
}

/** A clean line of at most `charactersMax` characters; a longer one ends with an ellipsis. */
export function shorten(text: string, charactersMax: number): string {
  const unitsMax = charactersMax * UNITS_PER_CHARACTER;
  const line = cleanLine(text.slice(0, unitsMax));
  if (text.length <= charactersMax) return line;
  const characters = graphemesOf(line);
  if (characters.length <= charactersMax && text.length <= unitsMax) return line;
  return `${characters
    .slice(0, Math.max(0, charactersMax - 1))
    .join('')
    .trimEnd()}…`;
}

/** Breaks a text at spaces into at most `linesMax` lines of about `charactersMax` characters. */
export function wrap(text: string, charactersMax: number, linesMax: number): string[] {
  const words = shorten(text, charactersMax * linesMax).split(' ');
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length > charactersMax && lines.length < linesMax - 1) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, shorten(line, charactersMax)];
}
