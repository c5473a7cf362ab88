// A chart as one self-contained SVG: axis, rows, legend, the critical path outlined, details where the pointer rests.

import { escapeXml, FONT, round, styleSheet } from '../draw/svg-theme.ts';
import { cleanLine, shorten } from '../draw/label.ts';
import { textWidth } from '../draw/text-width.ts';
import {
  BAR_KINDS,
  chartBySlot,
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

export interface SvgChartOptions {
  readonly width?: number;
  /** With more rows than this the chart shows slots instead of tasks. */
  readonly rowsMax?: number;
}

const WIDTH_DEFAULT = 960;
const WIDTH_MIN = 320;
const ROWS_MAX_DEFAULT = 120;
const MARGIN = 20;
const TITLE_HEIGHT = 30;
const AXIS_HEIGHT = 22;
const ROW_HEIGHT = 24;
const BAR_HEIGHT = 14;
const LEGEND_HEIGHT = 34;
const LEGEND_LINE = 20;
const LEGEND_GAP = 18;
const FONT_SIZE = 12;
const SMALL_SIZE = 11;
const LABEL_CHARACTERS_MAX = 32;
const TICK_WIDTH = 80;
const BAR_WIDTH_MIN = 1.5;

/** Draws a chart as SVG. */
export function drawSvgChart(given: Chart, options: SvgChartOptions = {}): string {
  const rowsMax = options.rowsMax ?? ROWS_MAX_DEFAULT;
  const chart = given.rows.length > rowsMax && given.lanes !== 'slot' ? chartBySlot(given) : given;
  const { rows, hidden } = foldRows(chart.rows, rowsMax);
  const view = viewOf(chart, rows, Math.max(WIDTH_MIN, options.width ?? WIDTH_DEFAULT));
  const top = MARGIN + TITLE_HEIGHT + AXIS_HEIGHT;
  const bottom = top + rows.length * ROW_HEIGHT;
  const legend = drawLegend(rows, view.width, bottom + (hidden > 0 ? ROW_HEIGHT : 0));
  const height = legend.bottom + MARGIN;
  const title = escapeXml(chart.title);
  const size = `viewBox="0 0 ${view.width} ${height}" width="${view.width}" height="${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="heddle-chart" ${size} role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    styleSheet(RULES),
    `<rect class="paper" width="${view.width}" height="${height}"/>`,
    drawTitle(view, given, chart),
    ...drawGrid(view, chart, { top, bottom }),
    ...rows.map((row, index) => drawRow(view, row, top + index * ROW_HEIGHT)),
    ...drawHidden(chart, hidden, bottom),
    legend.drawn,
    '</svg>',
    '',
  ].join('\n');
}

interface SvgChartView {
  readonly width: number;
  readonly left: number;
  readonly right: number;
  readonly endMs: number;
  readonly at: (ms: number) => number;
}

function viewOf(chart: Chart, rows: readonly ChartRow[], width: number): SvgChartView {
  const widest = rows.reduce((most, row) => Math.max(most, textWidth(rowLabel(row), FONT_SIZE)), 40);
  const left = Math.ceil(MARGIN + Math.min(widest, width * 0.3) + 12);
  const right = width - MARGIN - 8;
  const endMs = chartEnd(chart);
  return { width, left, right, endMs, at: (ms) => left + (Math.max(0, Math.min(endMs, ms)) / endMs) * (right - left) };
}

const rowLabel = (row: ChartRow): string => shorten(row.label, LABEL_CHARACTERS_MAX);

const COLOURS: Readonly<Record<BarKind, readonly [light: string, dark: string]>> = {
  work: ['#6f9be0', '#4f7fcb'],
  check: ['#63b7b0', '#3d8f89'],
  merge: ['#7dba7b', '#549552'],
  failed: ['#e0807a', '#c25952'],
  cancelled: ['#b9bfc8', '#59626e'],
  waiting: ['#e6e9ed', '#2a323c'],
};

const RULES = {
  common: [
    `.heddle-chart{font-family:${FONT};font-size:${FONT_SIZE}px}`,
    '.heddle-chart .title{font-size:15px;font-weight:600}',
    `.heddle-chart .small{font-size:${SMALL_SIZE}px}`,
    '.heddle-chart .critical{stroke-width:1.8}.heddle-chart .marked{font-weight:600}',
    '.heddle-chart .grid{stroke-width:1}.heddle-chart .moment{stroke-width:1.2;stroke-dasharray:4 3}',
    '.heddle-chart .end{text-anchor:end}.heddle-chart .middle{text-anchor:middle}.heddle-chart text{unicode-bidi:plaintext}',
  ].join(''),
  light: rulesOf({
    paper: '#ffffff',
    text: '#1d2530',
    quiet: '#5d6876',
    grid: '#e8ebef',
    critical: '#b4540a',
    theme: 0,
  }),
  dark: rulesOf({
    paper: '#12161c',
    text: '#e4e9ef',
    quiet: '#9ba7b5',
    grid: '#262e38',
    critical: '#f0a35e',
    theme: 1,
  }),
};

interface Tones {
  readonly paper: string;
  readonly text: string;
  readonly quiet: string;
  readonly grid: string;
  readonly critical: string;
  readonly theme: 0 | 1;
}

function rulesOf({ paper, text, quiet, grid, critical, theme }: Tones): string {
  const bars = BAR_KINDS.map((kind) => `.heddle-chart .${kind}{fill:${COLOURS[kind][theme]}}`);
  return [
    `.heddle-chart .paper{fill:${paper}}.heddle-chart text{fill:${text}}.heddle-chart .small{fill:${quiet}}`,
    `.heddle-chart .grid{stroke:${grid}}.heddle-chart .moment,.heddle-chart .critical{stroke:${critical}}`,
    ...bars,
  ].join('');
}

function drawTitle(view: SvgChartView, given: Chart, chart: Chart): string {
  const folded = chart === given ? '' : ` · ${given.rows.length} tasks by slot`;
  const text = escapeXml(`${shorten(chart.title, 80)} · ${formatDuration(view.endMs)}${folded}`);
  return `<text class="title" x="${MARGIN}" y="${MARGIN + 14}">${text}</text>`;
}

function drawGrid(
  view: SvgChartView,
  chart: Chart,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): string[] {
  const ticks = ticksOf(view.endMs, Math.floor((view.right - view.left) / TICK_WIDTH)).map((ms) => {
    const x = round(view.at(ms));
    const line = `<line class="grid" x1="${x}" y1="${top - 4}" x2="${x}" y2="${bottom}"/>`;
    return `${line}<text class="small middle" x="${x}" y="${top - 9}">${formatMoment(ms)}</text>`;
  });
  const marks = (chart.marks ?? []).map((mark) => {
    const x = round(view.at(mark.atMs));
    const title = escapeXml(`${mark.label} · ${formatDuration(mark.atMs)}`);
    return `<g><title>${title}</title><line class="moment" x1="${x}" y1="${top - 4}" x2="${x}" y2="${bottom}"/></g>`;
  });
  return [...ticks, ...marks];
}

function drawRow(view: SvgChartView, row: ChartRow, y: number): string {
  const label = fitLabel(rowLabel(row), view.left - MARGIN - 12);
  const look = isCritical(row) ? 'end marked' : 'end';
  const text = `<text class="${look}" x="${view.left - 12}" y="${y + 16}"><title>${escapeXml(row.label)}</title>${escapeXml(label)}</text>`;
  return `<g>${text}${row.bars.map((bar) => drawBar(view, clampBar(bar, view.endMs), { row, y })).join('')}</g>`;
}

function fitLabel(label: string, room: number): string {
  let fitted = label;
  for (let kept = LABEL_CHARACTERS_MAX; kept > 1 && textWidth(fitted, FONT_SIZE) > room; kept--)
    fitted = shorten(label, kept);
  return fitted;
}

function drawBar(view: SvgChartView, bar: Bar, { row, y }: { readonly row: ChartRow; readonly y: number }): string {
  const from = view.at(bar.startMs);
  const width = Math.max(BAR_WIDTH_MIN, view.at(bar.endMs) - from);
  const x = Math.min(from, view.right - width);
  const critical = bar.critical === true ? ' critical' : '';
  const span = `${formatDuration(bar.startMs)} to ${formatDuration(bar.endMs)}`;
  const words = [bar.label ?? row.label, bar.kind, span, formatDuration(bar.endMs - bar.startMs)];
  if (critical !== '') words.push('critical path');
  const box = `x="${round(x)}" y="${y + (ROW_HEIGHT - BAR_HEIGHT) / 2}" width="${round(width)}" height="${BAR_HEIGHT}"`;
  const corner = round(Math.min(3, width / 2));
  return `<rect class="${bar.kind}${critical}" ${box} rx="${corner}"><title>${escapeXml(words.map(cleanLine).join(' · '))}</title></rect>`;
}

function drawHidden(chart: Chart, hidden: number, y: number): string[] {
  if (hidden === 0) return [];
  const unit = chart.lanes === 'slot' ? 'slot' : 'task';
  return [
    `<text class="small" x="${MARGIN}" y="${y + 16}">… ${hidden} more ${hidden === 1 ? unit : `${unit}s`}</text>`,
  ];
}

interface Legend {
  readonly drawn: string;
  readonly bottom: number;
}

interface LegendEntry {
  readonly look: string;
  readonly words: string;
}

/** Only the kinds in use, on as many lines as necessary. */
function drawLegend(rows: readonly ChartRow[], width: number, top: number): Legend {
  const used = new Set<BarKind>(rows.flatMap((row) => row.bars.map((bar) => bar.kind)));
  const entries = BAR_KINDS.filter((kind) => used.has(kind)).map((kind): LegendEntry => ({ look: kind, words: kind }));
  if (rows.some(isCritical)) entries.push({ look: 'paper critical', words: 'critical path' });
  let x = MARGIN;
  let y = top + LEGEND_HEIGHT;
  let drawn = '';
  for (const { look, words } of entries) {
    const room = LEGEND_GAP + textWidth(words, SMALL_SIZE);
    if (x > MARGIN && x + room > width - MARGIN) {
      x = MARGIN;
      y += LEGEND_LINE;
    }
    drawn += `<rect class="${look}" x="${round(x)}" y="${y - 10}" width="12" height="12" rx="3"/>`;
    drawn += `<text class="small" x="${round(x + LEGEND_GAP)}" y="${y}">${words}</text>`;
    x += room + LEGEND_GAP;
  }
  return { drawn: `<g>${drawn}</g>`, bottom: y };
}
