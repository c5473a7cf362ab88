// The report of a run: the work, the agents, the costs, the times and the failures, as a fold of the log for a reader
// who was not there.
//
// R1. The same log and the same kept files give the same report, byte for byte. No clock is read; the report of a
//   running run is as of its latest event.
// R2. The type of the report is the format of `heddle report --format json`: fields may be added, and no field changes
//   its meaning while the version stays.
import type { Compiled } from '../../compile/compiled.ts';
import type { RunEvent } from '../../engine/event.ts';
import type { Given } from '../../engine/scope.ts';
import type { RunFacts, State } from '../../engine/state.ts';
import type { CriticalStep } from '../../simulate/critical-path.ts';
import type { TaskState } from '../run/stage.ts';
import type { GitKept, Kept } from './kept.ts';
import { tellChecks, type ChecksSummary } from './checks.ts';
import { tellConflicts, type ConflictSummary } from './tell-conflicts.ts';
import { pausesIn, timelineEntries, type TimelineEntry } from './timeline-entries.ts';
import { tellQuestions, type QuestionSummary } from './questions.ts';
import { claimSpans, type ClaimSpan } from './claim-spans.ts';
import { tellFailures, tellTasks, type FailureSummary, type TaskSummary } from './tasks.ts';
import { tellTimes, type TimesSummary } from './times.ts';
import { tellAgents, tellBudgets, tellPools, type AgentSummary, type BudgetSummary, type PoolSummary } from './uses.ts';

export const REPORT_VERSION = 1;

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
  readonly moments: readonly TimelineEntry[];
  readonly tasks: readonly TaskSummary[];
  readonly critical: readonly CriticalStep[];
  readonly spells: readonly ClaimSpan[];
}

export interface Reported {
  readonly run: string;
  readonly file: string;
  readonly compiled: Compiled;
  readonly state: State;
  readonly events: readonly RunEvent[];
  readonly given: Given;
  readonly kept: Kept;
}

export function reportOf({ run, file, compiled, state, events, given, kept }: Reported): Report {
  const { stage, pausedFor, startedAt, endedAt, now, base } = state.run;
  const nowMs = Math.max(0, (endedAt ?? now) - startedAt);
  const spells = claimSpans(compiled, events);
  const questions = tellQuestions({ state, events, given });
  const working = { state, spells, nowMs };
  const tasks = tellTasks(working);
  const { times, critical } = tellTimes({ compiled, spells, pauses: pausesIn(events), questions, nowMs });
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
    counts: countsOf(tasks),
    total: tasks.length,
    times,
    budgets: tellBudgets(state),
    agents: tellAgents(compiled, spells, kept.turns),
    pools: tellPools({ compiled, events, spells, nowMs }),
    failures: tellFailures(working, kept.outputs),
    conflicts: tellConflicts(events),
    checks: tellChecks(events, spells),
    questions,
    git: kept.git,
    gitSays: kept.gitSays,
    moments: timelineEntries(events),
    tasks,
    critical,
    spells,
  };
}

/** Losing a race is part of the plan and no failure. */
const resultOf = (tasks: readonly TaskSummary[]): 'done' | 'failed' =>
  tasks.some(({ state, reason }) => state === 'failed' || (state === 'cancelled' && reason !== 'race'))
    ? 'failed'
    : 'done';

function countsOf(tasks: readonly TaskSummary[]): Readonly<Record<TaskState, number>> {
  const counts = { pending: 0, running: 0, completed: 0, failed: 0, cancelled: 0, skipped: 0 };
  for (const { state } of tasks) counts[state] += 1;
  return counts;
}
