// Two runs side by side, task by task, with the differences.
import type { ReactNode } from 'react';
import type { Status } from '../../src/core/view/run/run-status.ts';
import { formatDuration, formatMoney } from '../../src/core/view/chart/format.ts';
import { runPath } from '../client/server-api.ts';
import { compareRuns, type Compared, type ComparedTask } from '../model/compare-runs.ts';
import { DataTable, type TableColumn } from '../parts/data-table.tsx';
import { LoadState } from '../parts/load-state.tsx';
import { SaveView } from '../parts/save-view.tsx';
import { useLoad } from '../parts/use-load.ts';
import type { RunRef } from '../store/run-store.ts';
import { useApp } from '../store/use-app.ts';

interface StatusReply {
  readonly status: Status;
}

interface CompareTableProps {
  readonly left: RunRef;
  readonly right: RunRef;
}

export function CompareTable({ left, right }: CompareTableProps): ReactNode {
  const { api } = useApp();
  const pathOf = ({ project, run }: RunRef): string => runPath(project, run, 'status');
  const one = useLoad<StatusReply>({ path: pathOf(left), version: 0, load: api.get });
  const other = useLoad<StatusReply>({ path: pathOf(right), version: 0, load: api.get });
  if (one.type !== 'ready') return <LoadState loaded={one} what={left.run} />;
  if (other.type !== 'ready') return <LoadState loaded={other} what={right.run} />;
  const [first, second] = [one.value.status, other.value.status];
  const rows = compareRuns(first, second);
  return (
    <section className="section">
      <header className="page-head">
        <h2>
          {left.run} and {right.run}
        </h2>
        <p className="quiet">
          {formatDuration(first.elapsedMs)} and {formatDuration(second.elapsedMs)}; {formatMoney(first.spend.spent.usd)}{' '}
          and {formatMoney(second.spend.spent.usd)}
        </p>
        <SaveView name={`${left.run}-${right.run}`} data={() => rows} />
      </header>
      <DataTable<ComparedTask>
        label="Two runs compared"
        rows={rows}
        keyOf={({ task }) => task}
        columns={[
          { title: 'Task', cell: ({ task }) => task },
          ...columnsOf(left.run, (row) => row.left),
          ...columnsOf(right.run, (row) => row.right),
          { title: 'Difference', isNumber: true, cell: differenceOf },
        ]}
      />
    </section>
  );
}

const columnsOf = (
  run: string,
  of: (row: ComparedTask) => Compared | undefined,
): readonly TableColumn<ComparedTask>[] => [
  { title: `${run}: ended`, cell: (row) => of(row)?.state ?? 'not in the plan' },
  { title: `${run}: took`, isNumber: true, cell: (row) => timeOf(of(row)) },
  { title: `${run}: cost`, isNumber: true, cell: (row) => moneyOf(of(row)) },
];

const timeOf = (task: Compared | undefined): string =>
  task?.elapsedMs === undefined ? '' : formatDuration(task.elapsedMs);

const moneyOf = (task: Compared | undefined): string => (task === undefined ? '' : formatMoney(task.usd));

function differenceOf({ left, right }: ComparedTask): string {
  if (left?.elapsedMs === undefined || right?.elapsedMs === undefined) return '';
  const ms = right.elapsedMs - left.elapsedMs;
  return `${ms >= 0 ? '+' : ''}${formatDuration(ms)}`;
}
