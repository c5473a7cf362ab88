// The tasks of a run with their endings, and the reasons of failures.
import { taskOfPath, type CompiledTask } from '../../compile/compiled.ts';
import type { Reason } from '../../protocol/result.ts';
import { factsOf } from '../../engine/facts.ts';
import { exact } from '../../engine/ledger.ts';
import type { State } from '../../engine/state.ts';
import type { TaskFacts } from '../../engine/task-facts.ts';
import type { Task } from '../../plan/plan.ts';
import { failureOf } from '../run/run-status.ts';
import type { TaskState } from '../run/stage.ts';
import { listedTasks, taskTree } from '../run/task-tree.ts';
import { nameOfClaim, nameOfMerge } from './kept.ts';
import type { ClaimSpan } from './claim-spans.ts';

export interface TaskSummary {
  readonly task: string;
  readonly type: Task['type'];
  readonly description: string | undefined;
  readonly state: TaskState;
  readonly stage: string;
  readonly reason: Reason | undefined;
  /** The task that caused the ending, or details of the reason. */
  readonly cause: string | undefined;
  /** Agents that had a turn on the task. */
  readonly agents: readonly string[];
  /** The highest number of claims of any of its steps. */
  readonly attempts: number;
  /** Milliseconds since the run began; undefined when the task has not started, or not ended. */
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  /** The sum of its spans. */
  readonly workMs: number;
  readonly usd: number;
  readonly tokens: number;
  /** The commit of its work: on the run branch when the task is done, else the latest checkpoint. */
  readonly commit: string | undefined;
}

export interface FailureSummary {
  readonly task: string;
  /** Undefined when the check, the merge or a person failed the task. */
  readonly step: string | undefined;
  readonly attempt: number | undefined;
  readonly reason: Reason | undefined;
  readonly cause: string | undefined;
  readonly exitCode: number | undefined;
  /** The last lines of the output; undefined when there are none. */
  readonly output: string | undefined;
}

export interface Working {
  readonly state: State;
  readonly spans: readonly ClaimSpan[];
  readonly nowMs: number;
}

export function taskSummaries({ state, spans, nowMs }: Working): readonly TaskSummary[] {
  const { compiled, run } = state;
  const byTask = Map.groupBy(spans, ({ task }) => task);
  return listedTasks(taskTree(state, run.startedAt + nowMs)).map((row) => {
    const { task: path, type, state: stands, stage, reason, cause, attempts, usd, startedAt, elapsedMs } = row;
    const own = byTask.get(path) ?? [];
    const compiledTask = taskOfPath(compiled, path);
    const facts = compiledTask === undefined ? undefined : factsOf(state, compiledTask.index);
    const startMs = startedAt === undefined ? undefined : Math.max(0, startedAt - run.startedAt);
    const hasEnded = facts?.ended !== undefined;
    return {
      task: path,
      type,
      description: compiledTask?.task.description,
      state: stands,
      stage,
      reason,
      cause,
      agents: [...new Set(own.flatMap(({ agent }) => agent ?? []))],
      attempts,
      startMs,
      endMs: startMs === undefined || elapsedMs === undefined || !hasEnded ? undefined : startMs + elapsedMs,
      workMs: own.reduce((sum, each) => sum + (each.endMs ?? nowMs) - each.startMs, 0),
      usd: exact(usd),
      tokens: own.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
      commit: commitOf(facts, run.base),
    };
  });
}

/** A task without changes has no commit of its own. */
function commitOf(facts: TaskFacts | undefined, base: string | undefined): string | undefined {
  const commit = facts?.result?.commit ?? facts?.tip;
  return commit === base ? undefined : commit;
}

const isFailed = (state: State, { index, task }: CompiledTask): boolean =>
  task.type !== 'subplan' && factsOf(state, index).ended?.ending === 'failed';

/** By failed task: the claim whose output shows the reason, where there is one. */
export function failingClaims({ state, spans }: Working): ReadonlyMap<string, ClaimSpan> {
  const byTask = Map.groupBy(spans, ({ task }) => task);
  const failed = state.compiled.tasks.filter((task) => isFailed(state, task));
  return new Map(
    failed.flatMap(({ task, index, steps }) => {
      const { failing, ended } = factsOf(state, index);
      const step = failing === undefined ? undefined : steps[failing.step]?.step.id;
      const own = byTask.get(task.path) ?? [];
      const last =
        step === undefined
          ? own.findLast(({ type }) => isOfCheck(ended?.reason) && type !== 'step')
          : own.findLast((span) => span.step === step && span.type !== 'check');
      return last === undefined ? [] : [[task.path, last] as const];
    }),
  );
}

const nameOfOutput = (claim: ClaimSpan): string =>
  claim.type === 'merge' ? nameOfMerge(claim.task) : nameOfClaim(claim);

export function failureSummaries(working: Working, outputs: ReadonlyMap<string, string>): readonly FailureSummary[] {
  const { state, spans } = working;
  const claims = failingClaims(working);
  const byTask = Map.groupBy(spans, ({ task }) => task);
  return state.compiled.tasks
    .filter((task) => isFailed(state, task))
    .map((task) => failureOf(state, task))
    .sort((one, other) => one.at - other.at)
    .map(({ task, step, attempt, reason, cause, said, exitCode }) => {
      const claim = claims.get(task);
      const printed = claim === undefined ? undefined : outputs.get(nameOfOutput(claim));
      // Otherwise the output of the check that last sent the task back is the best explanation.
      const earlier = isOfCheck(reason)
        ? byTask.get(task)?.findLast(({ says }) => says !== undefined)?.says
        : undefined;
      return { task, step, attempt, reason, cause, exitCode, output: printed ?? claim?.says ?? earlier ?? said };
    });
}

const isOfCheck = (reason: Reason | undefined): boolean => reason === 'check' || reason === 'baseline';
