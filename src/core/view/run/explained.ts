// The input that all parts of an explanation share, and the names of steps and claims in it.
import type { CompiledTask } from '../../compile/compiled.ts';
import { taskAt } from '../../engine/facts.ts';
import type { Given } from '../../engine/scope.ts';
import type { Claim, State } from '../../engine/state.ts';
import type { Expected } from '../../simulate/simulate-on.ts';
import { stageOf, stateOf } from './stage.ts';
import { atWorkOf } from './run-status.ts';
import type { Awaited, Holder } from './wait.ts';

export interface Explaining {
  readonly now: number;
  readonly given: Given;
  /** The ETA from simulating the rest of the run; undefined when it was not requested. */
  readonly expected: Expected | undefined;
}

export interface Look extends Explaining {
  readonly state: State;
}

/** A step by its task and its id; the step of a task with one step goes by the task. */
export function nameOfStep(state: State, index: number, step: number): string {
  const { task, steps } = taskAt(state, index);
  return steps.length === 1 ? task.path : `${task.path}/${steps[step]?.step.id ?? ''}`;
}

export const nameOfClaim = (state: State, { work, task, step }: Claim): string =>
  step === undefined || work === 'resolve' ? `${taskAt(state, task).task.path} ${work}` : nameOfStep(state, task, step);

export function awaited({ state, expected }: Look, task: CompiledTask): Awaited {
  const stage = stageOf(state, task);
  const { path } = task.task;
  return { task: path, state: stateOf(state, task, stage), stage, expectedAt: expected?.tasks.get(path)?.endAt };
}

export function holderOf({ state, now, expected }: Look, claim: Claim, holds: number): Holder {
  const work = atWorkOf(state, claim, now);
  const ofTask = expected?.tasks.get(work.task);
  const expectedAt = work.step === undefined ? ofTask?.endAt : ofTask?.steps.get(work.step)?.endAt;
  return { ...work, holds, expectedAt };
}
