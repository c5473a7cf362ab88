// What a run does of itself: `next` looks at the marking and says one event that is due, or none.
//
// X1. It reads the state and changes only the enabled set's bookkeeping, which holds back what was looked at.
// X2. It asks in a fixed order, so the same state and time give the same event.
// X3. It never says the same thing twice: applying its event takes away the reason for it.
import type { CompiledStep, CompiledTask } from '../../compile/compiled.ts';
import { defer, isEnabled, nextEnabled, postpone, restore } from '../../net/enabled-set.ts';
import { countAt } from '../../net/play.ts';
import { isInside } from '../../compile/inside.ts';
import type { TaskIndex, TransitionRole } from '../../compile/meaning.ts';
import { nextCondemned } from './condemn.ts';
import type { RunEvent } from '../event.ts';
import { factsOf, releaseHeldBack, stepFactsOf, taskAt, tokenAt } from '../facts.ts';
import type { Judge } from '../judge/judge.ts';
import { fit } from '../ledger.ts';
import { isInTheWay, keptFor } from '../patience.ts';
import { openOrDrop } from './open-task.ts';
import { joinOrDrop } from './open-step.ts';
import { leaveWorked, finishSubplan } from './close-task.ts';
import type { State } from '../state.ts';

export interface Moment {
  readonly judge: Judge;
  readonly now: number;
}

export function next(state: State, moment: Moment): RunEvent | undefined {
  if (state.run.stage === 'new' || state.run.stage === 'ended') return undefined;
  const { now } = moment;
  const switched = nextSwitch(state, now) ?? nextCondemned(state, now);
  if (switched !== undefined) return switched;
  wakeRested(state, now);
  const event = nextOfEnabled(state, { ...moment, honoursHolds: true });
  if (event !== undefined || state.claims.size > 0 || state.heldBack.size === 0) return event;
  // Nothing is at work and nothing else can be done, so holds do not count (O3).
  releaseHeldBack(state);
  return nextOfEnabled(state, { ...moment, honoursHolds: false });
}

interface Looking extends Moment {
  readonly honoursHolds: boolean;
}

function nextOfEnabled(state: State, looking: Looking): RunEvent | undefined {
  for (let transition = nextEnabled(state.play); transition !== undefined; transition = nextEnabled(state.play)) {
    const role = state.compiled.transitionRole(transition);
    // Claims rank last, so when the first of them has to wait for the one at work there is nothing else to say.
    if (isSerialAndBusy(state) && isClaim(role)) return undefined;
    const event = consider(state, role, { ...looking, transition });
    if (event !== undefined) return event;
  }
  return undefined;
}

const isSerialAndBusy = (state: State): boolean => state.order.policy === 'serial' && state.claims.size > 0;

const isClaim = ({ deed }: TransitionRole): boolean => deed === 'claim' || deed === 'check' || deed === 'merge';

interface Considered extends Looking {
  readonly transition: number;
}

function consider(state: State, role: TransitionRole, considered: Considered): RunEvent | undefined {
  const { now: at, judge, transition } = considered;
  if (role.type === 'run') return { type: 'run.ended', at };
  if (role.type === 'pool') return undefined;
  const task = taskAt(state, role.task);
  const step = role.type === 'step' ? task.steps[role.step] : undefined;
  if (step !== undefined) {
    if (transition === step.deeds.claim) return claimStep(state, step, considered);
    return leftAlone(state, transition, joinOrDrop(state, step, { judge, at }));
  }
  switch (transition) {
    case task.deeds.open:
      return openTask(state, task, considered);
    case task.deeds.finish:
      return finishSubplan(state, task, at);
    case task.deeds.close:
      return leftAlone(state, transition, leaveWorked(state, task, { judge, at }));
    case task.deeds.merge:
      return merge(state, task, considered);
    default:
      if (isHeld(state, task.index)) return putOnHold(state, transition);
      return { type: 'check.claimed', at, task: task.task.path };
  }
}

/** What was looked at and left alone is held back until its tokens have come and gone. */
function leftAlone(state: State, transition: number, event: RunEvent | undefined): RunEvent | undefined {
  if (event === undefined) defer(state.play, transition);
  return event;
}

function openTask(state: State, task: CompiledTask, { transition, now: at, judge }: Considered): RunEvent | undefined {
  const event = openOrDrop(state, task, { judge, at });
  if (event === undefined && task.places.arrived !== undefined) postpone(state.play, transition, task.places.arrived);
  return event;
}

function claimStep(
  state: State,
  step: CompiledStep,
  { transition, now: at, honoursHolds }: Considered,
): RunEvent | undefined {
  if (isHeld(state, step.task)) return putOnHold(state, transition);
  const token = tokenAt(state, step.ready[0]);
  if (token.until > at) {
    state.resting.set(transition, token.until);
    defer(state.play, transition);
    return undefined;
  }
  if (isKeptFromTokens(state, transition, at) || (honoursHolds && isOnHold(state, transition))) {
    state.heldBack.add(transition);
    defer(state.play, transition);
    return undefined;
  }
  return claimPaid(state, step, { transition, at });
}

function claimPaid(
  state: State,
  step: CompiledStep,
  { transition, at }: { readonly transition: number; readonly at: number },
): RunEvent | undefined {
  const about = { at, task: taskAt(state, step.task).task.path, step: step.step.id };
  const { reserve } = step.step;
  switch (fit(state.ledger, step.task, { reserve, isPaid: step.step.type === 'prompt' })) {
    case 'now':
      return { type: 'step.claimed', ...about, attempt: stepFactsOf(state, step).attempts + 1, reserve };
    case 'never':
      return { type: 'step.dropped', ...about, ending: 'failed', reason: 'cost', cause: undefined };
    case 'later':
      state.unpaid.add(transition);
      defer(state.play, transition);
      return undefined;
  }
}

/** Claims a step that only rests between attempts, where tokens allow: somebody will not wait. */
export function claimRested(state: State, step: CompiledStep, at: number): RunEvent | undefined {
  const { claim: transition } = step.deeds;
  if (transition === undefined || tokenAt(state, step.ready[0]).until <= at) return undefined;
  if (isHeld(state, step.task) || isSerialAndBusy(state) || !isEnabled(state.play, transition)) return undefined;
  return claimPaid(state, step, { transition, at });
}

function isKeptFromTokens({ patience, play }: State, claim: number, at: number): boolean {
  const kept = patience === undefined ? undefined : keptFor(patience, play, at);
  return patience !== undefined && kept !== undefined && isInTheWay(patience, play, { claim, kept });
}

/** Whether a step that should go first has neither begun nor been given up. */
function isOnHold(state: State, claim: number): boolean {
  return state.holds.get(claim)?.some(({ task, step }) => isStillToBegin(state, task, step)) ?? false;
}

function isStillToBegin(state: State, index: number, step: number): boolean {
  const facts = factsOf(state, index);
  const ofStep = facts.steps[step];
  if (isHeld(state, index)) return false;
  if (facts.ended !== undefined || facts.condemned !== undefined || facts.failing !== undefined) return false;
  return ofStep?.attempts === 0 && ofStep.ended === undefined;
}

/** The lane is free. The one noticed is the first in the plan; by completion the first in the queue goes. */
function merge(state: State, noticed: CompiledTask, { now: at, transition }: Considered): RunEvent | undefined {
  const isByPlan = state.compiled.plan.settings.merge.order === 'plan';
  const chosen = isByPlan ? free(state, [noticed.index]) : free(state, state.queue);
  if (chosen === undefined) return putOnHold(state, transition);
  return { type: 'task.merging', at, task: taskAt(state, chosen).task.path };
}

function free(state: State, tasks: Iterable<TaskIndex>): TaskIndex | undefined {
  for (const task of tasks) if (!isHeld(state, task)) return task;
  return undefined;
}

const isHeld = ({ compiled, held }: State, task: TaskIndex): boolean => isInside(compiled, held, task);

/** A person holds its task: it is not looked at again until they let go. */
function putOnHold(state: State, claim: number): undefined {
  state.onHold.add(claim);
  defer(state.play, claim);
}

function nextSwitch(state: State, at: number): RunEvent | undefined {
  for (const [pool, until] of state.dry) {
    const parts = state.compiled.pools.get(pool);
    const isClosed = parts !== undefined && countAt(state.play, parts.closed) > 0;
    // One that ran dry is closed even when it could be opened at once, as after a long stop, so that each run dry
    // is one closing and one opening in the log.
    if (!isClosed) return { type: 'pool.closed', at, pool, until };
    if (until <= at) return { type: 'pool.opened', at, pool };
  }
  return undefined;
}

function wakeRested(state: State, now: number): void {
  for (const [transition, until] of state.resting) {
    if (until > now) continue;
    state.resting.delete(transition);
    restore(state.play, transition);
  }
}

/** The earliest time at which `next` may have something to say without anything else happening. */
export function nextWake(state: State): number | undefined {
  let earliest: number | undefined;
  for (const times of [state.resting.values(), state.dry.values()]) {
    for (const time of times) earliest = Math.min(earliest ?? time, time);
  }
  return earliest;
}
