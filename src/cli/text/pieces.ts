// Rows made of styled pieces. They are cut to the screen before they are coloured, so colour never counts as width.
//
// pieces/Q1. No piece of a row controls the terminal, not even foreign text.
import { graphemesOf } from '../../core/view/draw/label.ts';
import { columnsOf, fitColumns } from '../../core/view/draw/text-width.ts';
import { textOf, type Piece } from '../../core/view/text/styled-text.ts';
import { paint } from '../terminal/terminal.ts';

export interface Screen {
  readonly width: number;
  readonly colour: boolean;
  /** Whether the locale has Unicode; otherwise signs and lines are drawn in ASCII. */
  readonly unicode?: boolean;
}

const CONTROL = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** One line, no wider than the screen. */
export function rowOf(screen: Screen, pieces: readonly Piece[]): string {
  let line = '';
  let room = screen.width;
  for (const piece of pieces) {
    const [style, written] = typeof piece === 'string' ? [undefined, piece] : piece;
    const safe = written.replace(CONTROL, '\uFFFD');
    const text = screen.unicode === false ? asciiOf(safe) : safe;
    const columns = columnsOf(text);
    const shown = columns <= room ? text : fitColumns(text, room);
    line += style === undefined || shown === '' ? shown : paint(screen, style, shown);
    room -= columns;
    if (room <= 0) break;
  }
  return line.trimEnd();
}

/** Our own signs and lines in ASCII, each as wide as it was. */
const ASCII: Readonly<Record<string, string>> = {
  '✓': '+',
  '●': 'o',
  '◌': '.',
  '·': '-',
  '✗': 'x',
  '–': '-',
  '↷': '~',
  '★': '*',
  '▸': '>',
  '▾': 'v',
  '▏': '_',
  '█': '#',
  '▓': '=',
  '▒': '%',
  '░': '.',
  '│': '|',
  '┊': ':',
  '─': '-',
  '┬': '+',
  '┴': '+',
  '├': '|',
  '└': '`',
  '›': '>',
  '…': '~',
  '↑': '^',
  '↓': 'v',
  '←': '<',
  '→': '>',
  '⏎': '>',
  '−': '-',
};

const asciiOf = (text: string): string =>
  /^[ -~]*$/u.test(text)
    ? text
    : graphemesOf(text)
        .map((character) =>
          /^[ -~]$/u.test(character) ? character : (ASCII[character] ?? '?'.repeat(columnsOf(character))),
        )
        .join('');

export const columnsOfPieces = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, piece) => sum + columnsOf(textOf(piece)), 0);

/** Pieces that take exactly so many columns: cut with an ellipsis, or filled with spaces. */
export function fitPieces(pieces: readonly Piece[], columns: number): readonly Piece[] {
  const fitted: Piece[] = [];
  let room = columns;
  for (const piece of pieces) {
    const text = textOf(piece);
    const width = columnsOf(text);
    const shown = width <= room ? text : fitColumns(text, room);
    if (shown !== '') fitted.push(typeof piece === 'string' ? shown : [piece[0], shown]);
    room -= width;
    if (room <= 0) return fitted;
  }
  return [...fitted, ' '.repeat(room)];
}

/** Some pieces on the left and some on the right; without room for both, the right ones are dropped. */
export function spreadPieces(left: readonly Piece[], right: readonly Piece[], columns: number): readonly Piece[] {
  const room = columns - columnsOfPieces(left) - columnsOfPieces(right);
  return room < 2 ? fitPieces(left, columns) : [...left, ' '.repeat(room), ...right];
}

/** The pieces with search matches marked, regardless of case. */
export function foundPieces(pieces: readonly Piece[], words: string): readonly Piece[] {
  if (words === '') return pieces;
  return pieces.flatMap((piece): readonly Piece[] => {
    const text = textOf(piece);
    const lower = text.toLowerCase();
    // A few letters change their length with their case; the places would not fit.
    if (lower.length !== text.length) return [piece];
    const parts: Piece[] = [];
    let from = 0;
    for (let at = lower.indexOf(words.toLowerCase()); at !== -1; at = lower.indexOf(words.toLowerCase(), from)) {
      parts.push(text.slice(from, at), ['found', text.slice(at, at + words.length)]);
      from = at + words.length;
    }
    return from === 0 ? [piece] : [...parts, text.slice(from)];
  });
}

const FOLD_INDENT = 4;

/** A sentence in as many lines as it takes; one that takes several has no colour. */
export function foldedRow(screen: Screen, pieces: readonly Piece[]): readonly string[] {
  const text = pieces.map(textOf).join('');
  if (columnsOf(text) <= screen.width) return [rowOf(screen, pieces)];
  const indent = ' '.repeat(text.length - text.trimStart().length);
  const lines: string[] = [];
  let line = indent;
  for (const word of text.trim().split(' ')) {
    const isFirst = line.trim() === '';
    if (!isFirst && columnsOf(`${line} ${word}`) > screen.width) {
      lines.push(line);
      line = `${indent}${' '.repeat(FOLD_INDENT)}${word}`;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...lines, line].map((each) => rowOf(screen, [each]));
}
