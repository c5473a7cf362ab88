// The timeline on a canvas that draws only the rows in sight: point at a bar for its reason, drag to choose a range.
import { useEffect, useLayoutEffect, useRef, useState, type PointerEvent, type ReactNode, type RefObject } from 'react';
import type { Bar } from '../../src/core/view/chart/chart.ts';
import { formatDuration } from '../../src/core/view/chart/format.ts';
import { timeScale, type TimeScale, type TimeSpan } from '../model/time-scale.ts';
import type { TimelineRows } from '../model/timeline-rows.ts';
import { remPx } from '../parts/rem-px.ts';
import { useThemeColours } from '../parts/theme-colours.ts';
import { AXIS_PX, drawTimeline, ROW_PX } from './draw-timeline.ts';

interface TimelineChartProps {
  readonly rows: TimelineRows;
  readonly range: TimeSpan;
  readonly busy: readonly TimeSpan[];
  readonly nowMs: number;
  readonly chosen: string | undefined;
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly onRange: (range: TimeSpan) => void;
  readonly onTask: (task: string) => void;
  /** Why a task waited at a time; undefined when that is not known. */
  readonly waitAt: (task: string, ms: number) => string | undefined;
  /** What was waited for in a time in which nothing ran. */
  readonly idleAt: (ms: number) => string;
}

const LABEL_SHARE = 0.3;
const LABEL_PX_MAX = 200;
/** A shorter drag is a click. */
const DRAG_PX_MIN = 6;

export function TimelineChart(props: TimelineChartProps): ReactNode {
  const { rows, range, busy, nowMs, chosen, canvas, onRange, onTask } = props;
  const box = useRef<HTMLDivElement>(null);
  // Drawn in the size of the page's text, which grows with very large screens.
  const enlarged = remPx() / 16;
  const size = useSize(box);
  const [width, height] = [size.width / enlarged, size.height / enlarged];
  const [top, setTop] = useState(0);
  const [hovered, setHovered] = useState<Pointed>();
  const [brush, setBrush] = useState<TimeSpan>();
  const drag = useRef<number>(undefined);
  const colours = useThemeColours();
  const says = useSays(hovered, props);
  const labelPx = Math.round(Math.min(LABEL_PX_MAX, width * LABEL_SHARE));
  const scale = timeScale({ ...range, width: Math.max(50, width - labelPx - 8), busy });
  useLayoutEffect(() => {
    const { current } = canvas;
    const pen = current?.getContext('2d');
    if (current === null || pen === null || pen === undefined) return;
    const ratio = devicePixelRatio * enlarged;
    [current.width, current.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawTimeline(pen, { rows, range, scale, colours, labelPx, width, height, top, nowMs, chosen, brush });
  });
  const placeOf = placeIn(enlarged);
  const msAt = (event: PointerEvent): number => scale.ms(placeOf(event).x - labelPx);
  const onMove = (event: PointerEvent): void => {
    const start = drag.current;
    const isDrag = start !== undefined && Math.abs(scale.x(start) + labelPx - placeOf(event).x) > DRAG_PX_MIN;
    if (isDrag) setBrush(spanOf(start, msAt(event)));
    else setHovered(pointedAt(placeOf(event), { rows, scale, labelPx, top, nowMs }));
  };
  const onUp = (event: PointerEvent): void => {
    drag.current = undefined;
    const pointed = pointedAt(placeOf(event), { rows, scale, labelPx, top, nowMs });
    if (brush !== undefined) onRange(brush);
    else if (pointed !== undefined) onTask(pointed.bar?.task ?? pointed.task);
    setBrush(undefined);
  };
  return (
    <>
      <div
        ref={box}
        className="timeline-box"
        onScroll={(event) => setTop(event.currentTarget.scrollTop / enlarged)}
        tabIndex={0}
        role="region"
        aria-label="Timeline; the table below it says the same"
      >
        <canvas
          ref={canvas}
          className="timeline-canvas"
          aria-hidden="true"
          style={size}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            drag.current = msAt(event);
          }}
          onPointerMove={onMove}
          onPointerUp={onUp}
          onPointerLeave={() => setHovered(undefined)}
        />
        <div style={{ height: Math.max(0, AXIS_PX + rows.length * ROW_PX - height) * enlarged }} />
      </div>
      <p className="timeline-says">{says}</p>
    </>
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
}

const placeIn =
  (enlarged: number) =>
  ({ nativeEvent: { offsetX, offsetY } }: PointerEvent): Place => ({ x: offsetX / enlarged, y: offsetY / enlarged });

const spanOf = (one: number, other: number): TimeSpan => ({
  startMs: Math.min(one, other),
  endMs: Math.max(one, other),
});

interface Pointed {
  readonly task: string;
  readonly bar: Bar | undefined;
  /** An idle time that is compressed. */
  readonly gap: TimeSpan | undefined;
  readonly ms: number;
}

interface Under {
  readonly rows: TimelineRows;
  readonly scale: TimeScale;
  readonly labelPx: number;
  readonly top: number;
  readonly nowMs: number;
}

const NEAR_PX = 3;

function pointedAt({ x, y }: Place, { rows, scale, labelPx, top, nowMs }: Under): Pointed | undefined {
  if (y < AXIS_PX) return undefined;
  const row = rows.at(Math.floor((y - AXIS_PX + top) / ROW_PX));
  if (row === undefined) return undefined;
  const isUnder = ({ startMs, endMs }: Bar): boolean =>
    x >= labelPx + scale.x(startMs) - NEAR_PX && x <= labelPx + scale.x(endMs) + NEAR_PX;
  const ms = scale.ms(x - labelPx);
  const gap = scale.gaps.find(({ startMs, endMs }) => ms > startMs && ms < endMs && startMs < nowMs);
  return { task: row.label, bar: row.bars.findLast(isUnder) ?? row.forecast.find(isUnder), gap, ms };
}

const RESTS_MS = 60;

/** The reason of a wait is looked up when the pointer rests: that takes a fold of a part of the log. */
function useSays(pointed: Pointed | undefined, { waitAt, idleAt }: TimelineChartProps): string {
  const [says, setSays] = useState(HINT);
  const latest = useRef({ waitAt, idleAt });
  useEffect(() => {
    latest.current = { waitAt, idleAt };
  });
  useEffect(() => {
    const timer = setTimeout(
      () => setSays(pointed === undefined ? HINT : saysOf(pointed, latest.current)),
      pointed === undefined ? 0 : RESTS_MS,
    );
    return () => clearTimeout(timer);
  }, [pointed]);
  return says;
}

const HINT = 'Point at a bar for its reason; drag over the chart to zoom; click a task to open it.';

function saysOf(
  { task, bar, gap, ms }: Pointed,
  { waitAt, idleAt }: Pick<TimelineChartProps, 'waitAt' | 'idleAt'>,
): string {
  if (gap !== undefined) return `Idle, ${spanText(gap)}: ${idleAt(ms)}`;
  if (bar === undefined) return task;
  const why = bar.kind === 'waiting' ? waitAt(task, ms) : undefined;
  return `${task} · ${why ?? bar.label ?? bar.kind} · ${spanText(bar)}`;
}

const spanText = ({ startMs, endMs }: TimeSpan): string =>
  `${formatDuration(startMs)} to ${formatDuration(endMs)} (${formatDuration(endMs - startMs)})`;

function useSize(box: RefObject<HTMLDivElement | null>): { readonly width: number; readonly height: number } {
  const [size, setSize] = useState({ width: 800, height: 400 });
  useEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const observer = new ResizeObserver(() => setSize({ width: current.clientWidth, height: current.clientHeight }));
    observer.observe(current);
    return () => observer.disconnect();
  }, [box]);
  return size;
}
