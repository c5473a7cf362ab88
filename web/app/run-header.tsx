// The run at a glance: what needs a person, how far it is, what it costs, how long it takes, and how isolated it is.
import type { ReactNode } from 'react';
import { formatDuration, formatMoney } from '../../src/core/view/chart/format.ts';
import { sandboxesText } from '../../src/core/engine/events/event-fields.ts';
import { isUnwanted, leftText } from '../../src/core/view/text/status-text.ts';
import type { Status } from '../../src/core/view/run/run-status.ts';
import { GROUP_SIGNS, GROUP_WORDS, type TaskGroup } from '../model/task-rows.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { useApp, useRunView } from '../store/use-app.ts';
import { useEta } from '../store/use-eta.ts';

export function RunHeader(): ReactNode {
  const { run, status, isUp, isLive, now, damage } = useRunView();
  const { linkTo } = useApp();
  const eta = useEta();
  const isLeft = isLive && !isUp && status.stage !== 'ended';
  return (
    <header className="run-header">
      <div className="run-title">
        <h1>{run}</h1>
        <StageBadge status={status} isLeft={isLeft} />
        <span className="quiet">
          {formatDuration(wholeSeconds(status.elapsedMs))}
          {eta !== undefined && isLive && isUp && status.stage !== 'ended' && `, ${leftText(eta, now, status)}`}
        </span>
        {status.questions.length > 0 && (
          <a className="badge badge-asks" href={linkTo({ page: 'run', task: status.questions[0]?.task })}>
            {status.questions.length} {status.questions.length === 1 ? 'asks' : 'ask'} you
          </a>
        )}
        <SandboxBadge status={status} />
      </div>
      <Progress status={status} />
      {isLeft && damage === undefined && (
        <div className="notice" role="status">
          <span>The coordinator is not running, so nothing starts.</span>
          <ActionButton label="Resume in the background" starts command={RESUME} />
        </div>
      )}
    </header>
  );
}

const RESUME = { type: 'resume', tasks: [] } as const;

const wholeSeconds = (ms: number): number => Math.floor(ms / 1000) * 1000;

function StageBadge({ status, isLeft }: { readonly status: Status; readonly isLeft: boolean }): ReactNode {
  const { stage, pausedFor, counts } = status;
  if (isLeft) return <span className="badge badge-asks">not running</span>;
  if (stage === 'paused')
    return <span className="badge badge-asks">paused{pausedFor === undefined ? '' : `, because ${pausedFor}`}</span>;
  if (stage === 'ended')
    return counts.failed > 0 ? (
      <span className="badge badge-failed">✗ ended, {counts.failed} failed</span>
    ) : (
      <span className="badge badge-done">✓ ended</span>
    );
  return <span className="badge badge-running">● running</span>;
}

function SandboxBadge({ status: { sandboxes } }: { readonly status: Status }): ReactNode {
  if (sandboxes === undefined) return <span className="badge badge-quiet">in place</span>;
  const short = `${sandboxes.isolation === 'os' ? 'isolated' : 'not isolated'} · ${sandboxes.tree}`;
  const style = isUnwanted(sandboxes) ? 'badge badge-failed' : 'badge badge-quiet';
  return (
    <span className={style} title={sandboxesText(sandboxes)}>
      {short}
    </span>
  );
}

const PARTS: readonly TaskGroup[] = ['done', 'failed', 'running', 'asks', 'cancelled', 'skipped', 'waiting'];

function Progress({ status }: { readonly status: Status }): ReactNode {
  const counts = countsOf(status);
  const shown = PARTS.filter((group) => counts[group] > 0);
  return (
    <div className="progress-row">
      <div
        className="progress"
        role="progressbar"
        aria-label="Tasks done"
        aria-valuenow={counts.done}
        aria-valuemin={0}
        aria-valuemax={status.total}
      >
        {shown.map((group) => (
          <span key={group} className={`fill-${group}`} style={{ flexGrow: counts[group] }} />
        ))}
      </div>
      <ul className="counts">
        {shown.map((group) => (
          <li key={group} className={`text-${group}`}>
            <span aria-hidden="true">{GROUP_SIGNS[group]}</span> {counts[group]}{' '}
            <span className="count-words">{group === 'asks' && counts.asks > 1 ? 'ask you' : GROUP_WORDS[group]}</span>
          </li>
        ))}
      </ul>
      <MoneyLine status={status} />
    </div>
  );
}

function countsOf({ counts, questions }: Status): Readonly<Record<TaskGroup, number>> {
  const asks = new Set(questions.map(({ task }) => task)).size;
  return {
    asks,
    running: Math.max(0, counts.running - asks),
    failed: counts.failed,
    waiting: counts.pending,
    done: counts.completed,
    cancelled: counts.cancelled,
    skipped: counts.skipped,
  };
}

function MoneyLine({ status: { spend } }: { readonly status: Status }): ReactNode {
  const { spent, reserved, running, ceiling, isReached } = spend;
  const used = spent.usd + running.usd;
  const aside = Math.max(0, reserved.usd - running.usd);
  if (used === 0 && aside === 0 && ceiling.usd === undefined) return null;
  return (
    <p className={isReached ? 'money text-asks' : 'money'} title="Spent, reserved for running work, and the ceiling">
      <strong>{formatMoney(used)}</strong>
      {aside > 0 && <span className="quiet"> + {formatMoney(aside)} reserved</span>}
      {ceiling.usd !== undefined && <span className="quiet"> of {formatMoney(ceiling.usd)}</span>}
    </p>
  );
}
