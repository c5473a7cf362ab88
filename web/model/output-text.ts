// The lines of an output that is read in pieces: new ones at its end, earlier ones before its start.
import { PLAIN_STYLE, readAnsiLine, type OutputSpan, type TerminalStyle } from './ansi-line.ts';

export interface OutputText {
  readonly lines: readonly string[];
  /** How many lines were put before the first since it was opened. */
  readonly before: number;
}

export const NO_OUTPUT: OutputText = { lines: [''], before: 0 };

/** More lines than this are not kept: those at the other end are dropped. */
export const LINES_MAX = 400_000;

/** The last line goes on with the first of the new text. */
export function appendText({ lines, before }: OutputText, text: string): OutputText {
  const [first = '', ...rest] = text.split('\n');
  const all = [...lines.slice(0, -1), `${lines.at(-1) ?? ''}${first}`, ...rest];
  const dropped = Math.max(0, all.length - LINES_MAX);
  return { lines: dropped === 0 ? all : all.slice(dropped), before: before - dropped };
}

export function prependText({ lines, before }: OutputText, text: string): OutputText {
  const earlier = text.split('\n');
  const last = earlier.pop() ?? '';
  const all = [...earlier, `${last}${lines[0] ?? ''}`, ...lines.slice(1)];
  return { lines: all.slice(0, LINES_MAX), before: before + earlier.length };
}

/** A colour may have begun some lines before. */
const LOOK_BACK = 200;

export function outputSpansOf(lines: readonly string[], index: number): readonly OutputSpan[] {
  let style: TerminalStyle = PLAIN_STYLE;
  for (const line of lines.slice(Math.max(0, index - LOOK_BACK), index)) {
    if (line.includes('\u001B[')) style = readAnsiLine(line, style).end;
  }
  return readAnsiLine(lines[index] ?? '', style).spans;
}

/** The numbers of the lines that hold a text, regardless of case. */
export function findLines(lines: readonly string[], words: string): readonly number[] {
  const wanted = words.toLowerCase();
  if (wanted === '') return [];
  return lines.flatMap((line, at) => (line.toLowerCase().includes(wanted) ? [at] : []));
}
