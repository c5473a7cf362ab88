// The checks of a task with what they said, and its history: every claim and every event that changed the task.
import { useMemo, type ReactNode } from 'react';
import { formatDuration, formatMoney } from '../../src/core/view/chart/format.ts';
import { claimSpans, type ClaimSpan } from '../../src/core/view/report/claim-spans.ts';
import { reasonOf } from '../../src/core/view/run/reason-text.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { PrintedQuote } from '../parts/foreign-text.tsx';
import { useRunView } from '../store/use-app.ts';

/** The claims of the task up to the position that is looked at. */
function useSpans(task: string): readonly ClaimSpan[] {
  const { events, position, state } = useRunView();
  return useMemo(() => {
    const own = events.slice(0, position).filter((event, at) => at === 0 || ('task' in event && event.task === task));
    return claimSpans(state.compiled, own).filter((span) => span.task === task);
  }, [events, position, state.compiled, task]);
}

export function ChecksTab({ task }: { readonly task: string }): ReactNode {
  const spans = useSpans(task).filter(({ type }) => type === 'check' || type === 'merge');
  if (spans.length === 0)
    return (
      <EmptyState title="Nothing was checked yet">
        <p>A task is checked when its steps are done, and again merged with the work of the others.</p>
      </EmptyState>
    );
  return (
    <ol className="turns">
      {spans.map((span, at) => (
        <li key={at} className="card">
          <header className="turn-head">
            <h3>
              {span.type === 'check' ? 'Check' : 'Merge and its check'}, attempt {span.attempt}
            </h3>
            <Verdict span={span} />
            <SpanTime span={span} />
          </header>
          {span.says !== undefined && <PrintedQuote text={span.says} />}
        </li>
      ))}
    </ol>
  );
}

export function HistoryTab({ task }: { readonly task: string }): ReactNode {
  const spans = useSpans(task);
  if (spans.length === 0) return <EmptyState title="It has not begun" />;
  // On one machine there is nothing to tell apart.
  const hasHosts = spans.some(({ host }) => host !== undefined);
  return (
    <div className="table-scroll">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Work</th>
            <th scope="col" className="number">
              Attempt
            </th>
            <th scope="col">Agent</th>
            {hasHosts && <th scope="col">Host</th>}
            <th scope="col" className="number">
              Began
            </th>
            <th scope="col" className="number">
              Took
            </th>
            <th scope="col" className="number">
              Cost
            </th>
            <th scope="col">Ended</th>
          </tr>
        </thead>
        <tbody>
          {spans.map((span, at) => (
            <tr key={at}>
              <th scope="row">{span.type === 'step' ? (span.step ?? 'main') : span.type}</th>
              <td className="number">{span.attempt}</td>
              <td>{span.agent ?? ''}</td>
              {hasHosts && <td>{span.host ?? 'coordinator'}</td>}
              <td className="number">{formatDuration(span.startMs)}</td>
              <td className="number">
                <SpanTime span={span} />
              </td>
              <td className="number">{span.usd === undefined ? '' : formatMoney(span.usd)}</td>
              <td>
                <Verdict span={span} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SpanTime({ span: { startMs, endMs } }: { readonly span: ClaimSpan }): ReactNode {
  const { status, now } = useRunView();
  return <span className="quiet">{formatDuration((endMs ?? now - status.startedAt) - startMs)}</span>;
}

const GOOD: ReadonlySet<ClaimSpan['result']> = new Set(['done', 'passed']);

function Verdict({ span: { result, reason } }: { readonly span: ClaimSpan }): ReactNode {
  if (result === 'working') return <span className="badge badge-running">● running</span>;
  if (GOOD.has(result)) return <span className="badge badge-done">✓ {result}</span>;
  const why = reasonOf(reason, undefined);
  const style = result === 'asked' ? 'badge-asks' : result === 'failed' ? 'badge-failed' : 'badge-quiet';
  const sign = result === 'asked' ? '?' : result === 'failed' ? '✗' : '–';
  return (
    <span className={`badge ${style}`}>
      {sign} {result}
      {why === '' || why === result ? '' : `: ${why}`}
    </span>
  );
}
