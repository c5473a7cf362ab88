// The selected task: what it asks, why it is not done, what can be done about it.
import { useMemo, type ReactNode } from 'react';
import { taskAt } from '../../src/core/engine/facts.ts';
import { formatDuration, formatMoney } from '../../src/core/view/chart/format.ts';
import { explainTask } from '../../src/core/view/run/explain-task.ts';
import { explanationRows } from '../../src/core/view/text/explain-text.ts';
import { GROUP_WORDS, type TaskRow } from '../model/task-rows.ts';
import { useApp, useRunView } from '../store/use-app.ts';
import { ActionButton } from './action-button.tsx';
import { Icon } from './icons.tsx';
import { QuestionCard } from './question-card.tsx';
import { StateSign } from './state-sign.tsx';
import { StyledRows } from './styled-row.tsx';

export function TaskPane({ row }: { readonly row: TaskRow }): ReactNode {
  const { go, linkTo } = useApp();
  const view = useRunView();
  const { state, status, now } = view;
  const rows = useMemo(() => {
    const given = { inputs: state.run.inputs, env: {} };
    return explanationRows(explainTask(state, taskAt(state, row.index), { now, given, expected: undefined }), { now });
  }, [state, row, now]);
  const questions = status.questions.filter(({ task }) => task === row.path);
  return (
    <aside className="pane" aria-label={`Task ${row.path}`}>
      <header>
        <h2>
          <StateSign group={row.group} /> {row.path}
        </h2>
        <button
          type="button"
          className="quiet-button"
          aria-label="Close the task"
          onClick={() => go({ task: undefined })}
        >
          <Icon name="close" />
        </button>
      </header>
      {questions.map((question) => (
        <QuestionCard key={`${question.step ?? ''} ${question.attempt}`} question={question} />
      ))}
      <TaskActions row={row} />
      <section aria-label="Why">
        <h3>Why it stands where it stands</h3>
        <StyledRows rows={rows} />
      </section>
      <TaskFacts row={row} />
      <p>
        <a href={linkTo({ page: 'task', task: row.path })}>Output, diff, turns, checks</a>
      </p>
    </aside>
  );
}

/** What can be done with a task as it stands. */
export function TaskActions({ row }: { readonly row: TaskRow }): ReactNode {
  const { path, group, isPaused } = row;
  const tasks = [path];
  if (group === 'done' || group === 'skipped') return null;
  if (group === 'failed' || group === 'cancelled')
    return (
      <div className="actions">
        <ActionButton label="Retry" style="primary" command={{ type: 'retry', tasks }} />
      </div>
    );
  return (
    <div className="actions">
      {isPaused ? (
        <ActionButton label="Resume" command={{ type: 'resume', tasks }} />
      ) : (
        <ActionButton label="Pause" command={{ type: 'pause', tasks }} />
      )}
      {group === 'running' && <ActionButton label="Stop" command={{ type: 'stop', tasks }} />}
      <ActionButton label="Skip" asksAgain command={{ type: 'skip', tasks }} />
      <ActionButton label="Cancel" style="danger" asksAgain command={{ type: 'cancel', tasks }} />
    </div>
  );
}

function TaskFacts({ row }: { readonly row: TaskRow }): ReactNode {
  const { state } = useRunView();
  const { needs, dependents, steps } = taskAt(state, row.index);
  return (
    <dl className="facts">
      <Fact name="State">{GROUP_WORDS[row.group]}</Fact>
      {row.agent !== undefined && <Fact name="Agent">{row.agent}</Fact>}
      {row.elapsedMs !== undefined && (
        <Fact name="Time">{formatDuration(Math.floor(row.elapsedMs / 1000) * 1000)}</Fact>
      )}
      {row.usd > 0 && <Fact name="Cost">{formatMoney(row.usd)}</Fact>}
      {row.attempts > 0 && <Fact name="Attempts">{row.attempts}</Fact>}
      {steps.length > 1 && <Fact name="Steps">{steps.map(({ step }) => step.id).join(', ')}</Fact>}
      {needs.length > 0 && (
        <Fact name="Needs">
          <TaskLinks indices={needs} />
        </Fact>
      )}
      {dependents.length > 0 && (
        <Fact name="Needed by">
          <TaskLinks indices={dependents} />
        </Fact>
      )}
    </dl>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const LINKS_MAX = 12;

function TaskLinks({ indices }: { readonly indices: readonly number[] }): ReactNode {
  const { state } = useRunView();
  const { linkTo } = useApp();
  const paths = indices.slice(0, LINKS_MAX).map((index) => taskAt(state, index).task.path);
  const more = indices.length - paths.length;
  return (
    <>
      {paths.map((path, at) => (
        <span key={path}>
          {at > 0 && ', '}
          <a href={linkTo({ task: path })}>{path}</a>
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}
