// The kinds of waits of a task. Each wait names the waiting part: the task itself, a subplan around it, or one of its
// steps.
import type { OpenQuestion } from './open-question.ts';
import type { Stage } from '../../engine/events/event-fields.ts';
import { stageOf, stateOf, type TaskState } from './stage.ts';
import { runningClaimOf, type RunningClaim } from './run-status.ts';
import type { CompiledTask } from '../../compile/compiled.ts';
import { taskAt } from '../../engine/facts.ts';
import type { RunInputs } from '../../engine/scope.ts';
import type { Claim, State } from '../../engine/state.ts';
import type { ExpectedEnd } from '../../simulate/simulate-on.ts';

/** A task that must end first. */
export interface Awaited {
  readonly task: string;
  readonly state: TaskState;
  readonly stage: Stage;
  /** When it is expected to end. */
  readonly expectedAt: number | undefined;
}

/** A running claim that holds tokens or money. */
export interface TokenHolder extends RunningClaim {
  /** The number of pool tokens, dollars or model tokens that it holds. */
  readonly holds: number;
  readonly expectedAt: number | undefined;
}

export type Resource =
  /** `task` is the subplan that has the cap; undefined for the cap of the run. */
  | { readonly type: 'cap'; readonly task: string | undefined }
  | { readonly type: 'pool'; readonly pool: string }
  | { readonly type: 'merge-slots' };

export type Wait = { readonly who: string } & (
  | {
      readonly type: 'needs';
      /** The number of needs that must still succeed. */
      readonly needed: number;
      readonly of: readonly Awaited[];
      /** Needs that ended neither done nor skipped. */
      readonly bad: readonly string[];
      /** Whether too many needs failed, so that the task will not run. */
      readonly isLost: boolean;
    }
  /** A subplan ends when all tasks in it have ended. */
  | { readonly type: 'inside'; readonly of: readonly Awaited[] }
  /** A task starts when the subplan around it opens. */
  | { readonly type: 'subplan'; readonly task: string }
  /** Earlier steps of the same task. */
  | { readonly type: 'steps'; readonly of: readonly string[] }
  | {
      readonly type: 'tokens';
      readonly of: Resource;
      readonly wanted: number;
      readonly free: number;
      readonly holders: readonly TokenHolder[];
    }
  | { readonly type: 'closed'; readonly pool: string; readonly until: number | undefined }
  /** The provider of the pool is overloaded: `limit` is the effective limit. */
  | { readonly type: 'throttled'; readonly pool: string; readonly limit: number }
  /** The task holds the pool until it ends; undefined when the task is not known. */
  | { readonly type: 'hold'; readonly pool: string; readonly task: string | undefined }
  | { readonly type: 'paused' }
  /** A person has paused this task, which is the waiting task or a subplan around it. */
  | { readonly type: 'task-paused'; readonly task: string }
  | { readonly type: 'backoff'; readonly until: number }
  | {
      readonly type: 'budget';
      /** The task or subplan that has the budget; undefined for the budget of the run. */
      readonly task: string | undefined;
      readonly part: 'usd' | 'tokens';
      readonly ceiling: number;
      readonly spent: number;
      readonly reserved: number;
      readonly wanted: number;
      readonly holders: readonly TokenHolder[];
    }
  | { readonly type: 'answer'; readonly question: OpenQuestion }
  /** Others go first: serial execution, priority, the starvation guard, or the order of merges. */
  | {
      readonly type: 'precedence';
      readonly why: 'serial' | 'priority' | 'starvation' | 'merge-order';
      readonly of: readonly string[];
    }
  /** Nothing is missing; the coordinator starts it in its next step. */
  | { readonly type: 'nothing' }
);

export interface Explaining {
  readonly now: number;
  readonly given: RunInputs;
  /** The ETA from simulating the rest of the run; undefined when it was not requested. */
  readonly expected: ExpectedEnd | undefined;
}

export interface ExplainContext extends Explaining {
  readonly state: State;
}

/** A step by its task and its id; the step of a task with one step goes by the task. */
export function nameOfStep(state: State, index: number, step: number): string {
  const { task, steps } = taskAt(state, index);
  return steps.length === 1 ? task.path : `${task.path}/${steps[step]?.step.id ?? ''}`;
}

export const claimInWords = (state: State, { work, task, step }: Claim): string =>
  step === undefined || work === 'resolve' ? `${taskAt(state, task).task.path} ${work}` : nameOfStep(state, task, step);

export function awaited({ state, expected }: ExplainContext, task: CompiledTask): Awaited {
  const stage = stageOf(state, task);
  const { path } = task.task;
  return { task: path, state: stateOf(state, task, stage), stage, expectedAt: expected?.tasks.get(path)?.endAt };
}

export function holderOf({ state, now, expected }: ExplainContext, claim: Claim, holds: number): TokenHolder {
  const work = runningClaimOf(state, claim, now);
  const ofTask = expected?.tasks.get(work.task);
  const expectedAt = work.step === undefined ? ofTask?.endAt : ofTask?.steps.get(work.step)?.endAt;
  return { ...work, holds, expectedAt };
}
