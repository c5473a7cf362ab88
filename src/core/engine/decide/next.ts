// The decisions of a run: `next` reads the marking and returns one event that is due, or none.
//
// next/X1. It changes nothing in the state but the memo of deferred transitions (deferred/D1).
// next/X2. It tries transitions in a fixed order, so the same state and time give the same event.
// next/X3. It never returns the same event twice: applying the event removes the reason for it.
import { isInside, type CompiledTask } from '../../compile/compiled.ts';
import { isEnabled, nextEnabled, postpone } from '../../net/enabled-set.ts';
import type { TaskIndex, TransitionRole } from '../../compile/meaning.ts';
import { nextAmended } from './decide-amend.ts';
import { nextCancelling } from './cancel.ts';
import type { RunEvent } from '../event.ts';
import { deferTransition, isPrecedenceDeferred, releaseDeferred, releaseDue, releasePrecedence } from '../deferred.ts';
import { factsOf, FREE, taskAt } from '../facts.ts';
import type { Evaluator } from '../evaluator.ts';
import { claimResolve, claimStep, isPaused, isSerialAndBusy, pausedAround } from './claim.ts';
import { openOrDrop } from './open-task.ts';
import { joinOrDrop } from './open-step.ts';
import { leaveWorked, finishSubplan } from './close-task.ts';
import { holdOf, whyNotOpened } from './task-holds.ts';
import { nextSwitch, nextSwitchWake, nextWorkWake } from './switches.ts';
import { firstToMerge } from '../merge-order.ts';
import type { State } from '../state.ts';

export interface DecisionContext {
  readonly evaluator: Evaluator;
  readonly now: number;
  /** The evaluator belongs to the current plan: nothing is decided after the plan is amended. */
  readonly stopsWhenAmended?: boolean;
}

export function next(state: State, context: DecisionContext): RunEvent | undefined {
  if (state.run.stage === 'new' || state.run.stage === 'ended') return undefined;
  const { now } = context;
  const switched = nextSwitch(state, now) ?? nextCancelling(state, now) ?? nextAmended(state, now);
  if (switched !== undefined) return switched;
  releaseDue(state, now);
  const event = nextOfEnabled(state, { ...context, honoursHolds: true });
  if (event !== undefined || state.claims.size > 0) return event;
  // Nothing is running and nothing else is due, so holds do not count (order/O3).
  const isStuck = isPrecedenceDeferred(state) || isMergeOrderStuck(state);
  if (!isStuck) return undefined;
  releasePrecedence(state);
  if (isMergeOrderStuck(state)) releaseDeferred(state, 'merge order');
  return nextOfEnabled(state, { ...context, honoursHolds: false });
}

/** Neither a person nor time can unblock the first task to merge: it may wait for tokens of a later task. */
const isMergeOrderStuck = (state: State): boolean =>
  state.deferred.transitions['merge order'].size > 0 &&
  state.questions.size === 0 &&
  state.deferred.paused.size === 0 &&
  state.run.stage === 'going' &&
  nextWake(state) === undefined;

interface EnabledContext extends DecisionContext {
  readonly honoursHolds: boolean;
}

function nextOfEnabled(state: State, context: EnabledContext): RunEvent | undefined {
  for (let transition = nextEnabled(state.play); transition !== undefined; transition = nextEnabled(state.play)) {
    const role = state.compiled.transitionRole(transition);
    // Claims rank last, so when the first claim waits for the running one, nothing else is due.
    if (isSerialAndBusy(state) && isClaim(role)) return undefined;
    const event = consider(state, role, { ...context, transition });
    if (event !== undefined) return event;
  }
  return undefined;
}

const CLAIMS: ReadonlySet<TransitionRole['transition']> = new Set(['claim', 'check', 'merge', 'resolve']);
const isClaim = ({ transition }: TransitionRole): boolean => CLAIMS.has(transition);

interface Considered extends EnabledContext {
  readonly transition: number;
}

function consider(state: State, role: TransitionRole, considered: Considered): RunEvent | undefined {
  const { now: at, evaluator, transition } = considered;
  if (role.type === 'run') return { type: 'run.ended', at };
  if (role.type === 'pool') return undefined;
  const task = taskAt(state, role.task);
  const step = role.type === 'step' ? task.steps[role.step] : undefined;
  if (step !== undefined) {
    const variant =
      role.transition === 'claim'
        ? [step, ...step.otherVariants].find(({ transitions }) => transitions.claim === transition)
        : undefined;
    if (variant !== undefined) return claimStep(state, variant, considered);
    return leftAlone(state, transition, joinOrDrop(state, step, { evaluator, at }));
  }
  switch (transition) {
    case task.transitions.open:
      return openTask(state, task, considered);
    case task.transitions.finish:
      return finishSubplan(state, task, at);
    case task.transitions.close:
      return leftAlone(state, transition, leaveWorked(state, task, { evaluator, at }));
    case task.transitions.merge:
      return merge(state, task, considered);
    case task.transitions.resolve:
      return claimResolve(state, task, considered);
    default:
      if (isPaused(state, task.index)) return deferTransition(state, transition, pausedAround(state, task.index));
      return claimed(task, { work: 'check', attempt: factsOf(state, task.index).checks + 1 }, at);
  }
}

/** A transition that was decided not to fire is deferred until its tokens change. */
function leftAlone(state: State, transition: number, event: RunEvent | undefined): RunEvent | undefined {
  if (event === undefined) deferTransition(state, transition, { by: 'choice' });
  return event;
}

function openTask(
  state: State,
  task: CompiledTask,
  { transition, now: at, evaluator }: Considered,
): RunEvent | undefined {
  // A task that waits for the amendment is decided under the amended plan.
  if (state.amending !== undefined && isInside(state.compiled, state.amending.tasks, task.index))
    return deferTransition(state, transition, { by: 'pause', task: undefined });
  const event = openOrDrop(state, task, { evaluator, at });
  if (event === undefined && task.places.arrived !== undefined) postpone(state.play, transition, task.places.arrived);
  if (event?.type !== 'task.opened' || holdOf(task).length === 0) return event;
  // An open paused task would hold its pools without using them.
  const why = isPaused(state, task.index) ? pausedAround(state, task.index) : whyNotOpened(state, task);
  return why === undefined ? event : deferTransition(state, transition, why);
}

/** The merge queue has room: merges the first task in the queue, or the next one in the order of the plan. */
function merge(state: State, noticed: CompiledTask, considered: Considered): RunEvent | undefined {
  const { now: at, transition, honoursHolds } = considered;
  const isByPlan = state.mergeOrder !== undefined;
  const first = honoursHolds ? firstToMerge(state) : undefined;
  if (first !== undefined && first !== noticed.index)
    return deferTransition(state, transition, { by: 'merge order', task: first });
  const chosen = isByPlan ? free(state, [noticed.index]) : free(state, state.queue);
  if (chosen === undefined) return deferTransition(state, transition, pausedAround(state, noticed.index));
  const { merges, tip } = factsOf(state, chosen);
  return claimed(taskAt(state, chosen), { work: 'merge', attempt: merges + 1, tip }, at);
}

interface Claiming {
  readonly work: 'check' | 'merge';
  readonly attempt: number;
  readonly tip?: string | undefined;
}

const claimed = ({ task }: CompiledTask, claiming: Claiming, at: number): RunEvent => ({
  type: 'claim.made',
  at,
  task: task.path,
  step: undefined,
  ...claiming,
  reserve: FREE,
});

function free(state: State, tasks: Iterable<TaskIndex>): TaskIndex | undefined {
  for (const index of tasks) {
    const { merge: transition } = taskAt(state, index).transitions;
    // The caps around this task may be used up, unlike those around `noticed`.
    const isReady = transition !== undefined && isEnabled(state.play, transition);
    if (isReady && !isPaused(state, index)) return index;
  }
  return undefined;
}

/** The earliest time at which `next` may return an event without any other input. */
export function nextWake(state: State): number | undefined {
  const work = nextWorkWake(state);
  const switched = nextSwitchWake(state);
  return work === undefined || switched === undefined ? (work ?? switched) : Math.min(work, switched);
}
