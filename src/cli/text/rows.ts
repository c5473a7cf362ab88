// Rows of text: styled, aligned and wrapped. They are cut to the screen before they are coloured, so colour never counts
// as width.
//
// rows/Q1. No piece of a row controls the terminal, not even foreign text.
import { graphemesOf } from '../../core/view/draw/label.ts';
import { columnsOf, fitColumns } from '../../core/view/draw/text-width.ts';
import { textOf, type Piece, type TextRow } from '../../core/view/text/styled-text.ts';
import { paint } from '../terminal/terminal.ts';

export interface RowScreen {
  readonly width: number;
  readonly colour: boolean;
  /** Whether the locale has Unicode; otherwise signs and lines are drawn in ASCII. */
  readonly unicode?: boolean;
}

const CONTROL = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** One line, no wider than the screen. */
export function rowOf(screen: RowScreen, pieces: TextRow): string {
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

const PRINTABLE = /^[ -~]*$/u;

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
  PRINTABLE.test(text)
    ? text
    : graphemesOf(text)
        .map((character) =>
          /^[ -~]$/u.test(character) ? character : (ASCII[character] ?? '?'.repeat(columnsOf(character))),
        )
        .join('');

/** A row in colour and whole, however wide. */
export const painted = (screen: Pick<RowScreen, 'colour'>, row: TextRow): string =>
  row.map((piece) => (typeof piece === 'string' ? piece : paint(screen, ...piece))).join('');

export const columnsOfPieces = (pieces: TextRow): number =>
  pieces.reduce((sum, piece) => sum + columnsOf(textOf(piece)), 0);

/** Pieces that take exactly so many columns: cut with an ellipsis, or filled with spaces. */
export function fitPieces(pieces: TextRow, columns: number): TextRow {
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
export function spreadPieces(left: TextRow, right: TextRow, columns: number): TextRow {
  const room = columns - columnsOfPieces(left) - columnsOfPieces(right);
  return room < 2 ? fitPieces(left, columns) : [...left, ' '.repeat(room), ...right];
}

/** The pieces with search matches marked, regardless of case. */
export function foundPieces(pieces: TextRow, words: string): TextRow {
  if (words === '') return pieces;
  return pieces.flatMap((piece): TextRow => {
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
export function foldedRow(screen: RowScreen, pieces: TextRow): readonly string[] {
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

/** Rows of cells as aligned lines; the last cell of a row is not padded. */
export function aligned(rows: readonly (readonly string[])[], indent = '  '): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)));
  return rows.map(
    (row) =>
      indent +
      row
        .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
  );
}

/** A list in one line, cut to a width with a count of the omitted items. */
export function listedWithin(items: readonly string[], width: number): string {
  let line = '';
  for (const [at, item] of items.entries()) {
    const more = items.length - at;
    const next = line === '' ? item : `${line}, ${item}`;
    if (line !== '' && next.length + ` and ${more} more`.length > width) return `${line} and ${more} more`;
    line = next;
  }
  return line;
}

const TAB_COLUMNS = 4;

/** Breaks between words; breaks a word that is too long at the last column. Tabs become spaces. */
export function wrapWords(text: string, columns: number): readonly string[] {
  const line = text.replaceAll('\t', ' '.repeat(TAB_COLUMNS));
  if (PRINTABLE.test(line) ? line.length <= columns : columnsOf(line) <= columns) return [line];
  const rows: string[] = [];
  let row: string | undefined;
  for (const word of line.split(' ')) {
    const longer: string = row === undefined ? word : `${row} ${word}`;
    if (columnsOf(longer) <= columns) {
      row = longer;
      continue;
    }
    if (row !== undefined && row.trim() !== '') rows.push(row);
    const parts = wrapColumns(word, columns);
    rows.push(...parts.slice(0, -1));
    row = parts.at(-1) ?? '';
  }
  return [...rows, row ?? ''];
}

/** Breaks at the last column, as a terminal does. */
function wrapColumns(text: string, columns: number): readonly string[] {
  if (PRINTABLE.test(text)) return text.length <= columns ? [text] : cutAscii(text, columns);
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const character of graphemesOf(text)) {
    const width = columnsOf(character);
    if (used + width > columns && row !== '') {
      rows.push(row);
      [row, used] = ['', 0];
    }
    row += character;
    used += width;
  }
  return [...rows, row];
}

function cutAscii(text: string, columns: number): readonly string[] {
  const rows: string[] = [];
  for (let at = 0; at < text.length; at += columns) rows.push(text.slice(at, at + columns));
  return rows;
}
