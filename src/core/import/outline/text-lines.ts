// The lines of a Markdown text, without front matter and comments, and with fenced code marked.
export interface TextLine {
  /** Counted from 1. */
  readonly number: number;
  /** Offset of its first character. */
  readonly start: number;
  readonly text: string;
  /** Columns of white space before the first sign; a tab goes to the next column of four. */
  readonly indent: number;
  /** Inside a fence of code: kept as words, never read as a heading or a task. */
  readonly isCode: boolean;
}

export interface CheckBox {
  readonly line: TextLine;
  readonly indent: number;
  readonly isTicked: boolean;
  /** In a numbered list. */
  readonly isNumbered: boolean;
  readonly words: string;
  /** Offset of the sign between the brackets. */
  readonly at: number;
}

const TAB_COLUMNS = 4;
const BOX = /^(\s*)(?:[-*+]|(\d+)[.)])[ \t]+\[([ xX])\](?:[ \t]+(.*)|$)/;
const FENCE = /^\s*(`{3,}|~{3,})/;

/** Every line that is to be read; a comment leaves its lines empty, so that numbers stay true. */
export function linesOf(text: string): readonly TextLine[] {
  const lines: TextLine[] = [];
  let fence: string | undefined;
  let isComment = false;
  for (const { raw, start, number } of rawLines(text)) {
    const stripped: Stripped = fence === undefined ? withoutComment(raw, isComment) : { text: raw, isOpen: false };
    isComment = stripped.isOpen;
    const mark = FENCE.exec(stripped.text)?.[1];
    const isFence = mark !== undefined && (fence === undefined || mark.startsWith(fence));
    const isCode = fence !== undefined || isFence;
    if (isFence) fence = fence === undefined ? mark : undefined;
    lines.push({ number, start, text: stripped.text, indent: indentOf(stripped.text), isCode });
  }
  return withoutFrontMatter(lines);
}

export const headingOf = ({
  text,
  isCode,
}: TextLine): { readonly level: number; readonly words: string } | undefined => {
  const found = isCode ? null : /^ {0,3}(#{1,6})[ \t](.*)$/.exec(text);
  const words = withoutSigns((found?.[2] ?? '').trim(), '#').trim();
  return found === null || words === '' ? undefined : { level: (found[1] ?? '').length, words };
};

/** Signs at the end of a heading close it. A loop, since a pattern takes long over a long row of them. */
function withoutSigns(words: string, sign: string): string {
  let end = words.length;
  while (words.charAt(end - 1) === sign) end -= 1;
  return words.slice(0, end);
}

export function checkBoxOf(line: TextLine): CheckBox | undefined {
  const found = line.isCode ? null : BOX.exec(line.text);
  if (found === null) return undefined;
  const words = (found[4] ?? '').trim();
  return {
    line,
    indent: line.indent,
    isTicked: found[3] !== ' ',
    isNumbered: found[2] !== undefined,
    words,
    at: line.start + line.text.indexOf('[') + 1,
  };
}

function* rawLines(text: string): Generator<{ readonly raw: string; readonly start: number; readonly number: number }> {
  const breaks = /\r\n|\n|\r/g;
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let number = 1; ; number += 1) {
    breaks.lastIndex = start;
    const found = breaks.exec(text);
    yield { raw: text.slice(start, found?.index ?? text.length), start, number };
    if (found === null) return;
    start = found.index + found[0].length;
  }
}

interface Stripped {
  readonly text: string;
  /** Whether a comment goes on in the next line. */
  readonly isOpen: boolean;
}

/** The line with its comments blanked, so that offsets stay valid. */
function withoutComment(raw: string, isOpenBefore: boolean): Stripped {
  let text = '';
  let isOpen = isOpenBefore;
  let at = 0;
  while (at < raw.length) {
    const next = raw.indexOf(isOpen ? '-->' : '<!--', at);
    const until = next === -1 ? raw.length : next + (isOpen ? 3 : 0);
    text += isOpen ? ' '.repeat(until - at) : raw.slice(at, until);
    if (next !== -1) isOpen = !isOpen;
    at = until;
  }
  return { text, isOpen };
}

function indentOf(text: string): number {
  let columns = 0;
  for (const sign of text) {
    if (sign === '\t') columns += TAB_COLUMNS - (columns % TAB_COLUMNS);
    else if (sign === ' ') columns += 1;
    else return columns;
  }
  return columns;
}

function withoutFrontMatter(lines: readonly TextLine[]): readonly TextLine[] {
  if (lines[0]?.text.trimEnd() !== '---') return lines;
  const end = lines.findIndex(({ text }, at) => at > 0 && text.trimEnd() === '---');
  return end === -1 ? lines : lines.slice(end + 1);
}

export type LineOf = (offset: number) => number;

/** A line ends at `\n`, at `\r\n` and at a lone `\r`. */
export function lineFinder(text: string): LineOf {
  const starts = [0];
  const breaks = /\r\n|\n|\r/g;
  for (let found = breaks.exec(text); found !== null; found = breaks.exec(text)) starts.push(breaks.lastIndex);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

export function columnOf(text: string, offset: number): number {
  const before = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1));
  return offset - before;
}
