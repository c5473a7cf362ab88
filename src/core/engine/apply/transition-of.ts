// Which transition an event fires (event/E1). Most events name one; the end of a task depends on where it stands.
import { assert } from '../../assert.ts';
import type { Compiled, CompiledStep, CompiledTask } from '../../compile/compiled.ts';
import { countAt } from '../../net/play.ts';
import type { ClaimEvent, RunEvent } from '../event.ts';
import type { State } from '../state.ts';

/** The events of a step that is over without a claim. */
export type StepEvent = Extract<RunEvent, { type: `step.${string}` }>;
/** The events of a task as a whole that fire a transition. */
export type TaskEvent = Exclude<
  Extract<RunEvent, { task: string }>,
  StepEvent | ClaimEvent | { readonly type: 'task.rolledBack' }
>;

export function taskNamed(compiled: Compiled, path: string): CompiledTask {
  const index = compiled.indexOf.get(path);
  const task = index === undefined ? undefined : compiled.tasks[index];
  assert(task !== undefined, `The log speaks of the task ${path}, which the plan of this run does not have.`);
  return task;
}

export function stepNamed(task: CompiledTask, id: string | undefined): CompiledStep {
  const step = task.steps.find((candidate) => candidate.step.id === id);
  assert(step !== undefined, `The log speaks of the step ${id} of ${task.task.path}, which has no such step.`);
  return step;
}

export function transitionOfTask(state: State, task: CompiledTask, event: TaskEvent): number | undefined {
  const { transitions } = task;
  switch (event.type) {
    case 'task.opened':
      return transitions.open;
    case 'task.skipped':
      return transitions.drop;
    case 'task.cancelling':
      return transitions.condemn;
    case 'task.paused':
    case 'task.released':
      return state.compiled.run.hold;
    case 'task.repeated':
      return transitions.repeat;
    case 'task.queued':
      return transitions.queue;
    case 'task.escalated':
      return transitions.askConflict;
    case 'task.resolved':
      return transitions.accept;
    case 'task.ended':
      return endOf(state, task);
  }
}

/** A task ends from the stage that holds its token; only one does. */
function endOf({ play }: State, { places, transitions }: CompiledTask): number | undefined {
  const holds = (place: number | undefined): boolean => place !== undefined && countAt(play, place) > 0;
  if (transitions.finish !== undefined) return transitions.finish;
  if (holds(places.asking)) return transitions.answer;
  if (holds(places.queued)) return transitions.closeQueue;
  if (holds(places.conflicted)) return transitions.closeConflict;
  return transitions.close;
}

export function transitionOfClaim(task: CompiledTask, step: CompiledStep | undefined, event: ClaimEvent) {
  switch (event.work) {
    case 'step':
      return step === undefined ? undefined : ofStep(step, event);
    case 'check':
      return ofCheck(task, event);
    case 'merge':
      return ofMerge(task, event);
    case 'resolve':
      return ofResolve(task, event);
  }
}

function ofStep({ transitions }: CompiledStep, event: ClaimEvent): number | undefined {
  switch (event.type) {
    case 'claim.made':
      return transitions.claim;
    case 'claim.raised':
      return transitions.raise;
    case 'claim.preempting':
    case 'claim.cancelling':
      return transitions.condemn;
    case 'claim.returned':
      return transitions.return;
    case 'claim.asked':
      return transitions.ask;
    case 'claim.answered':
      return event.ending === undefined ? transitions.retry : transitions.answer;
    case 'claim.ended':
      return transitions.end;
  }
}

function ofCheck({ transitions }: CompiledTask, event: ClaimEvent): number | undefined {
  switch (event.type) {
    case 'claim.made':
      return transitions.check;
    case 'claim.preempting':
    case 'claim.cancelling':
      return transitions.condemnCheck;
    case 'claim.returned':
      return transitions.returnCheck;
    case 'claim.ended':
      if (event.redo !== undefined) return transitions.redo;
      return event.ending === 'done' ? (transitions.pass ?? transitions.returnCheck) : transitions.returnCheck;
    case 'claim.raised':
    case 'claim.asked':
    case 'claim.answered':
      return undefined;
  }
}

function ofMerge({ transitions }: CompiledTask, event: ClaimEvent): number | undefined {
  switch (event.type) {
    case 'claim.made':
      return transitions.merge;
    case 'claim.cancelling':
      return transitions.condemnMerge;
    case 'claim.returned':
      return transitions.requeue;
    case 'claim.asked':
      return transitions.askMerge;
    case 'claim.ended':
      if (event.redo !== undefined) return transitions.redoMerge;
      return event.conflict === undefined ? transitions.endMerge : transitions.conflict;
    case 'claim.preempting':
    case 'claim.raised':
    case 'claim.answered':
      return undefined;
  }
}

function ofResolve({ transitions }: CompiledTask, event: ClaimEvent): number | undefined {
  switch (event.type) {
    case 'claim.made':
      return transitions.resolve;
    case 'claim.raised':
      return transitions.raiseResolve;
    case 'claim.preempting':
    case 'claim.cancelling':
      return transitions.condemnResolve;
    case 'claim.returned':
      return transitions.returnResolve;
    case 'claim.asked':
      return transitions.askResolve;
    case 'claim.ended':
      return transitions.endResolve;
    case 'claim.answered':
      return undefined;
  }
}
