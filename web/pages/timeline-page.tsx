// The run over time: work, checks, merges and waits of each task over the forecast, with idle gaps compressed.
import { useMemo, useRef, type ReactNode } from 'react';
import { formatDuration } from '../../src/core/view/chart/format.ts';
import type { TimeSpan } from '../model/time-scale.ts';
import { rowsByPool } from '../model/rows-by-pool.ts';
import { historiesAt } from '../model/task-histories.ts';
import {
  busySpans,
  timelineForecast,
  timelineRows,
  type TimelineRow,
  type TimelineRows,
} from '../model/timeline-rows.ts';
import { idleAt, waitAt } from '../model/wait-at.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { SaveReport } from '../parts/save-from-server.tsx';
import { SaveView } from '../parts/save-view.tsx';
import { useKeys } from '../parts/use-keys.ts';
import { chartedUntil } from '../store/run-store.ts';
import { useApp, useRunView } from '../store/use-app.ts';
import { useForecast } from '../store/use-forecast.ts';
import { TimelineChart } from '../timeline/timeline-chart.tsx';
import { TimelineTable } from '../timeline/timeline-table.tsx';

const LEAST_MS = 50;

export function TimelinePage(): ReactNode {
  const { route, go } = useApp();
  const view = useRunView();
  const { run, status, state } = view;
  const canvas = useRef<HTMLCanvasElement>(null);
  const nowMs = Math.max(1, chartedUntil(view) - status.startedAt);
  const isBySlot = route.options['lanes'] === 'slot';
  const { rows, busy, wholeMs } = useRows(nowMs, isBySlot);
  const range = rangeIn(route.options, wholeMs);
  const setRange = ({ startMs, endMs }: TimeSpan): void => {
    const [from, to] = [Math.max(0, Math.round(startMs)), Math.min(wholeMs, Math.round(endMs))];
    const isWhole = from <= 0 && to >= wholeMs;
    const options = { from: isWhole ? undefined : String(from), to: isWhole ? undefined : String(to) };
    if (to - from >= LEAST_MS) go({ options }, 'replace');
  };
  const zoom = (by: number): void => {
    const middle = (range.startMs + range.endMs) / 2;
    const half = ((range.endMs - range.startMs) / 2) * by;
    setRange({ startMs: middle - half, endMs: middle + half });
  };
  const pan = (by: number): void => {
    const length = range.endMs - range.startMs;
    const startMs = Math.min(wholeMs - length, Math.max(0, range.startMs + by * length));
    setRange({ startMs, endMs: startMs + length });
  };
  const showWhole = (): void => setRange({ startMs: 0, endMs: wholeMs });
  useKeys({
    '+': () => zoom(0.5),
    '-': () => zoom(2),
    '0': showWhole,
    ',': () => pan(-0.25),
    '.': () => pan(0.25),
    v: () => go({ options: { lanes: isBySlot ? undefined : 'slot' } }, 'replace'),
  });
  if (rows.length === 0) return <NothingYet />;
  return (
    <div className="timeline">
      <div className="tool-row">
        <LaneSwitch isBySlot={isBySlot} />
        <ZoomButtons onZoom={zoom} onWhole={showWhole} />
        <span className="quiet">
          {formatDuration(range.startMs)} to {formatDuration(range.endMs)}
        </span>
        <SaveView name={`${run}-timeline`} data={() => allOf(rows)} picture={() => canvas.current}>
          <SaveReport />
        </SaveView>
      </div>
      <Legend />
      <TimelineChart
        rows={rows}
        range={range}
        busy={busy}
        nowMs={nowMs}
        chosen={route.task}
        canvas={canvas}
        onRange={setRange}
        onTask={(task) => {
          if (state.compiled.indexOf.has(task)) go({ page: 'task', task });
        }}
        waitAt={(task, ms) => waitAt(view, task, ms)}
        idleAt={(ms) => idleAt(view, ms)}
      />
      <TimelineTable rows={rows} isBySlot={isBySlot} />
    </div>
  );
}

const NothingYet = (): ReactNode => (
  <EmptyState title="Nothing has begun yet">
    <p>Each task gets a row here as soon as it is open.</p>
  </EmptyState>
);

interface ZoomButtonsProps {
  readonly onZoom: (by: number) => void;
  readonly onWhole: () => void;
}

const ZoomButtons = ({ onZoom, onWhole }: ZoomButtonsProps): ReactNode => (
  <span className="zoom-buttons">
    <button type="button" className="button" aria-label="Zoom in" onClick={() => onZoom(0.5)}>
      +
    </button>
    <button type="button" className="button" aria-label="Zoom out" onClick={() => onZoom(2)}>
      −
    </button>
    <button type="button" className="button" onClick={onWhole}>
      Whole run
    </button>
  </span>
);

/** Of a run that is over, a forecast that was far too long would leave what happened no room. */
const SHOWN_BEYOND = 1.5;

interface Rows {
  /** By task or by slot. */
  readonly rows: TimelineRows;
  readonly busy: readonly TimeSpan[];
  readonly wholeMs: number;
}

function useRows(nowMs: number, isBySlot: boolean): Rows {
  const { events, position, state, status } = useRunView();
  const isOver = status.stage === 'ended';
  const { compiled } = state;
  const expected = useForecast()?.spans;
  const forecast = useMemo(() => timelineForecast(compiled, expected ?? []), [compiled, expected]);
  return useMemo(() => {
    const histories = historiesAt(events, position, compiled);
    const busy = busySpans(histories, forecast, nowMs);
    const endMs = Math.ceil(Math.max(nowMs, forecast.endMs));
    const wholeMs = isOver ? Math.min(endMs, nowMs * SHOWN_BEYOND) : endMs;
    const { spans } = histories;
    const rows = isBySlot
      ? rowsByPool({ compiled, spans, forecast: forecast.spans, nowMs, wholeMs })
      : timelineRows({ compiled, histories, forecast, nowMs });
    return { rows, busy, wholeMs };
  }, [events, position, compiled, forecast, nowMs, isBySlot, isOver]);
}

const allOf = (rows: TimelineRows): readonly TimelineRow[] =>
  Array.from({ length: rows.length }, (_, at) => rows.at(at) ?? []).flat();

function rangeIn(options: Readonly<Record<string, string>>, endMs: number): TimeSpan {
  const from = Number(options['from'] ?? 0);
  const to = Number(options['to'] ?? endMs);
  return from >= 0 && to - from >= LEAST_MS ? { startMs: from, endMs: to } : { startMs: 0, endMs };
}

function LaneSwitch({ isBySlot }: { readonly isBySlot: boolean }): ReactNode {
  const { go } = useApp();
  return (
    <span className="switch" role="group" aria-label="Rows">
      <button type="button" aria-pressed={!isBySlot} onClick={() => go({ options: { lanes: undefined } }, 'replace')}>
        By task
      </button>
      <button type="button" aria-pressed={isBySlot} onClick={() => go({ options: { lanes: 'slot' } }, 'replace')}>
        By pool slot
      </button>
    </span>
  );
}

const LEGEND = [
  ['work', 'work'],
  ['check', 'check'],
  ['merge', 'merge'],
  ['failed', 'failed ×'],
  ['waiting', 'waits'],
  ['forecast', 'forecast'],
] as const;

const Legend = (): ReactNode => (
  <ul className="legend">
    {LEGEND.map(([kind, words]) => (
      <li key={kind}>
        <span className={`legend-box legend-${kind}`} aria-hidden="true" /> {words}
      </li>
    ))}
  </ul>
);
