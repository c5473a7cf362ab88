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

export function transitionOfStep({ deeds }: CompiledStep, event: StepEvent): number | undefined {
  switch (event.type) {
    case 'step.claimed':
      return deeds.claim;
    case 'step.ended':
      return deeds.end;
    case 'step.returned':
      return deeds.return;
    case 'step.condemned':
    case 'step.recalled':
      return deeds.condemn;
    case 'step.raised':
      return deeds.raise;
    case 'step.dropped':
      return deeds.drop;
    case 'step.joined':
      return deeds.join;
    case 'step.asked':
      return deeds.ask;
    case 'step.answered':
      return deeds.answer;
    case 'step.retried':
      return deeds.retry;
  }
}

export function transitionOfTask(state: State, task: CompiledTask, event: OfTaskEvent): number | undefined {
  const { deeds } = task;
  switch (event.type) {
    case 'task.opened':
      return deeds.open;
    case 'task.dropped':
      return deeds.drop;
    case 'task.condemned':
      return deeds.condemn;
    case 'task.held':
    case 'task.released':
      return state.compiled.run.hold;
    case 'task.repeated':
      return deeds.repeat;
    case 'task.queued':
      return deeds.queue;
    case 'task.merging':
      return deeds.merge;
    case 'task.conflicted':
      return event.asks ? deeds.askMerge : deeds.conflict;
    case 'task.resolved':
      return deeds.accept;
    case 'task.requeued':
      return deeds.requeue;
    case 'task.ended':
      return endOf(state, task);
    case 'check.claimed':
      return deeds.check;
    case 'check.passed':
      return deeds.pass;
    case 'check.failed':
      return deeds.redo;
    case 'check.returned':
      return deeds.returnCheck;
    case 'check.condemned':
    case 'check.recalled':
      return deeds.condemnCheck;
    case 'merge.condemned':
      return deeds.condemnMerge;
    case 'merge.failed':
      return deeds.redoMerge;
    case 'resolve.claimed':
      return deeds.resolve;
    case 'resolve.ended':
      return event.ending === 'failed' ? deeds.askResolve : deeds.endResolve;
    case 'resolve.returned':
      return deeds.returnResolve;
    case 'resolve.condemned':
    case 'resolve.recalled':
      return deeds.condemnResolve;
    case 'resolve.raised':
      return deeds.raiseResolve;
    case 'resolve.dropped':
      return deeds.askConflict;
  }
}

/** A task ends from the stage that holds its token; only one does. */
function endOf({ play }: State, { places, deeds }: CompiledTask): number | undefined {
  const holds = (place: number | undefined): boolean => place !== undefined && countAt(play, place) > 0;
  if (deeds.finish !== undefined) return deeds.finish;
  if (holds(places.asking)) return deeds.answer;
  if (holds(places.checking)) return deeds.closeCheck;
  if (holds(places.queued)) return deeds.closeQueue;
  if (holds(places.merging)) return deeds.closeMerge;
  if (holds(places.conflicted)) return deeds.closeConflict;
  return deeds.close;
}
