// The timeline of a run: a row for each task with its work, and the waits between with their reasons.
import type { Compiled } from '../../src/core/compile/compiled.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import type { Waiting } from '../../src/core/engine/events/event-fields.ts';
import { waitingAfter } from '../../src/core/engine/events/event-table.ts';
import type { WorkSpan } from '../../src/core/simulate/work-spans.ts';
import type { Bar, BarKind, ChartRow } from '../../src/core/view/chart/chart.ts';
import type { ClaimSpan } from '../../src/core/view/report/claim-spans.ts';
import { reasonOf } from '../../src/core/view/run/reason-text.ts';

export interface TimelineRow extends ChartRow {
  /** What was expected before the run began. */
  readonly forecast: readonly Bar[];
}

interface Timed {
  readonly compiled: Compiled;
  /** Up to the position that is looked at. */
  readonly events: readonly RunEvent[];
  readonly spans: readonly ClaimSpan[];
  readonly forecast: readonly WorkSpan[];
  readonly nowMs: number;
}

/** In the order of the plan; tasks that have neither begun nor are expected are left out. */
export function timelineRows({ compiled, events, spans, forecast, nowMs }: Timed): readonly TimelineRow[] {
  const worked = Map.groupBy(spans, ({ task }) => task);
  const expected = Map.groupBy(forecast, ({ task }) => task);
  const waits = waitsOf(events, nowMs);
  return compiled.tasks.flatMap(({ task: { path, type } }): TimelineRow[] => {
    // The time of a subplan is that of its tasks.
    if (type === 'subplan') return [];
    const bars = [...(waits.get(path) ?? []), ...(worked.get(path) ?? []).map((span) => timelineBar(span, nowMs))];
    const pale = (expected.get(path) ?? []).map(forecastBar);
    return bars.length === 0 && pale.length === 0 ? [] : [{ label: path, bars, forecast: pale }];
  });
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

interface OpenWait {
  readonly sinceMs: number;
  readonly why: string;
}

/** A wait begins when a task could go on and does not, and ends with its next claim. */
function waitsOf(events: readonly RunEvent[], nowMs: number): ReadonlyMap<string, readonly Bar[]> {
  const startedAt = events[0]?.at ?? 0;
  const bars = new Map<string, Bar[]>();
  const open = new Map<string, OpenWait>();
  const close = (task: string, ms: number): void => {
    const wait = open.get(task);
    open.delete(task);
    if (wait === undefined || ms <= wait.sinceMs) return;
    const own = bars.get(task) ?? [];
    own.push({ startMs: wait.sinceMs, endMs: ms, kind: 'waiting', label: wait.why });
    bars.set(task, own);
  };
  for (const event of events) {
    if (!('task' in event)) continue;
    const ms = Math.max(0, event.at - startedAt);
    const why = waitAfter(event);
    if (why === undefined) continue;
    close(event.task, ms);
    if (why !== '') open.set(event.task, { sinceMs: ms, why });
  }
  for (const task of open.keys()) close(task, nowMs);
  return bars;
}

const WAITING: Readonly<Record<Exclude<Waiting, 'backoff' | 'nothing'>, string>> = {
  start: 'waits for a slot, a pool or an answer',
  slot: 'waits for a slot or a pool',
  check: 'waits for a slot, a pool or its check',
  person: 'waits for a person',
  queue: 'waits for the merge queue',
  paused: 'paused by a person',
};

/** Why a task waits after an event; empty when it does not, and undefined when the event says nothing about it. */
function waitAfter(event: Extract<RunEvent, { readonly task: string }>): string | undefined {
  const waiting = waitingAfter(event);
  if (waiting === undefined) return undefined;
  if (waiting === 'nothing') return '';
  return waiting === 'backoff'
    ? `backs off: ${reasonOf('reason' in event ? event.reason : undefined, undefined)}`
    : WAITING[waiting];
}
