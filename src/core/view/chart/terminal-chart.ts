// A chart for a terminal: one line a row, blocks with eighths for fractions, legible without colour and in plain ASCII.
// Each kind of bar has a sign of its own, so colour only helps.

import { cleanLine } from '../draw/label.ts';
import { columnsOf, fitColumns } from '../draw/text-width.ts';
import {
  BAR_KINDS,
  chartEnd,
  clampBar,
  foldRows,
  isCritical,
  ticksOf,
  type Bar,
  type BarKind,
  type Chart,
  type ChartRow,
} from './chart.ts';
import { formatDuration, formatMoment } from './format.ts';

interface Signs {
  readonly isAscii: boolean;
  readonly bars: Readonly<Record<BarKind, string>>;
  readonly critical: string;
  readonly mark: string;
  readonly edge: string;
  readonly axis: string;
  readonly tick: string;
  readonly cornerStart: string;
  readonly cornerEnd: string;
  readonly ellipsis: string;
}

const UNICODE_SIGNS: Signs = {
  isAscii: false,
  bars: { work: '█', check: '▓', merge: '▒', failed: '╳', cancelled: '░', waiting: '·' },
  critical: '▸',
  mark: '┆',
  edge: '│',
  axis: '─',
  tick: '┴',
  cornerStart: '└',
  cornerEnd: '┘',
  ellipsis: '…',
};

const ASCII_SIGNS: Signs = {
  isAscii: true,
  bars: { work: '#', check: '=', merge: '+', failed: 'x', cancelled: '-', waiting: '.' },
  critical: '>',
  mark: ':',
  edge: '|',
  axis: '-',
  tick: '+',
  cornerStart: '+',
  cornerEnd: '+',
  ellipsis: '...',
};

/** One eighth of a cell to all of it, from the left. */
const EIGHTHS = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'] as const;

const RESET = '\u001B[0m';

const COLOURS: { readonly bars: Readonly<Record<BarKind, string>>; readonly critical: string } = {
  bars: {
    work: '\u001B[34m',
    check: '\u001B[36m',
    merge: '\u001B[32m',
    failed: '\u001B[31m',
    cancelled: '\u001B[90m',
    waiting: '\u001B[90m',
  },
  critical: '\u001B[1m',
};

/** Every colour above, and the end of one. */
const COLOUR_CODE = new RegExp(`${RESET.slice(0, 1)}\\[\\d+m`, 'gu');

interface TerminalOptions {
  readonly width: number;
  readonly colour: boolean;
  /** More rows than this are counted instead of drawn. */
  readonly rowsMax?: number;
  readonly ascii?: boolean;
}

const ROWS_MAX_DEFAULT = 40;
const WIDTH_MIN = 40;
const LABEL_SHARE = 0.3;
const LABEL_MAX = 36;
const LENGTH_COLUMNS = 8;
const TICK_COLUMNS = 10;

export function drawTerminalChart(chart: Chart, options: TerminalOptions): string {
  const view = viewOf(chart, options);
  const { rows, hidden } = foldRows(chart.rows, options.rowsMax ?? ROWS_MAX_DEFAULT);
  const lines = [
    fitColumns(view.plain(`${chart.title} · ${formatDuration(view.endMs)}`), view.width, view.signs.ellipsis).trimEnd(),
    ...rows.map((row) => drawRow(view, row)),
  ];
  if (hidden > 0) {
    const unit = chart.lanes === 'slot' ? 'slot' : 'task';
    lines.push(view.plain(`${view.signs.ellipsis} ${hidden} more ${hidden === 1 ? unit : `${unit}s`}`));
  }
  lines.push(...drawAxis(view), ...drawMarks(view, chart), ...drawLegend(view, rows));
  return `${lines.join('\n')}\n`;
}

interface TerminalChartView {
  readonly width: number;
  readonly labelColumns: number;
  readonly barColumns: number;
  readonly endMs: number;
  readonly signs: Signs;
  readonly colour: boolean;
  readonly marks: ReadonlySet<number>;
  /** A clean line; in ASCII everything else becomes a question mark. */
  readonly plain: (text: string) => string;
}

function viewOf(chart: Chart, options: TerminalOptions): TerminalChartView {
  const width = Math.max(WIDTH_MIN, Math.floor(options.width));
  const isAscii = options.ascii === true;
  const signs = isAscii ? ASCII_SIGNS : UNICODE_SIGNS;
  const plain = (text: string): string =>
    isAscii
      ? cleanLine(text).replace(/[^ -~]/gu, (sign) => (sign === '·' ? '-' : sign === '…' ? '...' : '?'))
      : cleanLine(text);
  const longest = chart.rows.reduce((most, row) => Math.max(most, columnsOf(plain(row.label.slice(0, 200)))), 4);
  const labelColumns = Math.min(longest, LABEL_MAX, Math.floor(width * LABEL_SHARE));
  // A sign for the critical path and a space, the label, a line, the bars, a line, the total duration of the row.
  const barColumns = width - 2 - labelColumns - 3 - LENGTH_COLUMNS;
  const endMs = chartEnd(chart);
  const marks = new Set((chart.marks ?? []).map((mark) => columnOf(mark.atMs, endMs, barColumns)));
  return { width, labelColumns, barColumns, endMs, signs, colour: options.colour, marks, plain };
}

const columnOf = (ms: number, endMs: number, columns: number): number =>
  Math.max(0, Math.min(columns - 1, Math.floor((ms / endMs) * columns)));

interface Cell {
  readonly sign: string;
  readonly bar: Bar;
}

function drawRow(view: TerminalChartView, row: ChartRow): string {
  const { signs } = view;
  const cells: (Cell | undefined)[] = Array.from({ length: view.barColumns });
  let workedMs = 0;
  for (const given of row.bars) {
    const bar = clampBar(given, view.endMs);
    if (bar.kind !== 'waiting') workedMs += bar.endMs - bar.startMs;
    fillCells(view, cells, bar);
  }
  const head = `${isCritical(row) ? signs.critical : ' '} ${fitColumns(view.plain(row.label), view.labelColumns, signs.ellipsis)} ${signs.edge}`;
  return `${head}${paint(view, cells)}${signs.edge}${formatDuration(workedMs).padStart(LENGTH_COLUMNS)}`;
}

/** Whole cells, and at the ends of work the part of a cell that is filled. */
function fillCells(view: TerminalChartView, cells: (Cell | undefined)[], bar: Bar): void {
  const scale = view.barColumns / view.endMs;
  const start = bar.startMs * scale;
  const end = Math.max(bar.endMs * scale, start);
  const first = Math.min(view.barColumns - 1, Math.floor(start));
  const last = Math.max(first, Math.min(view.barColumns - 1, Math.ceil(end) - 1));
  for (let column = first; column <= last; column++) {
    const from = Math.max(0, start - column);
    const to = Math.min(1, end - column);
    const sign = bar.kind === 'work' ? workSign(view.signs, from, to) : view.signs.bars[bar.kind];
    // A sliver never hides an earlier bar.
    if (cells[column] !== undefined && (to - from < 0.5 || sign === ' ')) continue;
    cells[column] = { sign, bar };
  }
}

function workSign(signs: Signs, from: number, to: number): string {
  if (signs.isAscii) return signs.bars.work;
  if (from > 0.25) return '▐';
  return EIGHTHS[Math.max(0, Math.min(7, Math.ceil(to * 8) - 1))] ?? signs.bars.work;
}

function paint(view: TerminalChartView, cells: readonly (Cell | undefined)[]): string {
  let line = '';
  let colour = '';
  for (const [column, cell] of cells.entries()) {
    const wanted = cell === undefined || !view.colour ? '' : colourOf(cell.bar);
    if (wanted !== colour) line += (colour === '' ? '' : RESET) + wanted;
    colour = wanted;
    line += cell?.sign ?? (view.marks.has(column) ? view.signs.mark : ' ');
  }
  return colour === '' ? line : line + RESET;
}

const colourOf = (bar: Bar): string => (bar.critical === true ? COLOURS.critical : '') + COLOURS.bars[bar.kind];

function drawAxis(view: TerminalChartView): string[] {
  const { signs, barColumns, endMs } = view;
  const line = Array.from({ length: barColumns }, () => signs.axis);
  const words = Array.from({ length: barColumns + LENGTH_COLUMNS }, () => ' ');
  for (const tick of ticksOf(endMs, Math.floor(barColumns / TICK_COLUMNS))) {
    const column = columnOf(tick, endMs, barColumns);
    line[column] = signs.tick;
    for (const [index, character] of [...formatMoment(tick)].entries()) words[column + index] = character;
  }
  const indent = ' '.repeat(view.labelColumns + 3);
  return [`${indent}${signs.cornerStart}${line.join('')}${signs.cornerEnd}`, `${indent} ${words.join('').trimEnd()}`];
}

function drawMarks(view: TerminalChartView, chart: Chart): string[] {
  return (chart.marks ?? []).map((mark) => {
    const text = view.plain(`${view.signs.mark} ${formatDuration(mark.atMs)} ${mark.label}`);
    return fitColumns(text, view.width, view.signs.ellipsis).trimEnd();
  });
}

function drawLegend({ signs, colour, width }: TerminalChartView, rows: readonly ChartRow[]): string[] {
  const used = new Set<BarKind>(rows.flatMap((row) => row.bars.map((bar) => bar.kind)));
  const parts = BAR_KINDS.filter((kind) => used.has(kind)).map((kind) =>
    colour ? `${COLOURS.bars[kind]}${signs.bars[kind]}${RESET} ${kind}` : `${signs.bars[kind]} ${kind}`,
  );
  if (rows.some(isCritical)) parts.push(`${signs.critical} critical path`);
  return wrapParts(parts, width);
}

/** As many parts on a line as fit; colour takes no room. */
function wrapParts(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = `${lines.at(-1) ?? ''}  ${part}`;
    if (lines.length === 0 || columnsOf(longer.replace(COLOUR_CODE, '')) > width) lines.push(part);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
