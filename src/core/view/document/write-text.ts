// A document for a terminal: no line is wider than the screen, and no text contains control sequences.
import { columnsOf, fitColumns } from '../draw/text-width.ts';
import type { Block, Column, Document, Fact, Row } from './document.ts';
import { cleanText, plainLine } from '../draw/label.ts';

export interface TextScreen {
  readonly width: number;
  /** Further rows of a table are only counted. */
  readonly rowsMax: number;
  /** The lines of a chart that fits, placed after the facts; empty when there is no chart. */
  readonly chart: string;
  readonly heading: (text: string) => string;
  readonly quiet: (text: string) => string;
}

const GAP = '  ';
const LABEL_MAX = 24;
const CELL_MIN = 8;

export function writeText({ title, lead, facts, sections }: Document, screen: TextScreen): string {
  const lines = [
    screen.heading(fitted(title, screen.width)),
    ...folded(lead, { first: '', rest: '' }, screen.width),
    '',
    ...factLines(facts, screen),
    ...(screen.chart === '' ? [] : ['', ...screen.chart.trimEnd().split('\n')]),
    ...sections.flatMap(({ title: heading, gist, blocks }) => [
      '',
      `${screen.heading(plainLine(heading))} ${screen.quiet(fitted(`(${gist})`, screen.width - heading.length - 1))}`,
      ...blocks.flatMap((block) => blockLines(block, screen)),
    ]),
  ];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function blockLines(block: Block, screen: TextScreen): readonly string[] {
  switch (block.type) {
    case 'facts':
      return factLines(block.facts, screen);
    case 'table':
      return tableLines(block.columns, block.rows, screen);
    case 'list': {
      const shown = block.items.slice(0, screen.rowsMax);
      const more = block.items.length - shown.length;
      return [
        ...shown.map((item) => `${GAP}${fitted(item, screen.width - GAP.length)}`),
        ...(more === 0 ? [] : [`${GAP}… and ${more} more`]),
      ];
    }
    case 'text':
      return folded(block.text, { first: GAP, rest: GAP }, screen.width);
    case 'output':
      return [
        '',
        `${GAP}${fitted(block.of, screen.width - GAP.length - 1)}:`,
        ...cleanText(block.text)
          .split('\n')
          .map((line) => `${GAP}${screen.quiet('│')} ${fitted(line, screen.width - 4, line)}`),
      ];
  }
}

/** Cuts to a width without padding. */
function fitted(text: string, width: number, clean = plainLine(text)): string {
  return columnsOf(clean) <= width ? clean : fitColumns(clean, Math.max(1, width));
}

function factLines(facts: readonly Fact[], { width, quiet }: TextScreen): readonly string[] {
  const room = Math.min(
    LABEL_MAX,
    facts.reduce((most, [label]) => Math.max(most, columnsOf(label)), 0),
  );
  return facts.flatMap(([label, value]) => {
    const head = `${GAP}${fitColumns(plainLine(label), room)}${GAP}`;
    const [first = '', ...others] = folded(value, { first: '', rest: '' }, width - head.length);
    return [
      `${GAP}${quiet(head.slice(GAP.length))}${first}`,
      ...others.map((line) => `${' '.repeat(head.length)}${line}`),
    ];
  });
}

interface Heads {
  readonly first: string;
  readonly rest: string;
}

function folded(text: string, { first, rest }: Heads, width: number): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of plainLine(text).split(' ')) {
    if (!isEmpty && columnsOf(line) + 1 + columnsOf(word) > width) {
      lines.push(line);
      line = rest;
      isEmpty = true;
    }
    line += isEmpty ? fitted(word, width) : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Empty columns are left out; the widest columns shrink until the table fits. */
function tableLines(columns: readonly Column[], rows: readonly Row[], screen: TextScreen): readonly string[] {
  const shown = rows.slice(0, screen.rowsMax);
  const filled = columns.flatMap((column, at): Filled[] => {
    const cells = shown.map(({ cells: all }) => plainLine(all[at] ?? ''));
    if (cells.every((cell) => cell === '')) return [];
    const width = cells.reduce((most, cell) => Math.max(most, columnsOf(cell)), columnsOf(column.title));
    return [{ column, cells, width }];
  });
  const used = withRoom(filled, screen.width);
  const widths = narrowed(
    used.map(({ width }) => width),
    screen.width - GAP.length * used.length,
  );
  const write = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => `${GAP}${placed(cell, widths[at] ?? 0, used[at]?.column.isNumber === true)}`)
      .join('')
      .trimEnd();
  const more = rows.length - shown.length;
  return [
    screen.quiet(fitted('', screen.width, write(used.map(({ column }) => column.title)))),
    // When even the narrowest columns do not fit, the last ones are cut off.
    ...shown.map((_, at) => fitted('', screen.width, write(used.map(({ cells }) => cells[at] ?? '')))),
    ...(more === 0 ? [] : [`${GAP}… and ${more} more`]),
  ];
}

interface Filled {
  readonly column: Column;
  readonly cells: readonly string[];
  readonly width: number;
}

/** Cells wider than this are cut before a column is dropped. */
const WHOLE_MAX = 20;

function withRoom(filled: readonly Filled[], room: number): readonly Filled[] {
  const needed = filled.reduce((sum, { width }) => sum + GAP.length + Math.min(width, WHOLE_MAX), 0);
  const least = filled.reduce((most, { column }) => Math.max(most, column.rank ?? 0), 0);
  if (needed <= room || least === 0) return filled;
  return withRoom(
    filled.filter(({ column }) => column.rank !== least),
    room,
  );
}

function placed(cell: string, width: number, isNumber: boolean): string {
  const cut = fitted(cell, width, cell);
  const filling = ' '.repeat(Math.max(0, width - columnsOf(cut)));
  return isNumber ? `${filling}${cut}` : `${cut}${filling}`;
}

function narrowed(wanted: readonly number[], room: number): readonly number[] {
  const widths = [...wanted];
  for (let over = widths.reduce((sum, width) => sum + width, 0) - room; over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= CELL_MIN) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
