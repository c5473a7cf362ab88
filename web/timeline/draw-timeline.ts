// Draws the rows of a timeline that are in sight onto a canvas.
import { ticksOf, type Bar, type BarKind } from '../../src/core/view/chart/chart.ts';
import { formatMoment } from '../../src/core/view/chart/format.ts';
import type { TimeScale, TimeSpan } from '../model/time-scale.ts';
import type { TimelineRow, TimelineRows } from '../model/timeline-rows.ts';
import type { ThemeColours } from '../parts/theme-colours.ts';

export const ROW_PX = 26;
export const AXIS_PX = 26;
const BAR_PX = 14;
const TICK_PX = 90;

export interface TimelinePicture {
  readonly rows: TimelineRows;
  readonly range: TimeSpan;
  readonly scale: TimeScale;
  readonly colours: ThemeColours;
  readonly labelPx: number;
  readonly width: number;
  readonly height: number;
  /** How far the rows are scrolled. */
  readonly top: number;
  readonly nowMs: number;
  readonly chosen: string | undefined;
  readonly brush: TimeSpan | undefined;
}

const FILLS: Readonly<Record<BarKind, keyof ThemeColours>> = {
  work: 'running-fill',
  check: 'accent',
  merge: 'done-fill',
  failed: 'failed-fill',
  cancelled: 'line-strong',
  waiting: 'waiting-fill',
};

export function drawTimeline(pen: CanvasRenderingContext2D, picture: TimelinePicture): void {
  const { rows, colours, width, height, top, labelPx } = picture;
  pen.clearRect(0, 0, width, height);
  pen.fillStyle = colours.panel;
  pen.fillRect(0, 0, width, height);
  const first = Math.max(0, Math.floor(top / ROW_PX));
  const last = Math.min(rows.length, Math.ceil((top + height) / ROW_PX));
  drawGrid(pen, picture);
  for (let at = first; at < last; at += 1) {
    const row = rows.at(at);
    if (row !== undefined) drawRow(pen, picture, { row, y: AXIS_PX + at * ROW_PX - top });
  }
  drawOver(pen, picture);
  drawAxis(pen, picture);
  pen.fillStyle = colours.line;
  pen.fillRect(labelPx - 1, 0, 1, height);
}

function drawGrid(pen: CanvasRenderingContext2D, { scale, colours, labelPx, height, ...rest }: TimelinePicture): void {
  pen.fillStyle = colours.line;
  for (const ms of ticksIn(rest.range, rest.width - labelPx)) pen.fillRect(labelPx + scale.x(ms), 0, 1, height);
}

function ticksIn({ startMs, endMs }: TimeSpan, width: number): readonly number[] {
  const ticks = ticksOf(endMs - startMs, Math.max(2, Math.floor(width / TICK_PX)));
  const step = ticks[1] ?? endMs;
  const first = Math.ceil(startMs / step) * step;
  return ticks.map((_, at) => first + at * step).filter((ms) => ms <= endMs);
}

interface Placed {
  readonly row: TimelineRow;
  readonly y: number;
}

function drawRow(pen: CanvasRenderingContext2D, picture: TimelinePicture, { row, y }: Placed): void {
  const { colours, labelPx, width, chosen } = picture;
  if (row.label === chosen) {
    pen.fillStyle = colours['accent-tint'];
    pen.fillRect(0, y, width, ROW_PX);
  }
  pen.save();
  pen.beginPath();
  pen.rect(labelPx, y, width - labelPx, ROW_PX);
  pen.clip();
  for (const bar of row.forecast) drawForecast(pen, picture, { bar, y });
  for (const bar of row.bars) drawBar(pen, picture, { bar, y });
  pen.restore();
  pen.fillStyle = colours.text;
  pen.font = '12px system-ui, sans-serif';
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.fillText(fitted(pen, row.label, labelPx - 20), 12, y + ROW_PX / 2);
}

/** The end of a path says more than its start. */
function fitted(pen: CanvasRenderingContext2D, label: string, room: number): string {
  if (pen.measureText(label).width <= room) return label;
  let kept = label.length;
  while (kept > 1 && pen.measureText(`…${label.slice(-kept)}`).width > room) kept -= 1;
  return `…${label.slice(-kept)}`;
}

interface PlacedBar {
  readonly bar: Bar;
  readonly y: number;
}

function boxOf({ scale, labelPx, width }: TimelinePicture, { startMs, endMs }: Bar): readonly [number, number] {
  const from = Math.max(labelPx - 4, labelPx + scale.x(startMs));
  const to = Math.min(width + 4, labelPx + scale.x(endMs));
  return [from, Math.max(2, to - from)];
}

function drawForecast(pen: CanvasRenderingContext2D, picture: TimelinePicture, { bar, y }: PlacedBar): void {
  const [x, width] = boxOf(picture, bar);
  pen.globalAlpha = 0.22;
  pen.fillStyle = picture.colours[FILLS[bar.kind]];
  pen.fillRect(x, y + 2, width, ROW_PX - 4);
  pen.globalAlpha = 1;
}

function drawBar(pen: CanvasRenderingContext2D, picture: TimelinePicture, { bar, y }: PlacedBar): void {
  const { colours } = picture;
  const [x, width] = boxOf(picture, bar);
  const top = y + (ROW_PX - BAR_PX) / 2;
  pen.beginPath();
  pen.roundRect(x, top, width, BAR_PX, Math.min(3, width / 2));
  if (bar.kind === 'waiting') return drawWait(pen, { x, top, width }, colours);
  pen.fillStyle = colours[FILLS[bar.kind]];
  pen.fill();
  if (bar.task !== undefined) drawName(pen, { x, top, width }, { name: bar.task, colour: colours.panel });
  if (bar.kind !== 'failed' || width < 10) return;
  // A cross, so that the colour is not all that says it.
  pen.strokeStyle = colours.panel;
  pen.lineWidth = 1.5;
  pen.beginPath();
  const [left, upper] = [x + width - 9, top + 4];
  pen.moveTo(left, upper);
  pen.lineTo(left + 6, upper + 6);
  pen.moveTo(left + 6, upper);
  pen.lineTo(left, upper + 6);
  pen.stroke();
}

const NAME_PX_MIN = 36;
/** Room for the cross of a failure. */
const NAME_PAD_PX = 14;

/** In a lane of a slot a bar says whose it is. */
function drawName(pen: CanvasRenderingContext2D, { x, top, width }: Box, { name, colour }: NameOnBar): void {
  if (width < NAME_PX_MIN) return;
  pen.font = '600 10px system-ui, sans-serif';
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.fillStyle = colour;
  pen.fillText(fitted(pen, name, width - NAME_PAD_PX), x + 4, top + BAR_PX / 2 + 0.5);
}

interface NameOnBar {
  readonly name: string;
  readonly colour: string;
}

interface Box {
  readonly x: number;
  readonly top: number;
  readonly width: number;
}

function drawWait(pen: CanvasRenderingContext2D, { x, top, width }: Box, colours: ThemeColours): void {
  pen.save();
  pen.clip();
  pen.strokeStyle = colours['line-strong'];
  pen.lineWidth = 1;
  pen.beginPath();
  for (let at = x - BAR_PX; at < x + width; at += 5) {
    pen.moveTo(at, top + BAR_PX);
    pen.lineTo(at + BAR_PX, top);
  }
  pen.stroke();
  pen.restore();
}

/** Gaps, the time that is looked at, and the range that is being chosen. */
function drawOver(pen: CanvasRenderingContext2D, picture: TimelinePicture): void {
  const { scale, colours, labelPx, height, nowMs, brush, range } = picture;
  for (const gap of scale.gaps) drawGap(pen, picture, gap);
  if (nowMs >= range.startMs && nowMs <= range.endMs) {
    pen.fillStyle = colours.accent;
    pen.fillRect(labelPx + scale.x(nowMs), 0, 1.5, height);
  }
  if (brush === undefined) return;
  pen.globalAlpha = 0.2;
  pen.fillStyle = colours.accent;
  pen.fillRect(labelPx + scale.x(brush.startMs), 0, scale.x(brush.endMs) - scale.x(brush.startMs), height);
  pen.globalAlpha = 1;
}

function drawGap(
  pen: CanvasRenderingContext2D,
  { scale, colours, labelPx, height }: TimelinePicture,
  gap: TimeSpan,
): void {
  const from = labelPx + scale.x(gap.startMs);
  const width = scale.x(gap.endMs) - scale.x(gap.startMs);
  pen.fillStyle = colours.paper;
  pen.fillRect(from, 0, width, height);
  pen.strokeStyle = colours['line-strong'];
  pen.lineWidth = 1;
  pen.beginPath();
  const middle = from + width / 2;
  pen.moveTo(middle, 0);
  for (let y = 0; y < height; y += 8) pen.lineTo(middle + (y % 16 === 0 ? 4 : -4), y + 4);
  pen.stroke();
}

function drawAxis(pen: CanvasRenderingContext2D, { scale, colours, labelPx, width, range }: TimelinePicture): void {
  pen.fillStyle = colours.panel;
  pen.fillRect(0, 0, width, AXIS_PX);
  pen.fillStyle = colours.line;
  pen.fillRect(0, AXIS_PX - 1, width, 1);
  pen.fillStyle = colours.quiet;
  pen.font = '11px system-ui, sans-serif';
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  let free = labelPx;
  for (const ms of ticksIn(range, width - labelPx)) {
    const x = labelPx + scale.x(ms) + 4;
    const text = formatMoment(ms);
    const end = x + pen.measureText(text).width;
    if (x < free || end > width) continue;
    pen.fillText(text, x, AXIS_PX / 2);
    free = end + 8;
  }
}
