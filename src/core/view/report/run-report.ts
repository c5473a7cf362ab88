// The report of a run: the work, the agents, the costs, the times and the failures, as a fold of the log for a reader
// who was not there.
//
// R1. The same log and the same kept files give the same report, byte for byte. No clock is read; the report of a
//   running run is as of its latest event.
// R2. The type of the report is the format of `heddle report --format json`: fields may be added, and no field changes
//   its meaning while the version stays.
import type { Compiled } from '../../compile/compiled.ts';
import type { RunEvent } from '../../engine/event.ts';
import type { RunInputs } from '../../engine/scope.ts';
import type { RunFacts, State } from '../../engine/state.ts';
import type { CriticalStep } from '../../simulate/critical-path.ts';
import { countStates, type TaskState } from '../run/stage.ts';
import type { GitKept, KeptForReport } from './kept.ts';
import { checksSummary, type ChecksSummary } from './checks-summary.ts';
import { conflictSummaries, type ConflictSummary } from './conflict-summaries.ts';
import { pausesIn, timelineOf, type TimelineEntry } from './timeline-entries.ts';
import { questionSummaries, type QuestionSummary } from './question-summaries.ts';
import { claimSpans, type ClaimSpan } from './claim-spans.ts';
import { failureSummaries, taskSummaries, type FailureSummary, type TaskSummary } from './tasks.ts';
import { timesSummary, type TimesSummary } from './times.ts';
import {
  agentSummaries,
  budgetSummaries,
  poolSummaries,
  type AgentSummary,
  type BudgetSummary,
  type PoolSummary,
} from './uses.ts';

export const REPORT_VERSION = 1;

/** A run as a whole: tasks, attempts, cost and what was produced. */
export interface Report {
  readonly version: typeof REPORT_VERSION;
  readonly run: string;
  /** The name of the plan, and its file. */
  readonly name: string;
  readonly file: string;
  readonly stage: RunFacts['stage'];
  /** Of a run that has ended: whether every wanted task is done. */
  readonly result: 'done' | 'failed' | undefined;
  readonly pausedFor: string | undefined;
  /** Milliseconds since the epoch; all other times of a report count from the start of the run. */
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** The time of the latest event. */
  readonly asOf: number;
  /** The base commit; undefined when the run works in place. */
  readonly base: string | undefined;
  /** The trees and the isolation of its sandboxes. */
  readonly sandboxes: State['run']['sandboxes'];
  /** The number of coordinators that the run has had. */
  readonly coordinators: number | undefined;
  readonly counts: Readonly<Record<TaskState, number>>;
  readonly total: number;
  readonly times: TimesSummary;
  readonly budgets: readonly BudgetSummary[];
  readonly agents: readonly AgentSummary[];
  readonly pools: readonly PoolSummary[];
  readonly failures: readonly FailureSummary[];
  readonly conflicts: readonly ConflictSummary[];
  readonly checks: ChecksSummary;
  readonly questions: readonly QuestionSummary[];
  readonly git: GitKept | undefined;
  /** Why the report has no facts from git although the run uses it. */
  readonly gitSays: string | undefined;
  readonly timeline: readonly TimelineEntry[];
  readonly tasks: readonly TaskSummary[];
  readonly critical: readonly CriticalStep[];
  readonly spans: readonly ClaimSpan[];
}

export interface Reported {
  readonly run: string;
  readonly file: string;
  readonly compiled: Compiled;
  readonly state: State;
  readonly events: readonly RunEvent[];
  readonly given: RunInputs;
  readonly kept: KeptForReport;
}

/** The report of a run, made from its log. */
export function reportOf({ run, file, compiled, state, events, given, kept }: Reported): Report {
  const { stage, pausedFor, startedAt, endedAt, now, base } = state.run;
  const nowMs = Math.max(0, (endedAt ?? now) - startedAt);
  const spans = claimSpans(compiled, events);
  const questions = questionSummaries({ state, events, given });
  const working = { state, spans, nowMs };
  const tasks = taskSummaries(working);
  const { times, critical } = timesSummary({ compiled, spans, pauses: pausesIn(events), questions, nowMs });
  return {
    version: REPORT_VERSION,
    run,
    name: compiled.plan.name,
    file,
    stage,
    result: stage === 'ended' ? resultOf(tasks) : undefined,
    pausedFor,
    startedAt,
    endedAt,
    asOf: startedAt + nowMs,
    base,
    sandboxes: state.run.sandboxes,
    coordinators: kept.owners,
    counts: countStates(tasks),
    total: tasks.length,
    times,
    budgets: budgetSummaries(state),
    agents: agentSummaries(compiled, spans, kept.turns),
    pools: poolSummaries({ compiled, events, spans, nowMs }),
    failures: failureSummaries(working, kept.outputs),
    conflicts: conflictSummaries(events),
    checks: checksSummary(spans),
    questions,
    git: kept.git,
    gitSays: kept.gitSays,
    timeline: timelineOf(events),
    tasks,
    critical,
    spans,
  };
}

/** Losing a race is part of the plan and no failure. */
const resultOf = (tasks: readonly TaskSummary[]): 'done' | 'failed' =>
  tasks.some(({ state, reason }) => state === 'failed' || (state === 'cancelled' && reason !== 'race'))
    ? 'failed'
    : 'done';
