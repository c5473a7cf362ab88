// The same tasks as a table: sorted by any column, however many there are.
import { memo, useMemo, useState, type ReactNode } from 'react';
import { formatDuration, formatMoney } from '../../src/core/view/chart/format.ts';
import { GROUPS, GROUP_WORDS, type TaskRow } from '../model/task-rows.ts';
import { whyText } from '../model/why-text.ts';
import { StateSign } from '../parts/state-sign.tsx';
import { useApp, useRunView } from '../store/use-app.ts';

type SortKey = 'state' | 'task' | 'agent' | 'time' | 'cost' | 'attempts';

const COLUMNS: readonly { readonly key: SortKey; readonly title: string; readonly isNumber: boolean }[] = [
  { key: 'state', title: 'State', isNumber: false },
  { key: 'task', title: 'Task', isNumber: false },
  { key: 'agent', title: 'Agent', isNumber: false },
  { key: 'time', title: 'Time', isNumber: true },
  { key: 'cost', title: 'Cost', isNumber: true },
  { key: 'attempts', title: 'Attempts', isNumber: true },
];

const ROWS_MAX = 300;

interface RunTableProps {
  readonly rows: readonly TaskRow[];
  readonly selected: string | undefined;
}

export function RunTable({ rows, selected }: RunTableProps): ReactNode {
  const view = useRunView();
  const { linkTo } = useApp();
  const [sort, setSort] = useState<{ readonly key: SortKey; readonly isUp: boolean }>({ key: 'state', isUp: true });
  const [most, setMost] = useState(ROWS_MAX);
  const sorted = useMemo(() => sortRows(rows, sort.key, sort.isUp), [rows, sort]);
  return (
    <div className="table-box">
      <table className="table">
        <caption className="hidden-text">Tasks of the run</caption>
        <thead>
          <tr>
            {COLUMNS.map(({ key, title, isNumber }) => (
              <th
                key={key}
                scope="col"
                className={isNumber ? 'number' : undefined}
                aria-sort={sort.key === key ? (sort.isUp ? 'ascending' : 'descending') : undefined}
              >
                <button type="button" onClick={() => setSort({ key, isUp: sort.key === key ? !sort.isUp : true })}>
                  {title}
                  <span aria-hidden="true">{sort.key === key ? (sort.isUp ? ' ▴' : ' ▾') : ''}</span>
                </button>
              </th>
            ))}
            <th scope="col">Doing, asking or waiting for</th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, most).map((row) => (
            <TableRow
              key={row.path}
              row={row}
              why={whyText(row, view)}
              href={linkTo(row.path === selected ? { page: 'task', task: row.path } : { task: row.path })}
              isSelected={row.path === selected}
            />
          ))}
        </tbody>
      </table>
      {sorted.length > most && (
        <button type="button" className="button" onClick={() => setMost(most + 1000)}>
          {sorted.length - most} more
        </button>
      )}
    </div>
  );
}

interface TableRowProps {
  readonly row: TaskRow;
  readonly why: string;
  readonly href: string;
  readonly isSelected: boolean;
}

/** A step of the replay renders the rows that it changes and no others. */
const TableRow = memo(function TableRow({ row, why, href, isSelected }: TableRowProps): ReactNode {
  return (
    <tr aria-current={isSelected ? 'true' : undefined} className={isSelected ? 'selected' : undefined}>
      <td className="nowrap">
        <StateSign group={row.group} /> {GROUP_WORDS[row.group]}
      </td>
      <th scope="row">
        <a href={href} data-task={row.path}>
          {row.path}
        </a>
      </th>
      <td>{row.agent}</td>
      <td className="number nowrap">
        {row.elapsedMs === undefined ? '' : formatDuration(Math.floor(row.elapsedMs / 1000) * 1000)}
      </td>
      <td className="number">{row.usd > 0 ? formatMoney(row.usd) : ''}</td>
      <td className="number">{row.attempts > 0 ? row.attempts : ''}</td>
      <td className="quiet">{why}</td>
    </tr>
  );
});

const VALUES: Readonly<Record<SortKey, (row: TaskRow) => number | string>> = {
  state: ({ group }) => GROUPS.indexOf(group),
  task: ({ path }) => path,
  agent: ({ agent }) => agent ?? '\u{10FFFF}',
  time: ({ elapsedMs }) => elapsedMs ?? -1,
  cost: ({ usd }) => usd,
  attempts: ({ attempts }) => attempts,
};

/** Rows that are equal keep the order of the plan. */
function sortRows(rows: readonly TaskRow[], key: SortKey, isUp: boolean): readonly TaskRow[] {
  const valueOf = VALUES[key];
  const compare = (one: TaskRow, other: TaskRow): number => {
    const [left, right] = [valueOf(one), valueOf(other)];
    const order = left < right ? -1 : left > right ? 1 : 0;
    return isUp ? order : -order;
  };
  return rows.toSorted(compare);
}
