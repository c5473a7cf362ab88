// A line of a program's output as spans of text with a style. Colours of a terminal become names of styles; every other
// escape is dropped, and marks that turn the direction of text are shown, so that nothing hides what it says.
//
// ansi-line/L1. The text of all spans is the visible text: it holds no escape and no control character.
import { markDirections } from './unseen-marks.ts';

export interface TerminalStyle {
  /** 0 to 15, as a terminal counts its colours. */
  readonly colour: number | undefined;
  readonly isBold: boolean;
  readonly isFaint: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
}

export interface OutputSpan {
  readonly text: string;
  readonly style: TerminalStyle;
  /** A mark instead of something that cannot be seen. */
  readonly isMark: boolean;
}

export interface AnsiLine {
  readonly spans: readonly OutputSpan[];
  /** The style that the next line begins with. */
  readonly end: TerminalStyle;
}

export const PLAIN_STYLE: TerminalStyle = {
  colour: undefined,
  isBold: false,
  isFaint: false,
  isItalic: false,
  isUnderlined: false,
};

/** Longer lines are cut. */
export const LINE_CHARACTERS_MAX = 4000;

const ESC = String.fromCodePoint(0x1b);
const BELL = String.fromCodePoint(0x07);

/** Colour; other control sequences; strings to the terminal such as titles and links; short escapes. */
const ESCAPES = new RegExp(
  [
    `${ESC}\\[([\\d;:]*)m`,
    `${ESC}\\[[0-?]*[ -/]*[@-~]?`,
    `${ESC}[\\]PX^_][^${BELL}${ESC}]*(?:${BELL}|${ESC}\\\\|$)?`,
    `${ESC}[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);

/** `start` is the style at the end of the line before. */
export function readAnsiLine(line: string, start: TerminalStyle): AnsiLine {
  // What a program wrote over is gone, as in a terminal.
  const written = line.replace(/\r+$/, '');
  const shown = written.slice(written.lastIndexOf('\r') + 1);
  const cut = shown.length > LINE_CHARACTERS_MAX ? shown.slice(0, LINE_CHARACTERS_MAX) : shown;
  const spans: OutputSpan[] = [];
  let style = start;
  let at = 0;
  for (const found of cut.matchAll(ESCAPES)) {
    pushText(spans, cut.slice(at, found.index), style);
    at = found.index + found[0].length;
    if (found[1] !== undefined) style = restyled(style, found[1]);
  }
  pushText(spans, cut.slice(at), style);
  if (cut.length < shown.length) {
    const text = ` … ${shown.length - cut.length} more characters`;
    spans.push({ text, style: PLAIN_STYLE, isMark: true });
  }
  return { spans, end: style };
}

const TAB = 9;
const SPACE = 32;
const DELETE = 127;

function pushText(spans: OutputSpan[], text: string, style: TerminalStyle): void {
  for (const { text: piece, isMark } of markDirections(text)) {
    const visible = isMark ? piece : [...piece].filter(isVisible).join('').replaceAll('\t', '    ');
    if (visible !== '') spans.push({ text: visible, style, isMark });
  }
}

function isVisible(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code === TAB || (code >= SPACE && (code < DELETE || code > 159));
}

/** The style after the numbers of a colour sequence. */
function restyled(style: TerminalStyle, numbers: string): TerminalStyle {
  const codes = numbers.split(/[;:]/).map(Number);
  let next = style;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const length = codes[at + 1] === 2 ? 4 : 2;
      if (code === 38) next = withColour(next, codes.slice(at + 1, at + 1 + length));
      at += length;
    } else next = withCode(next, code);
  }
  return next;
}

const withColour = (style: TerminalStyle, codes: readonly number[]): TerminalStyle => ({
  ...style,
  colour: colourOf(codes),
});

function withCode(style: TerminalStyle, code: number): TerminalStyle {
  if (code === 0) return PLAIN_STYLE;
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isFaint: true };
  if (code === 3) return { ...style, isItalic: true };
  if (code === 4) return { ...style, isUnderlined: true };
  if (code === 22) return { ...style, isBold: false, isFaint: false };
  if (code === 23) return { ...style, isItalic: false };
  if (code === 24) return { ...style, isUnderlined: false };
  if (code >= 30 && code <= 37) return { ...style, colour: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, colour: code - 82 };
  return code === 39 ? { ...style, colour: undefined } : style;
}

/** The nearest of sixteen: a page has a light and a dark form of each, which are readable. */
function colourOf([kind, first = 0, second = 0, third = 0]: readonly number[]): number | undefined {
  if (kind === 2) return nearestColour([first, second, third]);
  if (kind !== 5) return undefined;
  if (first < 16) return first;
  if (first >= 232) return first < 244 ? 8 : 7;
  const cube = first - 16;
  return nearestColour([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((part) => part * 51));
}

function nearestColour(parts: readonly number[]): number {
  const most = Math.max(...parts);
  const least = Math.min(...parts);
  if (most - least < 40) return most > 127 ? 7 : 8;
  const middle = (most + least) / 2;
  return parts.reduce((sum, part, at) => sum + (part > middle ? 2 ** at : 0), 0);
}
