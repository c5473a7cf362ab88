// The whole log as a strip behind the slider: how much happened when, and what a person looks for.
import { useEffect, useRef, type ReactNode } from 'react';
import { formatMoment } from '../../src/core/view/chart/format.ts';
import type { LogMark, MarkType } from '../model/log-marks.ts';
import type { TimeAxis } from '../model/time-axis.ts';
import { readColours } from '../parts/read-colours.ts';
import { remPx } from '../parts/rem-px.ts';

interface ReplayStripProps {
  readonly axis: TimeAxis;
  readonly marks: readonly LogMark[];
}

const COLOURS = {
  failure: '--failed-fill',
  question: '--asks-fill',
  merge: '--done-fill',
  amendment: '--accent',
  density: '--waiting-fill',
  gap: '--line-strong',
  text: '--quiet',
} as const;

/** Where a mark stands, so that marks of different kinds do not hide each other. */
const LANES: Readonly<Record<MarkType, number>> = { question: 0, failure: 0.25, merge: 0.5, amendment: 0 };

export function ReplayStrip({ axis, marks }: ReplayStripProps): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const redraw = (): void => drawStrip(element, axis, marks);
    const observer = new ResizeObserver(redraw);
    observer.observe(element);
    globalThis.addEventListener('themechange', redraw);
    return () => {
      observer.disconnect();
      globalThis.removeEventListener('themechange', redraw);
    };
  }, [axis, marks]);
  return <canvas ref={canvas} className="replay-strip" aria-hidden="true" />;
}

function drawStrip(canvas: HTMLCanvasElement, axis: TimeAxis, marks: readonly LogMark[]): void {
  const { clientWidth: width, clientHeight } = canvas;
  const height = clientHeight - TEXT_REM * remPx();
  const scale = globalThis.devicePixelRatio;
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(clientHeight * scale));
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  const colours = readColours(canvas, COLOURS);
  pen.scale(scale, scale);
  drawTimes(pen, { axis, width, height, colour: colours.text });
  drawDensity(pen, { axis, width, height, colour: colours.density });
  pen.fillStyle = colours.gap;
  for (const position of axis.gaps) {
    const x = ((axis.shareOf(position) + axis.shareOf(position + 1)) / 2) * width;
    for (let y = 1; y < height; y += 4) pen.fillRect(x + (y % 8 === 1 ? -1 : 1), y, 1.5, 3);
  }
  for (const { type, position } of marks) {
    const x = axis.shareOf(position) * width;
    pen.fillStyle = colours[type];
    if (type === 'amendment') pen.fillRect(x - 1, 0, 2, height);
    else pen.fillRect(x - 1, LANES[type] * height, 2, height * 0.5);
  }
}

interface Density {
  readonly axis: TimeAxis;
  readonly width: number;
  readonly height: number;
  readonly colour: string;
}

const BAR_WIDTH = 3;
/** The height of the line with the times, and the least distance between two of them. */
const TEXT_REM = 0.75;
const TEXT_EVERY_REM = 7;

/** The time of the run at even distances; it is no even time, because idle gaps are compressed. */
function drawTimes(pen: CanvasRenderingContext2D, { axis, width, height, colour }: Density): void {
  const count = Math.max(1, Math.floor(width / (TEXT_EVERY_REM * remPx())));
  pen.fillStyle = colour;
  pen.font = `${(10 / 16) * remPx()}px system-ui, sans-serif`;
  pen.textBaseline = 'bottom';
  let last = '';
  for (let at = 0; at <= count; at += 1) {
    const text = formatMoment(axis.elapsedAt(axis.positionAt(at / count)));
    if (text === last) continue;
    last = text;
    pen.textAlign = at === 0 ? 'left' : at === count ? 'right' : 'center';
    pen.fillText(text, (at / count) * width, height + TEXT_REM * remPx());
  }
}

function drawDensity(pen: CanvasRenderingContext2D, { axis, width, height, colour }: Density): void {
  const counts = new Float64Array(Math.max(1, Math.ceil(width / BAR_WIDTH)));
  for (let position = 1; position <= axis.length; position += 1) {
    const at = Math.min(counts.length - 1, Math.floor(axis.shareOf(position) * counts.length));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  const most = Math.sqrt(counts.reduce((found, count) => Math.max(found, count), 1));
  pen.fillStyle = colour;
  counts.forEach((count, index) => {
    // The root keeps a quiet hour visible beside a busy minute.
    const tall = (Math.sqrt(count) / most) * height;
    if (count > 0) pen.fillRect(index * BAR_WIDTH, height - tall, BAR_WIDTH - 1, tall);
  });
}
