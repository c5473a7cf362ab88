// Which transition an event fires (E1). Most events name one; the end of a task depends on where it stands.
import { assert } from '../../assert.ts';
import type { Compiled, CompiledStep, CompiledTask } from '../../compile/compiled.ts';
import { countAt } from '../../net/play.ts';
import type { RunEvent } from '../event.ts';
import type { State } from '../state.ts';

/** The events that belong to one task or one of its steps. */
export type TaskEvent = Extract<RunEvent, { task: string }>;
export type StepEvent = Extract<RunEvent, { step: string }>;
/** Those of the task as a whole that fire a transition. */
export type OfTaskEvent = Exclude<TaskEvent, StepEvent | { readonly type: 'task.rolledBack' }>;

export function taskNamed(compiled: Compiled, path: string): CompiledTask {
  const index = compiled.indexOf.get(path);
  const task = index === undefined ? undefined : compiled.tasks[index];
  assert(task !== undefined, `The log speaks of the task ${path}, which the plan of this run does not have.`);
  return task;
}

export function stepNamed(task: CompiledTask, id: string): CompiledStep {
  const step = task.steps.find((candidate) => candidate.step.id === id);
  assert(step !== undefined, `The log speaks of the step ${id} of ${task.task.path}, which has no such step.`);
  return step;
}

export function transitionOfStep({ transitions }: CompiledStep, event: StepEvent): number | undefined {
  switch (event.type) {
    case 'step.claimed':
      return transitions.claim;
    case 'step.ended':
      return transitions.end;
    case 'step.returned':
      return transitions.return;
    case 'step.condemned':
    case 'step.recalled':
      return transitions.condemn;
    case 'step.raised':
      return transitions.raise;
    case 'step.dropped':
      return transitions.drop;
    case 'step.joined':
      return transitions.join;
    case 'step.asked':
      return transitions.ask;
    case 'step.answered':
      return transitions.answer;
    case 'step.retried':
      return transitions.retry;
  }
}

export function transitionOfTask(state: State, task: CompiledTask, event: OfTaskEvent): number | undefined {
  const { transitions } = task;
  switch (event.type) {
    case 'task.opened':
      return transitions.open;
    case 'task.dropped':
      return transitions.drop;
    case 'task.condemned':
      return transitions.condemn;
    case 'task.held':
    case 'task.released':
      return state.compiled.run.hold;
    case 'task.repeated':
      return transitions.repeat;
    case 'task.queued':
      return transitions.queue;
    case 'task.merging':
      return transitions.merge;
    case 'task.conflicted':
      return event.asks ? transitions.askMerge : transitions.conflict;
    case 'task.resolved':
      return transitions.accept;
    case 'task.requeued':
      return transitions.requeue;
    case 'task.ended':
      return endOf(state, task);
    case 'check.claimed':
      return transitions.check;
    case 'check.passed':
      return transitions.pass;
    case 'check.failed':
      return transitions.redo;
    case 'check.returned':
      return transitions.returnCheck;
    case 'check.condemned':
    case 'check.recalled':
      return transitions.condemnCheck;
    case 'merge.condemned':
      return transitions.condemnMerge;
    case 'merge.failed':
      return transitions.redoMerge;
    case 'resolve.claimed':
      return transitions.resolve;
    case 'resolve.ended':
      return event.ending === 'failed' ? transitions.askResolve : transitions.endResolve;
    case 'resolve.returned':
      return transitions.returnResolve;
    case 'resolve.condemned':
    case 'resolve.recalled':
      return transitions.condemnResolve;
    case 'resolve.raised':
      return transitions.raiseResolve;
    case 'resolve.dropped':
      return transitions.askConflict;
  }
}

/** A task ends from the stage that holds its token; only one does. */
function endOf({ play }: State, { places, transitions }: CompiledTask): number | undefined {
  const holds = (place: number | undefined): boolean => place !== undefined && countAt(play, place) > 0;
  if (transitions.finish !== undefined) return transitions.finish;
  if (holds(places.asking)) return transitions.answer;
  if (holds(places.checking)) return transitions.closeCheck;
  if (holds(places.queued)) return transitions.closeQueue;
  if (holds(places.merging)) return transitions.closeMerge;
  if (holds(places.conflicted)) return transitions.closeConflict;
  return transitions.close;
}
