// The timeline of a run: a row for each task with its work, and the waits between with their reasons.
import type { Compiled } from '../../src/core/compile/compiled.ts';
import type { WorkSpan } from '../../src/core/simulate/work-spans.ts';
import type { Bar, BarKind, ChartRow } from '../../src/core/view/chart/chart.ts';
import type { ClaimSpan } from '../../src/core/view/report/claim-spans.ts';
import { reasonOf } from '../../src/core/view/run/reason-text.ts';
import type { Histories, TaskHistory } from './task-histories.ts';
import type { TimeSpan } from './time-scale.ts';

export interface TimelineRow extends ChartRow {
  /** What was expected before the run began. */
  readonly forecast: readonly Bar[];
}

/** A list of rows, of which those that somebody looks at are made. */
export type TimelineRows = Pick<readonly TimelineRow[], 'length' | 'at'>;

interface Timed {
  readonly compiled: Compiled;
  readonly histories: Histories;
  readonly forecast: TimelineForecast;
  readonly nowMs: number;
}

/** In the order of the plan; tasks that have neither begun nor are expected are left out. */
export function timelineRows({ compiled, histories, forecast, nowMs }: Timed): TimelineRows {
  const shown: string[] = [];
  for (const { task } of compiled.tasks) {
    // The time of a subplan is that of its tasks.
    if (task.type === 'subplan') continue;
    if (forecast.bars.has(task.path) || hasBars(histories.of(task.path), nowMs)) shown.push(task.path);
  }
  const rowOf = (label: string): TimelineRow => ({
    label,
    bars: barsOf(histories.of(label), nowMs),
    forecast: forecast.bars.get(label) ?? [],
  });
  return {
    length: shown.length,
    at: (index) => {
      const label = shown.at(index);
      return label === undefined ? undefined : rowOf(label);
    },
  };
}

function hasBars(history: TaskHistory | undefined, nowMs: number): boolean {
  if (history === undefined) return false;
  const { spans, waits } = history;
  return spans.length > 0 || waits.over.length > 0 || (waits.open !== undefined && nowMs > waits.open.startMs);
}

function barsOf(history: TaskHistory | undefined, nowMs: number): readonly Bar[] {
  if (history === undefined) return [];
  const { spans, waits } = history;
  const open = waits.open !== undefined && nowMs > waits.open.startMs ? [{ ...waits.open, endMs: nowMs }] : [];
  return [
    ...[...waits.over, ...open].map(({ startMs, endMs, why }): Bar => ({
      startMs,
      endMs,
      kind: 'waiting',
      label: why,
    })),
    ...spans.map((span) => timelineBar(span, nowMs)),
  ];
}

export interface TimelineForecast {
  readonly spans: readonly WorkSpan[];
  /** By task. */
  readonly bars: ReadonlyMap<string, readonly Bar[]>;
  /** When anything is expected to run, without overlaps and in order. */
  readonly busy: readonly TimeSpan[];
  /** Of the tasks of this plan. */
  readonly endMs: number;
}

/** What was expected of a plan: it never changes while the run goes on. */
export function timelineForecast(compiled: Compiled, spans: readonly WorkSpan[]): TimelineForecast {
  const own = spans.filter(({ task }) => compiled.indexOf.has(task));
  const bars = new Map([...Map.groupBy(own, ({ task }) => task)].map(([task, some]) => [task, some.map(forecastBar)]));
  const endMs = own.reduce((end, span) => Math.max(end, span.endMs), 0);
  return { spans, bars, endMs, busy: union(own) };
}

/** When anything ran or was expected to. */
export const busySpans = ({ spans }: Histories, { busy }: TimelineForecast, nowMs: number): readonly TimeSpan[] =>
  union([
    ...busy,
    ...union(spans.map(({ startMs, endMs }) => ({ startMs, endMs: Math.max(startMs, endMs ?? nowMs) }))),
  ]);

/** Spans that meet as one. Sorting spans that are in order already takes one look at each. */
function union(spans: readonly TimeSpan[]): readonly TimeSpan[] {
  const all: TimeSpan[] = [];
  let last: { startMs: number; endMs: number } | undefined;
  for (const { startMs, endMs } of spans.toSorted((one, other) => one.startMs - other.startMs)) {
    if (last !== undefined && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else {
      last = { startMs, endMs };
      all.push(last);
    }
  }
  return all;
}

const KINDS: Readonly<Record<ClaimSpan['type'], BarKind>> = {
  step: 'work',
  resolve: 'work',
  check: 'check',
  merge: 'merge',
};

export const forecastBar = ({ type, step, startMs, endMs }: WorkSpan): Bar => ({
  startMs,
  endMs,
  kind: KINDS[type],
  label: `${step ?? type}, expected`,
});

export function timelineBar(
  { type, step, attempt, host, startMs, endMs, result, reason }: ClaimSpan,
  nowMs: number,
): Bar {
  const name = type === 'step' ? (step ?? 'main') : type;
  const why = reasonOf(reason, undefined);
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  const where = host === undefined ? '' : ` on ${host}`;
  return {
    startMs,
    endMs: Math.max(startMs, endMs ?? nowMs),
    kind: kindOf(type, result),
    label: `${name}${again}${where}: ${result === 'working' ? 'running' : result}${why === '' || why === result ? '' : `, ${why}`}`,
  };
}

function kindOf(type: ClaimSpan['type'], result: ClaimSpan['result']): BarKind {
  if (result === 'failed' || result === 'returned' || result === 'conflict') return 'failed';
  return result === 'cancelled' ? 'cancelled' : KINDS[type];
}
