// All runs of all projects, the latest first: filter them, open one, compare two of one plan.
import { useState, type ReactNode } from 'react';
import type { WebProject, WebRun } from '../../src/core/protocol/web.ts';
import { formatMoney } from '../../src/core/view/chart/format.ts';
import { webErrorText } from '../../src/core/view/text/web-error-text.ts';
import { formatDate } from '../model/format-date.ts';
import { DataTable } from '../parts/data-table.tsx';
import { EmptyState, LoadingState } from '../parts/empty-state.tsx';
import { SaveView } from '../parts/save-view.tsx';
import { CompareTable } from './compare-table.tsx';
import { useApp } from '../store/use-app.ts';

interface ListedRun extends WebRun {
  readonly project: WebProject;
}

const keyOf = ({ project, run }: ListedRun): string => `${project.id} ${run}`;

export function RunsPage(): ReactNode {
  const { dashboard, route, go } = useApp();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { runs } = dashboard;
  if (runs === undefined) return <LoadingState title="Looking for runs …" />;
  const all = runs.projects
    .flatMap((project) => project.runs.map((run): ListedRun => ({ ...run, project })))
    .toSorted((one, other) => other.createdAt - one.createdAt);
  if (all.length === 0)
    return runs.projects.some(({ error }) => error !== undefined) ? (
      <div className="page">
        <h1>Runs</h1>
        <ProjectErrors projects={runs.projects} />
      </div>
    ) : (
      <EmptyState title="No run yet" command="heddle run plan.yaml">
        <p>A run appears here as soon as it has begun.</p>
      </EmptyState>
    );
  const words = route.options['words'] ?? '';
  const shown = all.filter((run) => textOf(run).includes(words.toLowerCase()));
  const pair = pairIn(route.options['compare'], all);
  const picked = chosen.flatMap((key) => all.find((run) => keyOf(run) === key) ?? []);
  const toggle = (run: ListedRun): void =>
    setChosen((keys) =>
      keys.includes(keyOf(run)) ? keys.filter((key) => key !== keyOf(run)) : [...keys, keyOf(run)].slice(-2),
    );
  return (
    <div className="page">
      <header className="page-head">
        <h1>Runs</h1>
        <input
          type="search"
          className="field"
          aria-label="Filter the runs"
          placeholder="Filter by name, project, stage"
          value={words}
          onChange={(event) => go({ options: { words: event.target.value } }, 'replace')}
        />
        <span className="quiet" role="status">
          {shown.length} of {all.length}
        </span>
        <SaveView name="runs" data={() => shown.map(({ project, ...run }) => ({ ...run, project: project.name }))} />
      </header>
      <ProjectErrors projects={runs.projects} />
      <RunsTable runs={shown} chosen={chosen} onToggle={toggle} />
      <CompareBar picked={picked} />
      {pair !== undefined && <CompareTable left={refOf(pair[0])} right={refOf(pair[1])} />}
    </div>
  );
}

const refOf = ({ project, run }: ListedRun): { readonly project: string; readonly run: string } => ({
  project: project.id,
  run,
});

const textOf = ({ run, name, project, stage }: ListedRun): string =>
  `${run} ${name} ${project.name} ${stage}`.toLowerCase();

/** The compared runs stand in the address, so that a link leads to them. */
function pairIn(text: string | undefined, all: readonly ListedRun[]): readonly [ListedRun, ListedRun] | undefined {
  const [left, right] = (text ?? '').split('|').map((key) => all.find((run) => keyOf(run) === key));
  return left === undefined || right === undefined ? undefined : [left, right];
}

function CompareBar({ picked }: { readonly picked: readonly ListedRun[] }): ReactNode {
  const { go } = useApp();
  const [one, other] = picked;
  if (one === undefined) return null;
  const isPair = other !== undefined && one.name === other.name;
  return (
    <div className="compare-bar">
      <span>
        {picked.map(({ run }) => run).join(' and ')}
        {other === undefined && ': choose another run of the same plan to compare them.'}
        {other !== undefined && !isPair && ' have different plans.'}
      </span>
      {isPair && (
        <button
          type="button"
          className="button primary"
          onClick={() => go({ options: { compare: `${keyOf(one)}|${keyOf(other)}` } })}
        >
          Compare
        </button>
      )}
    </div>
  );
}

interface RunsTableProps {
  readonly runs: readonly ListedRun[];
  readonly chosen: readonly string[];
  readonly onToggle: (run: ListedRun) => void;
}

function RunsTable({ runs, chosen, onToggle }: RunsTableProps): ReactNode {
  const { linkTo } = useApp();
  return (
    <DataTable<ListedRun>
      label="Runs"
      rows={runs}
      keyOf={keyOf}
      empty="No run fits the filter."
      columns={[
        {
          title: 'Run',
          cell: (run) => <a href={linkTo({ page: 'run', project: run.project.id, run: run.run })}>{run.run}</a>,
        },
        { title: 'Stage', cell: (run) => <StageWords run={run} /> },
        { title: 'Done', isNumber: true, cell: (run) => <DoneCount run={run} /> },
        { title: 'Failed', isNumber: true, cell: ({ counts }) => counts['failed'] ?? 0 },
        {
          title: 'Asks',
          isNumber: true,
          cell: ({ questions }) =>
            questions > 0 ? (
              <a className="badge badge-asks" href={linkTo({ page: 'inbox' })}>{`? ${questions}`}</a>
            ) : (
              ''
            ),
        },
        { title: 'Cost', isNumber: true, cell: ({ spend }) => formatMoney(spend.usd) },
        { title: 'Began', cell: ({ createdAt }) => formatDate(createdAt) },
        { title: 'Project', cell: ({ project }) => project.name },
        {
          title: 'Compare',
          cell: (run) => (
            <input
              type="checkbox"
              aria-label={`Compare ${run.run}`}
              checked={chosen.includes(keyOf(run))}
              onChange={() => onToggle(run)}
            />
          ),
        },
      ]}
    />
  );
}

const DoneCount = ({ run: { counts, total } }: { readonly run: ListedRun }): ReactNode => {
  const done = counts['completed'] ?? 0;
  const failed = counts['failed'] ?? 0;
  return (
    <>
      {done} of {total}
      <span className="progress" aria-hidden="true">
        {done > 0 && <span className="fill-done" style={{ flexGrow: done }} />}
        {failed > 0 && <span className="fill-failed" style={{ flexGrow: failed }} />}
        <span style={{ flexGrow: Math.max(0, total - done - failed) }} />
      </span>
    </>
  );
};

function ProjectErrors({ projects }: { readonly projects: readonly WebProject[] }): ReactNode {
  return projects.map(
    ({ id, name, error }) =>
      error !== undefined && (
        <p key={id} className="notice notice-bad" role="alert">
          {name}: {webErrorText(error)}
        </p>
      ),
  );
}

function StageWords({ run: { stage, isUp, counts, error } }: { readonly run: ListedRun }): ReactNode {
  if (error !== undefined)
    return (
      <span className="badge badge-failed" title={webErrorText(error)}>
        ✗ damaged
      </span>
    );
  if (stage === 'ended')
    return (counts['failed'] ?? 0) > 0 ? (
      <span className="badge badge-failed">✗ ended</span>
    ) : (
      <span className="badge badge-done">✓ ended</span>
    );
  if (!isUp) return <span className="badge badge-asks">not running</span>;
  return stage === 'paused' ? (
    <span className="badge badge-asks">paused</span>
  ) : (
    <span className="badge badge-running">● running</span>
  );
}
