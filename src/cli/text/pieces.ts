// Rows made of styled pieces. They are cut to the screen before they are coloured, so colour never counts as width.
//
// pieces/Q1. No piece of a row steers the terminal, whoever wrote it.
import { plainLine } from '../../core/view/document/clean-text.ts';
import { columnsOf, fitColumns } from '../../core/view/draw/text-width.ts';
import { paint, type Style } from '../terminal/terminal.ts';

export interface Screen {
  readonly width: number;
  readonly colour: boolean;
}

export type Piece = string | readonly [style: Style, text: string];

const CONTROL = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** One line, no wider than the screen. */
export function rowOf(screen: Screen, pieces: readonly Piece[]): string {
  let line = '';
  let room = screen.width;
  for (const piece of pieces) {
    const [style, written] = typeof piece === 'string' ? [undefined, piece] : piece;
    const text = written.replace(CONTROL, '\uFFFD');
    const columns = columnsOf(text);
    const shown = columns <= room ? text : fitColumns(text, room);
    line += style === undefined || shown === '' ? shown : paint(screen, style, shown);
    room -= columns;
    if (room <= 0) break;
  }
  return line.trimEnd();
}

const FOLD_INDENT = 4;

/** A sentence in as many lines as it takes; one that takes several has no colour. */
export function foldedRow(screen: Screen, pieces: readonly Piece[]): readonly string[] {
  const text = pieces.map((piece) => (typeof piece === 'string' ? piece : piece[1])).join('');
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

/** What somebody else wrote, as one line that cannot steer the terminal. */
export const quoted = (text: string): string => plainLine(text);

/** A text filled up to some columns, cut when it is longer. */
export const column = (text: string, columns: number): string => fitColumns(quoted(text), columns);

/** The widest of some texts, bounded. */
export const widest = (texts: readonly string[], most: number): number =>
  Math.min(
    most,
    texts.reduce((width, text) => Math.max(width, columnsOf(text)), 0),
  );

/** A share from 0 to 1 as a bar. */
export function barOf(share: number, columns: number): string {
  const filled = Math.max(0, Math.min(columns, Math.round(share * columns)));
  return '█'.repeat(filled) + '░'.repeat(columns - filled);
}
