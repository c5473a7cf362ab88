// Text for people as rows of styled pieces. A style is a meaning; a terminal or a page chooses its colour.
import { plainLine } from '../draw/label.ts';
import { columnsOf, fitColumns } from '../draw/text-width.ts';

/** Good is done, running runs, warn needs a person, bad failed, quiet waits. */
export type Style = 'good' | 'running' | 'warn' | 'bad' | 'quiet' | 'strong' | 'chosen' | 'found';

export type Piece = string | readonly [style: Style, text: string];

export type TextRow = readonly Piece[];

export const textOf = (piece: Piece): string => (typeof piece === 'string' ? piece : piece[1]);

/** Foreign text, as one line without control sequences. */
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
