// Resets a task to its state before one of its steps, with the work of the steps before it.
//
// roll-back/W3. The marking after a rollback is the one that the log leads to without the task's events from that step
//     on and without the events of tasks that go back with it, so the net can reach it (reset-tasks/W1).

import { placesBefore } from '../../compile/step-life.ts';
import { countAt } from '../../net/play.ts';
import { putTokens } from '../../net/fire.ts';
import { factsOf } from '../facts.ts';
import { releasePrecedence } from '../deferred.ts';
import { loseCount, standInLine } from '../starvation-guard.ts';
import { FRESH } from '../token.ts';
import { lookAfresh, resetTasks } from './reset-tasks.ts';
import { NOTHING_SAID } from '../step-facts.ts';
import { stepNamed, taskNamed } from './named.ts';
import type { CompiledTask } from '../../compile/compiled.ts';
import type { RunEvent } from '../event.ts';
import type { State } from '../state.ts';
import type { StepFacts } from '../step-facts.ts';

export function rollBack(state: State, event: Extract<RunEvent, { type: 'task.rolledBack' }>): State {
  const task = taskNamed(state.compiled, event.task);
  const { index } = stepNamed(task, event.to);
  resetTasks(state, event.tasks, task);
  for (const place of placesInside(task)) {
    putTokens(state.play, place, []);
    state.questions.delete(place);
  }
  state.queue.delete(task.index);
  lookAfresh(state, task);
  forgetFrom(state, task, index);
  for (const place of placesBefore(task.steps, index)) putTokens(state.play, place, [FRESH]);
  return standAfresh(state, task);
}

/** Possible places of an open task's tokens while nothing of the task is running. */
function placesInside({ places, steps }: CompiledTask): readonly number[] {
  const { worked, queued, conflicted, asking } = places;
  const ofSteps = steps.flatMap((step) => [...step.ready, step.asking]);
  return [worked, queued, conflicted, asking, ...ofSteps].filter((place) => place !== undefined);
}

function forgetFrom(state: State, task: CompiledTask, index: number): void {
  const facts = factsOf(state, task.index);
  const later = facts.steps.slice(index);
  Object.assign(facts, {
    tip: earliest(later)?.commit,
    cancelling: undefined,
    closing: undefined,
    failing: undefined,
    conflict: undefined,
    failedCheck: undefined,
    checksLost: 0,
  });
  for (const step of later)
    Object.assign(step, { ended: undefined, result: undefined, startedFrom: undefined, ...NOTHING_SAID });
}

/** Parallel steps begin in any order; the commit at the start of the first one contains the work of none of them. */
function earliest(steps: readonly StepFacts[]): StepFacts['startedFrom'] {
  let first: StepFacts['startedFrom'];
  for (const { startedFrom } of steps)
    if (startedFrom !== undefined && startedFrom.event < (first?.event ?? Infinity)) first = startedFrom;
  return first;
}

/** Steps that become ready again start with a count of zero in the starvation guard. */
function standAfresh(state: State, { steps }: CompiledTask): State {
  const { guard, play } = state;
  if (guard === undefined) return state;
  for (const step of steps) {
    if (step.transitions.claim !== undefined && loseCount(guard, step.transitions.claim)) releasePrecedence(state);
    if (step.ready.every((place) => countAt(play, place) > 0)) standInLine(guard, step);
  }
  return state;
}
