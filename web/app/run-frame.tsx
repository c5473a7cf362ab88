// A page of a run: the header above it, the replay bar below it, and what is shown until the run can be.
import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { EmptyState, LoadingState } from '../parts/empty-state.tsx';
import type { Page } from '../pages/page-table.ts';
import type { Dashboard } from '../store/dashboard.ts';
import type { LogDamage, RunLoad } from '../store/run-store.ts';
import { RunViewContext, useApp } from '../store/use-app.ts';
import { ReplayBar } from './replay-bar.tsx';
import { RunHeader } from './run-header.tsx';

interface RunFrameProps {
  readonly dashboard: Dashboard;
  readonly page: Page;
}

const NOTHING: RunLoad = { type: 'loading', events: 0 };

export function RunFrame({ dashboard, page }: RunFrameProps): ReactNode {
  const { route } = useApp();
  const store = dashboard.store();
  const load = useSyncExternalStore(
    (listener) => store?.subscribe(listener) ?? (() => undefined),
    () => store?.current() ?? NOTHING,
  );
  useEffect(() => store?.seek(route.at), [store, route.at]);
  const Shown = page.component;
  switch (load.type) {
    case 'loading':
      return (
        <main id="main" tabIndex={-1}>
          <h1 className="hidden-text">{route.run}</h1>
          <LoadingState title={load.events === 0 ? 'Reading the log …' : `Reading the log: ${load.events} events …`} />
        </main>
      );
    case 'unreadable':
      return (
        <main id="main" tabIndex={-1}>
          <h1 className="hidden-text">{route.run}</h1>
          <EmptyState title="The log of this run cannot be read" isAlert command="heddle doctor">
            <p>{damageText(load.damage)}</p>
          </EmptyState>
        </main>
      );
    case 'ready':
      return (
        <RunViewContext value={load.view}>
          <RunHeader />
          {load.view.damage !== undefined && (
            <p className="notice notice-bad" role="alert">
              The log reads up to event {load.view.damage.position}, which is shown. {damageText(load.view.damage)}
            </p>
          )}
          <main id="main" tabIndex={-1} className={`page page-${page.id}`}>
            <Shown />
          </main>
          <ReplayBar />
        </RunViewContext>
      );
  }
}

const DAMAGES: Readonly<Record<LogDamage['code'], string>> = {
  store: 'Its file cannot be read.',
  'log-shortened': 'It once had more events than it has.',
  'run-gone': 'The run is gone from its store.',
  unreadable: 'An event cannot be read.',
};

function damageText({ code, message }: LogDamage): string {
  if (message === undefined) return DAMAGES[code];
  return code === 'unreadable' ? `${DAMAGES[code]} ${message}` : message;
}
