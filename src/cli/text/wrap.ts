// Lines that are too long for their columns, in several.
import { graphemesOf } from '../../core/view/draw/label.ts';
import { columnsOf } from '../../core/view/draw/text-width.ts';

const TAB_COLUMNS = 4;
const ASCII = /^[ -~]*$/u;

/** Breaks between words; breaks a word that is too long at the last column. Tabs become spaces. */
export function wrapWords(text: string, columns: number): readonly string[] {
  const line = text.replaceAll('\t', ' '.repeat(TAB_COLUMNS));
  if (ASCII.test(line) ? line.length <= columns : columnsOf(line) <= columns) return [line];
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
  if (ASCII.test(text)) return text.length <= columns ? [text] : cutAscii(text, columns);
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
