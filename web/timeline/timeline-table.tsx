// The same as the chart of the timeline, as a table for keys and screen readers.
import { useState, type ReactNode } from 'react';
import { formatDuration } from '../../src/core/view/chart/format.ts';
import type { TimelineRows } from '../model/timeline-rows.ts';
import { useApp } from '../store/use-app.ts';

const ROWS_MAX = 300;

interface TimelineTableProps {
  readonly rows: TimelineRows;
  readonly isBySlot: boolean;
}

export function TimelineTable({ rows, isBySlot }: TimelineTableProps): ReactNode {
  const { linkTo } = useApp();
  // Rows that nobody sees would only cost time at every step of the replay.
  const [isOpen, setOpen] = useState(false);
  const shown = Array.from(
    { length: isOpen ? Math.min(rows.length, ROWS_MAX) : 0 },
    (_, at) => rows.at(at) ?? [],
  ).flat();
  return (
    <details className="timeline-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The same as a table</summary>
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Timeline as a table">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{isBySlot ? 'Slot' : 'Task'}</th>
              <th scope="col" className="number">
                Began
              </th>
              <th scope="col" className="number">
                Worked
              </th>
              <th scope="col" className="number">
                Waited
              </th>
              <th scope="col" className="number">
                Expected
              </th>
              <th scope="col">What happened</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.label}>
                <th scope="row">
                  {isBySlot ? row.label : <a href={linkTo({ page: 'task', task: row.label })}>{row.label}</a>}
                </th>
                <td className="number">{row.bars[0] === undefined ? '' : formatDuration(row.bars[0].startMs)}</td>
                <td className="number">{sumOf(row.bars.filter(({ kind }) => kind !== 'waiting'))}</td>
                <td className="number">{sumOf(row.bars.filter(({ kind }) => kind === 'waiting'))}</td>
                <td className="number">{sumOf(row.forecast)}</td>
                <td>{row.bars.map(({ label, kind }) => label ?? kind).join('; ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > ROWS_MAX && <p className="quiet">… and {rows.length - ROWS_MAX} more rows.</p>}
      </div>
    </details>
  );
}

function sumOf(bars: readonly { readonly startMs: number; readonly endMs: number }[]): string {
  const sum = bars.reduce((total, { startMs, endMs }) => total + endMs - startMs, 0);
  return sum === 0 ? '' : formatDuration(sum);
}
