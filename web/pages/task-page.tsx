// One task of the run: how it stands, and everything that is known of it.
import { useMemo, type ReactNode } from 'react';
import { writeEvent } from '../../src/core/engine/events/event-format.ts';
import { formatDuration, formatMoney } from '../../src/core/view/chart/format.ts';
import { claimSpans } from '../../src/core/view/report/claim-spans.ts';
import { GROUPS, GROUP_WORDS, taskRows, type TaskRow } from '../model/task-rows.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { QuestionCard } from '../parts/question-card.tsx';
import { SaveView } from '../parts/save-view.tsx';
import { StateSign } from '../parts/state-sign.tsx';
import { TaskActions } from '../parts/task-pane.tsx';
import type { RunView } from '../store/run-store.ts';
import { useApp, useRunView } from '../store/use-app.ts';
import { TaskTabs } from '../task/task-tabs.tsx';

export function TaskPage(): ReactNode {
  const { route, go } = useApp();
  const view = useRunView();
  const rows = useMemo(() => taskRows(view.state, view.status), [view]);
  const row = rows.find(({ path }) => path === route.task) ?? (route.task === undefined ? rows[0] : undefined);
  return (
    <div className="task-page">
      <header className="task-head">
        {row !== undefined && <StateSign group={row.group} />}
        <h2>{row?.path ?? route.task}</h2>
        {row !== undefined && (
          <p className="quiet">
            {GROUP_WORDS[row.group]}
            {row.agent !== undefined && ` · ${row.agent}`}
            {row.elapsedMs !== undefined && ` · ${formatDuration(Math.floor(row.elapsedMs / 1000) * 1000)}`}
            {row.usd > 0 && ` · ${formatMoney(row.usd)}`}
            {row.attempts > 1 && ` · ${row.attempts} attempts`}
          </p>
        )}
        <select
          className="field task-choice"
          aria-label="Another task"
          value={row?.path ?? ''}
          onChange={(event) => go({ task: event.target.value })}
        >
          {row === undefined && <option value="">{route.task}</option>}
          {choicesOf(rows, row).map(({ path, group }) => (
            <option key={path} value={path}>
              {path} · {GROUP_WORDS[group]}
            </option>
          ))}
          {rows.length > CHOICES_MAX && <option disabled>… all {rows.length} are on the page Run</option>}
        </select>
        {row !== undefined && <SaveView name={`${view.run}-${row.path}`} data={() => dataOf(row, view)} />}
      </header>
      {row !== undefined && <TaskControls row={row} />}
      {row === undefined ? (
        <EmptyState title="The plan has no such task here">
          <p>An amendment may add or remove it: move the replay bar, or choose another task above.</p>
        </EmptyState>
      ) : (
        <TaskTabs task={row.path} />
      )}
    </div>
  );
}

/** Thousands of choices are no choice, and cost seconds. */
const CHOICES_MAX = 200;

/** Of a large run the most urgent tasks, and the one that is shown. */
function choicesOf(rows: readonly TaskRow[], shown: TaskRow | undefined): readonly TaskRow[] {
  if (rows.length <= CHOICES_MAX) return rows;
  const byGroup = Map.groupBy(rows, ({ group }) => group);
  const urgent = GROUPS.flatMap((group) => byGroup.get(group)?.slice(0, CHOICES_MAX) ?? []).slice(0, CHOICES_MAX);
  return shown === undefined || urgent.includes(shown) ? urgent : [shown, ...urgent];
}

function TaskControls({ row }: { readonly row: TaskRow }): ReactNode {
  const { status } = useRunView();
  const questions = status.questions.filter(({ task }) => task === row.path);
  if (row.group === 'done' || row.group === 'skipped') return null;
  return (
    <div className="task-controls">
      {questions.map((question) => (
        <QuestionCard key={`${question.step ?? ''} ${question.attempt}`} question={question} />
      ))}
      <TaskActions row={row} />
    </div>
  );
}

/** How it stands, its claims, and the events about it up to the position that is looked at. */
function dataOf(row: TaskRow, { events, position, state }: RunView): unknown {
  const shown = events.slice(0, position);
  return {
    ...row,
    claims: claimSpans(state.compiled, shown).filter(({ task }) => task === row.path),
    events: shown.flatMap((event): unknown =>
      'task' in event && event.task === row.path ? [JSON.parse(writeEvent(event))] : [],
    ),
  };
}
