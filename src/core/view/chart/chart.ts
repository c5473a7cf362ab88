// A Gantt chart of a simulated or real run as plain data: one row per task, in the order of the plan, and the ways to
// make a long chart shorter.
//
// chart/G1. A bar lies between 0 and the end of the chart, whatever it was given.
// chart/G2. Omitted parts are counted and reported; nothing disappears silently.
import type { Compiled } from '../../compile/compiled.ts';
import type { WorkSpan } from '../../simulate/work-spans.ts';
import type { CriticalStep } from '../../simulate/critical-path.ts';

export type BarKind = 'work' | 'failed' | 'cancelled' | 'check' | 'merge' | 'waiting';

export const BAR_KINDS: readonly BarKind[] = ['work', 'check', 'merge', 'failed', 'cancelled', 'waiting'];

export interface Bar {
  readonly startMs: number;
  readonly endMs: number;
  readonly kind: BarKind;
  readonly label?: string;
  readonly critical?: boolean;
  /** In a row of a slot. */
  readonly task?: string;
}

export interface ChartRow {
  readonly label: string;
  readonly bars: readonly Bar[];
}

/** A time with a line through the chart. */
interface Mark {
  readonly atMs: number;
  readonly label: string;
}

export interface Chart {
  readonly title: string;
  readonly rows: readonly ChartRow[];
  /** The meaning of a row; `task` when absent. */
  readonly lanes?: 'task' | 'slot';
  readonly endMs: number;
  readonly marks?: readonly Mark[];
}

interface Folded {
  readonly rows: readonly ChartRow[];
  /** The number of hidden rows. */
  readonly hidden: number;
}

export const isCritical = (row: ChartRow): boolean => row.bars.some((bar) => bar.critical === true);

/** Where the chart ends: as given, or later if a bar does. */
export function chartEnd(chart: Chart): number {
  let end = Number.isFinite(chart.endMs) ? Math.max(chart.endMs, 1) : 1;
  for (const row of chart.rows)
    for (const bar of row.bars) if (Number.isFinite(bar.endMs)) end = Math.max(end, bar.endMs);
  return end;
}

/** A bar inside the chart, its end not before its start. */
export function clampBar(bar: Bar, endMs: number): Bar {
  const inside = (ms: number): number => (Number.isFinite(ms) ? Math.min(endMs, Math.max(0, ms)) : 0);
  const startMs = inside(bar.startMs);
  return { ...bar, startMs, endMs: Math.max(startMs, inside(bar.endMs)) };
}

/** At most `rowsMax` rows, in their order: rows on the critical path first, then the earliest in the list. */
export function foldRows(rows: readonly ChartRow[], rowsMax: number): Folded {
  if (rows.length <= rowsMax) return { rows, hidden: 0 };
  const room = Math.max(1, rowsMax - 1);
  const critical = rows.filter(isCritical).slice(0, room);
  const others = rows.filter((row) => !isCritical(row)).slice(0, room - critical.length);
  const kept = new Set([...critical, ...others]);
  return { rows: rows.filter((row) => kept.has(row)), hidden: rows.length - kept.size };
}

/** The same bars in as many rows as run at once; each bar is labelled with its task. */
export function chartBySlot(chart: Chart): Chart {
  const endMs = chartEnd(chart);
  const bars = chart.rows.flatMap((row) =>
    row.bars.map((bar) => {
      const label = bar.label === undefined ? row.label : `${row.label} · ${bar.label}`;
      return clampBar({ ...bar, label, task: row.label }, endMs);
    }),
  );
  bars.sort((one, other) => one.startMs - other.startMs || one.endMs - other.endMs);
  const slots: { endMs: number; readonly bars: Bar[] }[] = [];
  for (const bar of bars) {
    // Waiting takes no slot.
    if (bar.kind === 'waiting') continue;
    const free = slots.find((slot) => slot.endMs <= bar.startMs);
    if (free === undefined) {
      slots.push({ endMs: bar.endMs, bars: [bar] });
    } else {
      free.endMs = bar.endMs;
      free.bars.push(bar);
    }
  }
  return {
    ...chart,
    endMs,
    lanes: 'slot',
    rows: slots.map((slot, index) => ({ label: `slot ${index + 1}`, bars: slot.bars })),
  };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STEPS_MS: readonly number[] = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 28].map((count) => count * DAY),
];

/** Moments from 0 to the end, at most `ticksMax` steps of them. */
export function ticksOf(endMs: number, ticksMax: number): number[] {
  const least = endMs / Math.max(1, ticksMax);
  const longest = STEPS_MS.at(-1) ?? DAY;
  const step = STEPS_MS.find((ms) => ms >= least) ?? Math.ceil(least / longest) * longest;
  return Array.from({ length: Math.floor(endMs / step) + 1 }, (_, index) => index * step);
}

interface Charted {
  readonly spans: readonly WorkSpan[];
  readonly critical: readonly CriticalStep[];
  readonly makespanMs: number;
}

/** The attempts of a run as the rows of a Gantt chart. */
export function chartOf(compiled: Compiled, { spans, critical, makespanMs }: Charted): Chart {
  const isCritical = new Set(critical.map((part) => keyOf(part)));
  const byTask = Map.groupBy(spans, ({ task }) => task);
  const rows = compiled.tasks.flatMap(({ task }) => {
    const ofTask = byTask.get(task.path);
    if (ofTask === undefined) return [];
    return [{ label: task.path, bars: ofTask.map((span) => barOf(span, isCritical.has(keyOf(span)))) }];
  });
  return { title: compiled.plan.name, rows, lanes: 'task', endMs: makespanMs };
}

const keyOf = ({ type, task, step }: { type: string; task: string; step: string | undefined }): string =>
  `${type} ${task} ${step ?? ''}`;

function barOf({ type, step, startMs, endMs, ending }: WorkSpan, critical: boolean): Bar {
  return { startMs, endMs, kind: ending === 'done' ? KINDS[type] : ending, label: step ?? type, critical };
}

const KINDS: Readonly<Record<WorkSpan['type'], BarKind>> = {
  step: 'work',
  check: 'check',
  merge: 'merge',
  resolve: 'work',
};
