// The turns of a task: what its agents were told, what they said, and what it cost.
import type { ReactNode } from 'react';
import { formatCount, formatDuration, formatMoney } from '../../src/core/view/chart/format.ts';
import type { Usage } from '../../src/core/protocol/result.ts';
import { runPath } from '../client/server-api.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ForeignQuote } from '../parts/foreign-text.tsx';
import { LoadState } from '../parts/load-state.tsx';
import { useLoad } from '../parts/use-load.ts';
import { useApp, useRunView } from '../store/use-app.ts';

/** One line of `heddle turns --json`. */
interface Turn {
  readonly step: string;
  readonly attempt: number;
  readonly type: 'prompt' | 'run' | 'join';
  readonly agent: string | null;
  readonly model: string | null;
  readonly prompt: string | null;
  readonly response: string | null;
  readonly launched_at: number;
  readonly completed_at: number | null;
  readonly usage: Usage | null;
  readonly usd: number | null;
  readonly verdict: string | null;
  readonly conversation: string | null;
}

interface TurnsReply {
  readonly turns: readonly Turn[];
}

export function TurnsTab({ task }: { readonly task: string }): ReactNode {
  const { api } = useApp();
  const { project, run, now, events, length } = useRunView();
  const path = runPath(project, run, `turns?${new URLSearchParams({ task }).toString()}`);
  // The turns of a task change with its events alone.
  const version = events.findLastIndex((event) => 'task' in event && event.task === task);
  const loaded = useLoad<TurnsReply>({ path, version: length === 0 ? 0 : version, load: api.get });
  if (loaded.type !== 'ready') return <LoadState loaded={loaded} what="the turns" />;
  const turns = loaded.value.turns.filter((turn) => turn.launched_at <= now).map((turn) => asOf(turn, now));
  if (turns.length === 0) return <EmptyState title="No turn yet" />;
  return (
    <ol className="turns">
      {turns.map((turn) => (
        <li key={`${turn.step} ${turn.attempt} ${turn.launched_at}`} className="card">
          <TurnHead turn={turn} now={now} />
          <Quote title={turn.type === 'run' ? 'Command' : 'Prompt'} text={turn.prompt} />
          <Quote title={turn.type === 'run' ? 'Result' : 'Response'} text={turn.response} />
        </li>
      ))}
    </ol>
  );
}

/** A turn that ended later was still running at the time that is looked at. */
const asOf = (turn: Turn, now: number): Turn =>
  turn.completed_at === null || turn.completed_at <= now
    ? turn
    : { ...turn, completed_at: null, response: null, usage: null, usd: null, verdict: null };

function TurnHead({ turn, now }: { readonly turn: Turn; readonly now: number }): ReactNode {
  const { step, attempt, agent, model, usage, usd, verdict, conversation, launched_at, completed_at } = turn;
  const style = verdict === null ? 'badge-running' : verdict === 'done' ? 'badge-done' : 'badge-failed';
  const sign = verdict === null ? '●' : verdict === 'done' ? '✓' : '✗';
  return (
    <header className="turn-head">
      <h3>
        {step}, attempt {attempt}
      </h3>
      <span className={`badge ${style}`}>
        <span aria-hidden="true">{sign}</span> {verdict ?? 'running'}
      </span>
      <span>{[agent, model].filter((each) => each !== null).join(' · ')}</span>
      <span className="quiet">{formatDuration((completed_at ?? now) - launched_at)}</span>
      {usd !== null && <span className="quiet">{formatMoney(usd)}</span>}
      {usage !== null && (
        <span className="quiet">
          {formatCount(usage.input)} in, {formatCount(usage.cached)} cached, {formatCount(usage.output)} out
        </span>
      )}
      {conversation !== null && (
        <span className="quiet">
          conversation <code>{conversation}</code>
        </span>
      )}
    </header>
  );
}

const OPEN_CHARACTERS_MAX = 1200;

function Quote({ title, text }: { readonly title: string; readonly text: string | null }): ReactNode {
  if (text === null || text.trim() === '') return null;
  return (
    <details open={text.length <= OPEN_CHARACTERS_MAX}>
      <summary>{title}</summary>
      <ForeignQuote text={text} />
    </details>
  );
}
