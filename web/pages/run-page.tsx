// The run as a board by stage, or as a table of the same tasks; the selected task beside it.
import { useDeferredValue, useMemo, useRef, type ReactNode } from 'react';
import { stageColumnOf, filterRows, STAGE_COLUMNS, taskRows, type TaskRow } from '../model/task-rows.ts';
import { RunActions } from '../actions/run-actions.tsx';
import { SaveReport } from '../parts/save-from-server.tsx';
import { SaveView } from '../parts/save-view.tsx';
import { TaskPane } from '../parts/task-pane.tsx';
import { useKeys } from '../parts/use-keys.ts';
import { useApp, useRunView } from '../store/use-app.ts';
import { RunBoard } from './run-board.tsx';
import { RunTable } from './run-table.tsx';

export function RunPage(): ReactNode {
  const { route, go } = useApp();
  const view = useRunView();
  const filter = useRef<HTMLInputElement>(null);
  const words = useDeferredValue(route.options['q'] ?? '');
  const isTable = route.options['view'] === 'table';
  const all = useMemo(() => taskRows(view.state, view.status), [view]);
  const rows = useMemo(() => filterRows(all, words), [all, words]);
  const selected = all.find(({ path }) => path === route.task);
  const setView = (name: string): void => go({ options: { view: name } }, 'replace');
  useKeys({
    v: () => setView(isTable ? '' : 'table'),
    '/': () => filter.current?.focus(),
    Escape: () => go({ task: undefined }),
    Enter: () => selected !== undefined && go({ page: 'task' }),
    ...moveKeys(rows, route.task, (task) => go({ task }, 'replace')),
  });
  return (
    <div className={selected === undefined ? 'split' : 'split has-pane'}>
      <div className="split-main">
        <div className="toolbar">
          <input
            ref={filter}
            type="search"
            className="field"
            placeholder="Filter by task, agent or state"
            aria-label="Filter tasks"
            value={route.options['q'] ?? ''}
            onChange={(event) => go({ options: { q: event.target.value } }, 'replace')}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && rows[0] !== undefined) go({ task: rows[0].path }, 'replace');
              if (event.key === 'Enter' || (event.key === 'Escape' && words === '')) event.currentTarget.blur();
            }}
          />
          <div className="switch" role="group" aria-label="Show as">
            <button type="button" aria-pressed={!isTable} onClick={() => setView('')}>
              Board
            </button>
            <button type="button" aria-pressed={isTable} onClick={() => setView('table')}>
              Table
            </button>
            <button type="button" className="elsewhere" aria-pressed={false} onClick={() => go({ page: 'plan' })}>
              Plan
            </button>
          </div>
          <RunActions />
          <SaveView name={`${view.run}-tasks`} data={() => rows}>
            <SaveReport />
          </SaveView>
        </div>
        {rows.length === 0 && <p className="quiet nothing">No task fits the filter.</p>}
        {isTable ? <RunTable rows={rows} selected={route.task} /> : <RunBoard rows={rows} selected={route.task} />}
      </div>
      {selected !== undefined && <TaskPane key={selected.path} row={selected} />}
    </div>
  );
}

/** Up and down go through the tasks in the order of the columns. */
function moveKeys(rows: readonly TaskRow[], current: string | undefined, choose: (task: string) => void) {
  const move = (by: number): void => {
    const byColumn = Map.groupBy(rows, stageColumnOf);
    const paths = STAGE_COLUMNS.flatMap((column) => (byColumn.get(column) ?? []).map(({ path }) => path));
    const at = current === undefined ? -1 : paths.indexOf(current);
    const next = paths[Math.max(0, Math.min(paths.length - 1, at + by))];
    if (next === undefined) return;
    choose(next);
    requestAnimationFrame(() =>
      document
        .querySelector(`[data-task="${CSS.escape(next)}"]`)
        ?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
  };
  return { ArrowDown: () => move(1), j: () => move(1), ArrowUp: () => move(-1), k: () => move(-1) };
}
