// Applies the events of a task.
import type { CompiledTask } from '../../compile/compiled.ts';
import { spread, spreadFromCeiling } from './spread.ts';
import type { Result } from '../../protocol/result.ts';
import type { Ended } from '../event.ts';
import { factsOf, fired, taskNamed, tokenAt } from '../facts.ts';
import { releaseDeferred, releasePrecedence, releaseTransition } from '../deferred.ts';
import type { State } from '../state.ts';
import { endedToken } from '../token.ts';
import { ask, forgetFrom, goBack, noteResolved } from './claim-of-task.ts';
import { taskRow, type TaskEvent } from '../events/task-events.ts';
import { applyRolledBack } from './reset-tasks.ts';
import { resultStep } from '../../plan/result-step.ts';

export function applyToTask(state: State, event: TaskEvent): State {
  const task = taskNamed(state.compiled, event.task);
  const facts = factsOf(state, task.index);
  const transition = taskRow(event).transition?.(task, state);
  switch (event.type) {
    case 'task.opened':
      facts.openedAt = event.at;
      facts.openingEvent = state.run.events;
      if (task.task.type === 'gate') ask(state, task);
      fired(state, transition);
      return spread(state, { type: 'opened', task });
    case 'task.skipped':
      if (isDecided(state, task, event)) spread(state, { type: 'opened', task });
      if (task.task.type !== 'subplan') return end(state, task, { event, transition, result: undefined });
      facts.dropped = { ending: event.ending, reason: event.reason, cause: event.cause };
      return fired(state, transition, endedToken(event.ending));
    case 'task.paused':
      return pause(state, task, transition);
    case 'task.released':
      return release(state, task, transition);
    case 'task.cancelling':
      facts.cancelling = { reason: event.reason, cause: event.cause };
      fired(state, transition, tokenAt(state, task.places.waiting));
      // The opening may be deferred since fewer needs had ended; that reason is gone.
      releaseTransition(state, task.transitions.open);
      return state;
    case 'task.repeated':
      if (event.says === undefined) {
        forgetFrom(state, task, 0);
        for (const step of facts.steps) step.startedFrom = undefined;
      } else {
        goBack(state, task);
        facts.feedback = event.says;
      }
      return fired(state, transition, {
        ...tokenAt(state, task.places.worked),
        tried: 0,
        until: 0,
        round: event.round,
      });
    case 'task.queued':
      state.queue.add(task.index);
      return fired(state, transition, tokenAt(state, task.places.worked));
    case 'task.escalated':
      if (task.transitions.resolve !== undefined) releaseTransition(state, task.transitions.resolve);
      ask(state, task);
      spreadFromCeiling(state, task.index, event);
      return fired(state, transition, tokenAt(state, task.places.conflicted));
    case 'task.resolved': {
      const { asking } = task.places;
      if (asking !== undefined) state.questions.delete(asking);
      noteResolved(state, task, event.commit);
      return fired(state, transition, tokenAt(state, asking));
    }
    case 'task.gated':
      facts.result = event.result;
      ask(state, task);
      return fired(state, transition, tokenAt(state, task.places.worked));
    case 'task.rolledBack':
      return applyRolledBack(state, event);
    case 'task.ended':
      return end(state, task, { event, transition, result: event.result });
  }
}

function pause(state: State, { index }: CompiledTask, transition: number | undefined): State {
  state.deferred.paused.add(index);
  // Tokens kept free for a step of this task are released while the task is paused.
  releasePrecedence(state);
  return fired(state, transition);
}

function release(state: State, { index }: CompiledTask, transition: number | undefined): State {
  state.deferred.paused.delete(index);
  releaseDeferred(state, 'pause');
  return fired(state, transition);
}

/** The needs were met, but the task's own condition kept it closed: the race it waited for is decided all the same. */
function isDecided(state: State, { parent }: CompiledTask, { reason }: Ended): boolean {
  const isOfSubplan = parent !== undefined && factsOf(state, parent).dropped !== undefined;
  return !isOfSubplan && (reason === 'condition' || reason === 'no_item' || reason === 'expression');
}

function end(
  state: State,
  task: CompiledTask,
  {
    event,
    transition,
    result,
  }: { event: Ended & { at: number }; transition: number | undefined; result: Result | undefined },
): State {
  const facts = factsOf(state, task.index);
  state.queue.delete(task.index);
  if (task.places.asking !== undefined) state.questions.delete(task.places.asking);
  if (task.transitions.resolve !== undefined) releaseTransition(state, task.transitions.resolve);
  facts.closing = undefined;
  facts.endingEvent = state.run.events;
  facts.ended = { ending: event.ending, reason: event.reason, cause: event.cause };
  facts.endedAt = event.at;
  facts.result = result ?? facts.steps[resultStep(task.steps.map(({ step }) => step))]?.result;
  releaseDeferred(state, 'merge order');
  releaseDeferred(state, 'hold');
  fired(state, transition, endedToken(event.ending));
  return spread(state, { type: 'ended', task, ended: facts.ended });
}
