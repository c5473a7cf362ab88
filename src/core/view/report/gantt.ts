// The Gantt chart of a run, in real time.
import type { Compiled } from '../../compile/compiled.ts';
import { chartOf, type Bar, type Chart } from '../chart/chart.ts';
import type { Report } from './run-report.ts';
import type { ClaimSpan } from './claim-spans.ts';

/** A claim that is still running gets a bar up to the time of the report. */
export function ganttOf(compiled: Compiled, report: Report): Chart {
  const { spans, critical, times, timeline } = report;
  const drawn = spans.map((span) => ({
    type: span.type,
    task: span.task,
    step: span.type === 'resolve' ? 'conflict' : span.step,
    startMs: span.startMs,
    endMs: span.endMs ?? times.elapsedMs,
    ending: endingOf(span),
  }));
  const chart = chartOf(compiled, { spans: drawn, critical, makespanMs: times.elapsedMs });
  const marks = timeline
    .filter(({ type }) => type === 'paused' || type === 'resumed' || type === 'retried')
    .map(({ atMs, text }) => ({ atMs, label: text }));
  return { ...chart, rows: rowsOf(compiled, chart, report), marks };
}

/** Waiting for a person is drawn as a bar too; a gate has no other bar. */
function rowsOf(compiled: Compiled, { rows }: Chart, { questions, times }: Report): Chart['rows'] {
  if (questions.length === 0) return rows;
  const drawn = new Map(rows.map((row) => [row.label, row.bars]));
  const asked = Map.groupBy(questions, ({ task }) => task);
  return compiled.tasks.flatMap(({ task: { path } }) => {
    const waits = (asked.get(path) ?? []).map(({ startMs, endMs, type }): Bar => {
      return { startMs, endMs: endMs ?? times.elapsedMs, kind: 'waiting', label: type };
    });
    const bars = [...waits, ...(drawn.get(path) ?? [])];
    return bars.length === 0 ? [] : [{ label: path, bars }];
  });
}

function endingOf({ result }: ClaimSpan): 'done' | 'failed' | 'cancelled' {
  switch (result) {
    case 'failed':
    case 'returned':
    case 'conflict':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
    case 'done':
    case 'skipped':
    case 'passed':
    case 'asked':
    case 'working':
      return 'done';
  }
}
