// The pools of the run: who holds what since when, who waits, and what is closed until when.
import { useMemo, type ReactNode } from 'react';
import { formatDuration } from '../../src/core/view/chart/format.ts';
import { poolRows, type PoolHolder, type PoolRow } from '../model/pool-rows.ts';
import { DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { SaveView } from '../parts/save-view.tsx';
import { useApp, useRunView } from '../store/use-app.ts';

export function PoolsPage(): ReactNode {
  const view = useRunView();
  const { run, status } = view;
  const rows = useMemo(() => poolRows(view.state, view.status), [view]);
  return (
    <div>
      <header className="page-head">
        <h2>Pools</h2>
        <p className="quiet">
          {status.cap.held} of {status.cap.size} slots of the run are taken.
        </p>
        <SaveView name={`${run}-pools`} data={() => rows} />
      </header>
      {rows.length === 0 && (
        <EmptyState title="The plan has no pools">
          <p>A pool limits how many steps use one thing at once, such as an account or a browser.</p>
        </EmptyState>
      )}
      {status.backingOff.map(({ agent, until }) => (
        <p key={agent} className="notice">
          {agent} has no quota until {new Date(until).toLocaleTimeString()}.
        </p>
      ))}
      <div className="columns">
        {rows.map((row) => (
          <Pool key={row.name} row={row} />
        ))}
      </div>
    </div>
  );
}

function Pool({ row }: { readonly row: PoolRow }): ReactNode {
  const { linkTo } = useApp();
  const { now } = useRunView();
  const { name, size, held, closedUntil, effectiveLimit, holders, waiting } = row;
  const taskLink = (task: string): ReactNode => <a href={linkTo({ page: 'task', task })}>{task}</a>;
  return (
    <section className="card" aria-label={`Pool ${name}`}>
      <header className="turn-head">
        <h3>{name}</h3>
        <span>
          {held} of {size} held
        </span>
        {closedUntil !== undefined && (
          <span className="badge badge-asks">closed for {formatDuration(Math.max(0, closedUntil - now))}</span>
        )}
        {effectiveLimit !== undefined && <span className="badge badge-asks">throttled to {effectiveLimit}</span>}
      </header>
      <div className="pool-tokens" aria-hidden="true">
        {Array.from({ length: Math.min(size, 64) }, (_, at) => (
          <span key={at} className={at < held ? 'pool-token held' : 'pool-token'} />
        ))}
      </div>
      <DataTable<PoolHolder>
        label={`Holders of ${name}`}
        rows={holders}
        keyOf={({ task, step }) => `${task} ${step}`}
        empty="Nobody holds it."
        columns={[
          { title: 'Held by', cell: ({ task }) => taskLink(task) },
          { title: 'Step', cell: ({ step }) => step },
          { title: 'Tokens', isNumber: true, cell: ({ tokens }) => tokens },
          { title: 'For', isNumber: true, cell: ({ since }) => formatDuration(Math.max(0, now - since)) },
        ]}
      />
      {waiting.length > 0 && (
        <p className="quiet">
          Waiting:{' '}
          {waiting.slice(0, 20).map(({ task, step }, at) => (
            <span key={`${task} ${step}`}>
              {at > 0 && ', '}
              {taskLink(task)}
            </span>
          ))}
          {waiting.length > 20 && ` and ${waiting.length - 20} more`}
        </p>
      )}
    </section>
  );
}
