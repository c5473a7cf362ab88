// Every run of a project in a line, and what waits for a person, kept up to date by the events that were appended since.
//
// summaries/U1. A summary is a fold of the log (P1): it is made again from the events when the log has grown.
// summaries/U2. Only runs that can go on keep their state in memory; of the others the summary is enough.
import { nameClaim } from '../../core/engine/facts.ts';
import type { State } from '../../core/engine/state.ts';
import { inboxOf, type WaitingItem } from '../../core/view/run/inbox-items.ts';
import { statusOf } from '../../core/view/run/run-status.ts';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { WebRun } from '../../core/protocol/web.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { hasCoordinator, type OpenProject } from '../open-project.ts';
import { keepRuns, type KeptRuns } from './kept-runs.ts';
import type { StoreFailure } from '../../core/protocol/store-failure.ts';

export interface RunSummary {
  /** The end of the log that it was made of. */
  readonly end: number;
  readonly run: WebRun;
  readonly waiting: readonly WaitingItem[];
  /** Running turns of agents, whose cost can be read while they run. */
  readonly turns: readonly ClaimRef[];
}

interface Known {
  readonly position: number;
  readonly summary: Omit<RunSummary, 'run' | 'end'> & { readonly run: Omit<WebRun, 'isUp'> };
}

/** The latest last. `earlier` are summaries that somebody has kept. */
export type Summaries = (open: OpenProject, earlier?: readonly RunSummary[]) => readonly RunSummary[];

export function keepSummaries(runs: KeptRuns = keepRuns()): Summaries {
  const known = new Map<string, Known>();
  return (open, earlier = []) => {
    for (const { end, ...summary } of earlier)
      if (!known.has(summary.run.run)) known.set(summary.run.run, { position: end, summary });
    const records = open.store.runs();
    const names = new Set(records.map(({ run }) => run));
    for (const run of known.keys()) {
      if (names.has(run)) continue;
      known.delete(run);
      runs.drop(run);
    }
    return records.map((record) => {
      const isUp = hasCoordinator(open, record);
      const summarized = upToDate(open, record, { before: known.get(record.run), runs });
      if (!isUp) runs.drop(record.run);
      known.set(record.run, summarized);
      const { run, waiting, turns } = summarized.summary;
      return { end: summarized.position, run: { ...run, isUp }, waiting, turns };
    });
  };
}

interface Before {
  readonly before: Known | undefined;
  readonly runs: KeptRuns;
}

function upToDate(open: OpenProject, record: RunRecord, { before, runs }: Before): Known {
  const end = open.store.endOf(record.run);
  if (before?.position === end) return before;
  const { folded, position, failure } = runs.read(open, record.run);
  if (folded === undefined) return { position: end, summary: unread(record, failure) };
  // A log that is damaged has more events than can be read; it is not read again before it changes.
  return {
    position: failure === undefined ? position : end,
    summary: summaryOf(record, folded.state, { position, failure }),
  };
}

interface ReadTo {
  readonly position: number;
  readonly failure: StoreFailure | undefined;
}

const errorOf = (failure: StoreFailure | undefined): WebRun['error'] =>
  failure === undefined ? undefined : { code: 'store', failure };

function summaryOf(record: RunRecord, state: State, { position, failure }: ReadTo): Known['summary'] {
  const { run, createdAt, name, file } = record;
  const given = { inputs: state.run.inputs, env: {} };
  const { stage, counts, total, questions, spend, endedAt } = statusOf(state, { now: state.run.now, given });
  return {
    run: {
      run,
      name,
      file,
      createdAt,
      stage,
      endedAt,
      counts,
      total,
      questions: questions.length,
      spend: {
        usd: spend.spent.usd,
        tokens: spend.spent.tokens,
        reservedUsd: spend.reserved.usd,
        ceilingUsd: spend.ceiling.usd,
      },
      position,
      error: errorOf(failure),
    },
    waiting: inboxOf(state, given),
    turns: [...state.claims.values()].flatMap((claim) => (claim.agent === undefined ? [] : [nameClaim(state, claim)])),
  };
}

/** Nothing of its log can be read. */
function unread({ run, createdAt, name, file }: RunRecord, failure: StoreFailure | undefined): Known['summary'] {
  const spend = { usd: 0, tokens: 0, reservedUsd: 0, ceilingUsd: undefined };
  const error = errorOf(failure);
  const about = { run, name, file, createdAt, stage: 'new', endedAt: undefined, counts: {}, total: 0 } as const;
  return { run: { ...about, questions: 0, spend, position: 0, error }, waiting: [], turns: [] };
}
