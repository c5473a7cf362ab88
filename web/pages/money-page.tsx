// Money: settled and reserved under the ceiling over time, the forecast, and who spent it.
import { useMemo, useRef, type ReactNode } from 'react';
import { formatCount, formatDuration, formatMoney } from '../../src/core/view/chart/format.ts';
import { moneySeries, thinned } from '../model/money-series.ts';
import { spendBy, type SpendRow } from '../model/spend-by.ts';
import { historiesAt } from '../model/task-histories.ts';
import { MoneyChart } from './money-chart.tsx';
import { DataTable, type TableColumn } from '../parts/data-table.tsx';
import { SaveView } from '../parts/save-view.tsx';
import { chartedUntil } from '../store/run-store.ts';
import { useApp, useRunView } from '../store/use-app.ts';
import { useForecast } from '../store/use-forecast.ts';

const POINTS_MAX = 800;

export function MoneyPage(): ReactNode {
  const { linkTo } = useApp();
  const view = useRunView();
  const { run, events, position, state, status } = view;
  const picture = useRef<SVGSVGElement>(null);
  const { compiled } = state;
  const points = useMemo(() => moneySeries(events, position), [events, position]);
  const usd = useForecast()?.usd;
  const tables = useMemo(
    () => spendBy(compiled, historiesAt(events, position, compiled).all),
    [compiled, events, position],
  );
  const { spent, reserved, ceiling } = status.spend;
  return (
    <div className="money-page">
      <header className="page-head">
        <h2>Money</h2>
        <dl className="figures">
          <Figure title="Settled" text={formatMoney(spent.usd)} />
          <Figure title="Reserved" text={formatMoney(reserved.usd)} />
          <Figure title="Ceiling" text={ceiling.usd === undefined ? 'none' : formatMoney(ceiling.usd)} />
          <Figure title="Tokens" text={formatCount(spent.tokens)} />
        </dl>
        <SaveView name={`${run}-money`} data={() => ({ points, ...tables })} picture={() => picture.current} />
      </header>
      <section className="card">
        <ul className="legend">
          <li>
            <span className="legend-box legend-settled" aria-hidden="true" /> settled
          </li>
          <li>
            <span className="legend-box legend-reserved" aria-hidden="true" /> reserved above it
          </li>
          <li>
            <span className="legend-box legend-forecast" aria-hidden="true" /> forecast of the whole run
          </li>
        </ul>
        <MoneyChart
          points={thinned(points, POINTS_MAX)}
          nowMs={Math.max(1, chartedUntil(view) - status.startedAt)}
          ceiling={ceiling.usd}
          forecast={usd !== undefined && usd.high > 0 ? usd : undefined}
          picture={picture}
        />
      </section>
      <div className="columns">
        <SpendTable title="By agent" rows={tables.byAgent} />
        <SpendTable title="By pool" rows={tables.byPool} />
      </div>
      <SpendTable title="By task" rows={tables.byTask} linkOf={(task) => linkTo({ page: 'task', task })} />
    </div>
  );
}

export const Figure = ({ title, text }: { readonly title: string; readonly text: string }): ReactNode => (
  <div>
    <dt>{title}</dt>
    <dd>{text}</dd>
  </div>
);

interface SpendTableProps {
  readonly title: string;
  readonly rows: readonly SpendRow[];
  readonly linkOf?: (name: string) => string;
}

function SpendTable({ title, rows, linkOf }: SpendTableProps): ReactNode {
  const columns: readonly TableColumn<SpendRow>[] = [
    { title: 'Name', cell: ({ name }) => (linkOf === undefined ? name : <a href={linkOf(name)}>{name}</a>) },
    { title: 'Turns', isNumber: true, cell: ({ turns }) => turns },
    { title: 'Time', isNumber: true, cell: ({ workMs }) => formatDuration(workMs) },
    { title: 'Tokens', isNumber: true, cell: ({ tokens }) => formatCount(tokens) },
    { title: 'Cost', isNumber: true, cell: ({ usd }) => formatMoney(usd) },
  ];
  return (
    <section className="section">
      <h3>{title}</h3>
      <DataTable
        label={title}
        rows={rows}
        keyOf={({ name }) => name}
        columns={columns}
        empty="Nothing was spent yet."
      />
    </section>
  );
}
