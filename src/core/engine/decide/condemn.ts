// Ending what must not go on. Cancelling is draining: each task and step is ended by an event of its own, which fires
// a transition like any other.
//
// C1. Ending is never asked for twice, and what has ended is left alone, so it can be repeated after a crash.
// C2. A merge cannot be half undone. It is asked to stop, and what comes first decides: merged is merged and the task
//     is done; a merge that stopped, failed or was outrun ends the task as cancelled.
import type { CompiledStep, CompiledTask } from '../../compile/compiled.ts';
import { isEnabled } from '../../net/enabled-set.ts';
import { countAt } from '../../net/play.ts';
import type { RunEvent } from '../event.ts';
import { asHeld, claimAt, endedBy, factsOf, isOfWholeTask, stepFactsOf, taskAt } from '../facts.ts';
import type { State, Why } from '../state.ts';
import { whyEnded } from './open-step.ts';

/** The next event that ends something noted, or undefined when all of it is ended or being ended. */
export function nextCondemned(state: State, at: number): RunEvent | undefined {
  for (let last = state.toEnd.at(-1); last !== undefined; last = state.toEnd.at(-1)) {
    const task = taskAt(state, last.task);
    const event =
      last.type === 'task' ? condemnTask(state, task, { at, why: last.why }) : condemnSteps(state, task, at);
    if (event !== undefined) return event;
    state.toEnd.pop();
  }
  return undefined;
}

interface Order {
  readonly at: number;
  readonly why: Why;
}

function condemnTask(state: State, task: CompiledTask, { at, why }: Order): RunEvent | undefined {
  const facts = factsOf(state, task.index);
  const { places } = task;
  const { path } = task.task;
  const holds = (place: number | undefined): boolean => place !== undefined && countAt(state.play, place) > 0;
  if (facts.ended !== undefined) return undefined;
  if (holds(places.waiting)) {
    return facts.condemned === undefined ? { type: 'task.condemned', at, task: path, ...why } : undefined;
  }
  if (holds(places.asking) || holds(places.queued) || holds(places.worked) || holds(places.conflicted)) {
    return { type: 'task.ended', at, task: path, ...endedBy(why), result: undefined };
  }
  const check = claimAt(state, places.checking);
  if (check !== undefined) {
    return check.condemned === undefined ? { type: 'check.condemned', at, task: path, ...why } : undefined;
  }
  const merge = claimAt(state, places.merging);
  if (merge !== undefined) {
    return merge.condemned === undefined ? { type: 'merge.condemned', at, task: path, ...why } : undefined;
  }
  const resolve = claimAt(state, places.resolving);
  if (resolve !== undefined) {
    // One that is ended for its cost may yet be ended for good, with its whole task.
    const isNews = resolve.condemned === undefined || (isOfWholeTask(why) && !isOfWholeTask(resolve.condemned));
    return isNews ? { type: 'resolve.condemned', at, task: path, ...why } : undefined;
  }
  for (const step of task.steps) {
    const event = condemnStep(state, step, { at, why });
    if (event !== undefined) return event;
  }
  return undefined;
}

/** Ends those steps of a task that another's failure ends. */
function condemnSteps(state: State, task: CompiledTask, at: number): RunEvent | undefined {
  for (const step of task.steps) {
    const why = whyEnded(state, step);
    const event = why === undefined ? undefined : condemnStep(state, step, { at, why });
    if (event !== undefined) return event;
  }
  return undefined;
}

function condemnStep(state: State, of: CompiledStep, { at, why }: Order): RunEvent | undefined {
  const step = asHeld(state, of);
  const about = { at, task: taskAt(state, step.task).task.path, step: step.step.id, ...why };
  if (stepFactsOf(state, step).ended !== undefined) return undefined;
  const claim = claimAt(state, step.working);
  if (claim !== undefined) {
    // One that ends for the sake of another step may yet be ended for good, with its whole task.
    const isNews = claim.condemned === undefined || (isOfWholeTask(why) && !isOfWholeTask(claim.condemned));
    return isNews ? { type: 'step.condemned', ...about } : undefined;
  }
  if (step.asking !== undefined && countAt(state.play, step.asking) > 0) {
    return { type: 'step.answered', ...about, ...endedBy(why) };
  }
  return isEnabled(state.play, step.transitions.drop) ? { type: 'step.dropped', ...about, ...endedBy(why) } : undefined;
}
