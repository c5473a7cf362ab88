// The merge queue: what is merged and checked, who is next, what failed and why, and which tasks conflict in which files.
import { useMemo, type ReactNode } from 'react';
import { firstToMerge } from '../../src/core/engine/merge-order.ts';
import type { MergeChecksReply, MergePrefixesReply } from '../../src/core/protocol/web.ts';
import { formatDuration } from '../../src/core/view/chart/format.ts';
import type { ClaimSpan } from '../../src/core/view/report/claim-spans.ts';
import type { ConflictSummary } from '../../src/core/view/report/conflict-summaries.ts';
import { runPath } from '../client/server-api.ts';
import { conflictsAt, historiesAt } from '../model/task-histories.ts';
import { webErrorText } from '../../src/core/view/text/web-error-text.ts';
import { DataTable } from '../parts/data-table.tsx';
import { PrintedQuote } from '../parts/foreign-text.tsx';
import { SaveView } from '../parts/save-view.tsx';
import { useLoad } from '../parts/use-load.ts';
import { useApp, useRunView } from '../store/use-app.ts';

export function MergePage(): ReactNode {
  const view = useRunView();
  const { run, state, status, events, position, now } = view;
  const { compiled } = state;
  const merges = useMemo(
    () => historiesAt(events, position, compiled).spans.filter(({ type }) => type === 'merge'),
    [compiled, events, position],
  );
  const conflicts = useMemo(() => conflictsAt(events, position), [events, position]);
  const merging = status.running.filter(({ type }) => type === 'merge');
  const pathOf = (index: number): string => compiled.tasks[index]?.task.path ?? '';
  const queue = [...state.queue].map(pathOf).filter((task) => !merging.some((each) => each.task === task));
  const first = firstToMerge(state);
  return (
    <div>
      <header className="page-head">
        <h2>Merge queue</h2>
        {first !== undefined && <p className="quiet">In the order of the plan; next is {pathOf(first)}.</p>}
        <SaveView name={`${run}-merges`} data={() => ({ merging, queue, merges, conflicts })} />
      </header>
      <div className="columns">
        <section className="card">
          <h3>Merged and checked now</h3>
          {merging.length === 0 && <p className="quiet">Nothing.</p>}
          <ol className="plain-list">
            {merging.map(({ task, since }) => (
              <li key={task}>
                <span className="badge badge-running">● merging</span> <TaskRef task={task} />{' '}
                <span className="quiet">{formatDuration(Math.max(0, now - since))}</span>
              </li>
            ))}
          </ol>
          {merging.length > 0 && view.isLive && <Prefixes />}
        </section>
        <section className="card">
          <h3>Waiting, in order</h3>
          {queue.length === 0 && <p className="quiet">Nobody.</p>}
          <ol className="plain-list">
            {queue.map((task, at) => (
              <li key={task}>
                <span className="quiet">{at + 1}.</span> <TaskRef task={task} />
              </li>
            ))}
          </ol>
        </section>
      </div>
      <Conflicts conflicts={conflicts} />
      <Merges merges={merges} />
    </div>
  );
}

/** Checks begin and end without an event, so they are asked for again. */
const CHECKS_EVERY_MS = 2_000;

/** Of the tasks that are merged, the first few are checked together, and the first few more, at the same time. */
function Prefixes(): ReactNode {
  const { api } = useApp();
  const { project, run, now } = useRunView();
  const path = runPath(project, run, 'merge-prefixes');
  const loaded = useLoad<MergePrefixesReply>({ path, version: Math.floor(now / CHECKS_EVERY_MS), load: api.get });
  const prefixes = loaded.type === 'ready' ? loaded.value.prefixes : [];
  if (prefixes.length === 0) return null;
  return (
    <>
      <h4>Checked together</h4>
      <ol className="plain-list" aria-label="Prefixes under check">
        {prefixes.map(({ tasks, startedAt }) => (
          <li key={tasks.join(' ')}>
            {tasks.join(', ')} <span className="quiet">{formatDuration(Math.max(0, now - startedAt))}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

function TaskRef({ task }: { readonly task: string }): ReactNode {
  const { linkTo } = useApp();
  return <a href={linkTo({ page: 'task', task, options: { tab: 'checks' } })}>{task}</a>;
}

const PATHS_MAX = 12;

function Conflicts({ conflicts }: { readonly conflicts: readonly ConflictSummary[] }): ReactNode {
  const paths = [...new Set(conflicts.flatMap((conflict) => conflict.paths))].slice(0, PATHS_MAX);
  return (
    <section className="section">
      <h3>Conflicts</h3>
      <DataTable<ConflictSummary>
        label="Conflicts by pair and path"
        rows={conflicts}
        keyOf={({ task, atMs }) => `${task} ${atMs}`}
        empty="No two tasks changed the same lines."
        columns={[
          { title: 'Tasks', cell: ({ task, with: others }) => `${task} × ${others.join(', ') || 'the run branch'}` },
          ...paths.map((path) => ({
            title: path,
            cell: (conflict: ConflictSummary) => (conflict.paths.includes(path) ? '✗ conflict' : ''),
          })),
          { title: 'Turns', isNumber: true, cell: ({ turns }) => turns },
          { title: 'Resolved by', cell: ({ resolvedBy }) => resolvedBy ?? 'open' },
        ]}
      />
    </section>
  );
}

function Merges({ merges }: { readonly merges: readonly ClaimSpan[] }): ReactNode {
  const { api } = useApp();
  const { project, run, now, status } = useRunView();
  const failed = merges.filter(({ result }) => result === 'failed');
  const path = failed.length === 0 ? undefined : runPath(project, run, 'merge-checks');
  const loaded = useLoad<MergeChecksReply>({ path, version: merges.length, load: api.get });
  const outputs = loaded.type === 'ready' ? loaded.value.checks : [];
  const nowMs = now - status.startedAt;
  return (
    <section className="section">
      <h3>Merges so far</h3>
      {loaded.type === 'refused' && (
        <p className="text-bad" role="alert">
          {webErrorText(loaded.error)}
        </p>
      )}
      <DataTable<ClaimSpan>
        label="Merges"
        rows={merges.toReversed()}
        keyOf={({ task, attempt, startMs }) => `${task} ${attempt} ${startMs}`}
        empty="Nothing was merged yet."
        columns={[
          { title: 'Task', cell: ({ task }) => <TaskRef task={task} /> },
          { title: 'Began', isNumber: true, cell: ({ startMs }) => formatDuration(startMs) },
          {
            title: 'Took',
            isNumber: true,
            cell: ({ startMs, endMs }) => formatDuration((endMs ?? nowMs) - startMs),
          },
          { title: 'Ended', cell: ({ result, reason }) => MERGE_WORDS[result] ?? reason ?? result },
          {
            title: 'What its check printed',
            cell: ({ task, says, result }) => {
              const printed =
                says ?? (result === 'failed' ? outputs.find((each) => each.task === task)?.output : undefined);
              return printed === undefined ? '' : <PrintedQuote text={printed.trim()} isSmall />;
            },
          },
        ]}
      />
    </section>
  );
}

const MERGE_WORDS: Readonly<Partial<Record<ClaimSpan['result'], string>>> = {
  done: '✓ merged',
  passed: '✓ merged',
  working: '● running',
  failed: '✗ its check failed: the culprit',
  conflict: '✗ conflict',
};
