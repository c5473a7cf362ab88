// Resets ended tasks to their state before they began, or one task to its state before one of its steps.
//
// reset-tasks/W1. The marking after a reset is the one that the events of all other tasks lead to (reset-set/V1), so
//     the net can reach it, and everything proved about the net still holds.
// reset-tasks/W2. Spending is kept, and the numbers of attempts, checks, merges and questions continue: an outcome from
//     before the reset is stale.
// reset-tasks/W3. The marking after a rollback is the one that the log leads to without the task's events from that step
//     on and without the events of tasks that go back with it, so the net can reach it (reset-tasks/W1).

import { countAt } from '../../net/play.ts';
import { putTokens } from '../../net/fire.ts';
import { factsOf, stepNamed, taskAt, taskNamed } from '../facts.ts';
import { forgetReached } from '../ledger.ts';
import { releasePrecedence, releaseTransition } from '../deferred.ts';
import { NOTHING_SAID, type StepFacts } from '../step-facts.ts';
import { endedToken, FRESH, satisfies, type Token } from '../token.ts';
import type { CompiledTask } from '../../compile/compiled.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import { opensInPlace } from '../reset-set.ts';
import type { State } from '../state.ts';
import { placesBefore } from '../../compile/step-life.ts';
import { loseCount, standInLine } from '../starvation-guard.ts';
import type { RunEvent } from '../event.ts';

/** `kept` is a task that stays open; the caller moves its tokens. */
export function resetTasks(state: State, paths: readonly string[], kept?: CompiledTask): State {
  const reset = paths.map((path) => taskNamed(state.compiled, path));
  const members = new Set(reset.map(({ index }) => index));
  const isReopened = ({ index }: CompiledTask): boolean => index === kept?.index || opensInPlace(state, members, index);
  const reopened = reset.filter(isReopened);
  const begunAnew = reset.filter((task) => !isReopened(task));
  for (const { index } of reopened) forgetEnd(state, index);
  for (const { index } of begunAnew) forgetAll(state, index);

  for (const task of begunAnew) {
    const isOpen = task.parent !== undefined && factsOf(state, task.parent).openedAt !== undefined;
    putTokens(state.play, task.places.waiting, [FRESH]);
    if (task.task.type === 'join') leaveOpenStages(state, task);
    if (task.places.entry !== undefined) putTokens(state.play, task.places.entry, isOpen ? [FRESH] : []);
    lookAfresh(state, task);
  }
  for (const { places } of reset) putTokens(state.play, places.ended, []);
  for (const { children } of reopened) for (const child of children) putEnd(state, child);
  for (const task of doorsOf(state, reset)) putArrivals(state, task);
  forgetReached(state.ledger);
  forgetNotes(state, members);
  if (state.run.stage === 'ended') goOn(state);
  return state;
}

/** Drops notes about the tasks from before the reset. */
function forgetNotes({ toEnd }: State, reset: ReadonlySet<TaskIndex>): void {
  const kept = toEnd.filter(({ task }) => !reset.has(task));
  toEnd.length = 0;
  for (const note of kept) toEnd.push(note);
}

/** The run had ended: returns the tokens that its end took. */
export function goOn(state: State): void {
  const { run, tasks } = state.compiled;
  state.run.stage = countAt(state.play, run.paused) > 0 ? 'paused' : 'going';
  state.run.endedAt = undefined;
  putTokens(state.play, run.sink, []);
  for (const task of tasks) {
    if (task.parent === undefined) putEnd(state, task.index);
    if (task.places.arrived !== undefined) putArrivals(state, task);
  }
}

function forgetEnd(state: State, index: TaskIndex): void {
  Object.assign(factsOf(state, index), { ended: undefined, endedAt: undefined, result: undefined });
}

/** A join is reset while it is open when its failed needs run again for it. */
function leaveOpenStages(state: State, { places: { worked, asking } }: CompiledTask): void {
  for (const place of [worked, asking]) if (place !== undefined) putTokens(state.play, place, []);
  if (asking !== undefined) state.questions.delete(asking);
}

function forgetAll(state: State, index: TaskIndex): void {
  const facts = factsOf(state, index);
  facts.rejoined = facts.openedAt !== undefined && facts.ended === undefined ? facts.rejoined + 1 : 0;
  forgetEnd(state, index);
  for (const step of facts.steps) Object.assign(step, { ended: undefined, result: undefined, ...NOTHING_SAID });
  for (const step of facts.steps) step.startedFrom = undefined;
  Object.assign(facts, {
    cancelling: undefined,
    closing: undefined,
    failing: undefined,
    dropped: undefined,
    openedAt: undefined,
    startedAt: undefined,
    checksLost: 0,
    tip: undefined,
    conflict: undefined,
    failedCheck: undefined,
    feedback: undefined,
    told: undefined,
    hasLeftovers: true,
    hasGrown: false,
  });
}

/** The reset tasks and all tasks that need one of them, each once. */
function doorsOf(state: State, reset: readonly CompiledTask[]): readonly CompiledTask[] {
  const doors = new Set(reset.flatMap(({ index, dependents }) => [index, ...dependents]));
  return [...doors].map((index) => taskAt(state, index));
}

/** The tokens before a task's opening are those of its needs that have ended. */
export function putArrivals(state: State, { index, needs, places }: CompiledTask): void {
  const facts = factsOf(state, index);
  const tokens = needs.map((need) => endOf(state, need));
  facts.unmet = tokens.flat().filter(({ ending }) => !satisfies(ending)).length;
  if (places.arrived !== undefined) return putTokens(state.play, places.arrived, tokens.flat());
  // A task that has opened took all of these tokens.
  if (countAt(state.play, places.waiting) === 0) return;
  places.edges.forEach((edge, at) => putTokens(state.play, edge, tokens[at] ?? []));
}

export const putEnd = (state: State, index: TaskIndex): void =>
  putTokens(state.play, taskAt(state, index).places.ended, endOf(state, index));

function endOf(state: State, index: TaskIndex): readonly Token[] {
  const { ended } = factsOf(state, index);
  return ended === undefined ? [] : [endedToken(ended.ending)];
}

/** Drops every deferral of the task from before the reset. */
function lookAfresh(state: State, { transitions, steps }: CompiledTask): void {
  const { open, close, check, merge, resolve, finish } = transitions;
  const ofSteps = steps.flatMap((step) => [
    step.transitions.drop,
    ...[step, ...step.otherVariants].map((each) => each.transitions.claim),
  ]);
  for (const transition of [open, close, check, merge, resolve, finish, ...ofSteps])
    if (transition !== undefined) releaseTransition(state, transition);
}

export function applyRolledBack(state: State, event: Extract<RunEvent, { type: 'task.rolledBack' }>): State {
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
    feedback: undefined,
    told: undefined,
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
