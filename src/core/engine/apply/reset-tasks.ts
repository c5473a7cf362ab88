// Resets ended tasks to their state before they began, or one task to its state before one of its steps.
//
// reset-tasks/W1. The marking after a reset is the one that the events of all other tasks lead to (reset-set/V1), so
//     the net can reach it, and everything proved about the net still holds.
// reset-tasks/W2. Spending is kept, and the numbers of attempts, checks, merges and questions continue: an outcome from
//     before the reset is stale.

import { countAt } from '../../net/play.ts';
import { putTokens } from '../../net/fire.ts';
import { factsOf, taskAt } from '../facts.ts';
import { forgetReached } from '../ledger.ts';
import { releaseTransition } from '../deferred.ts';
import { NOTHING_SAID } from '../step-facts.ts';
import { endedToken, FRESH, satisfies } from '../token.ts';
import { taskNamed } from './named.ts';
import type { CompiledTask } from '../../compile/compiled.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { State } from '../state.ts';
import type { Token } from '../token.ts';

/** `kept` is a task that stays open; the caller moves its tokens. */
export function resetTasks(state: State, paths: readonly string[], kept?: CompiledTask): State {
  const reset = paths.map((path) => taskNamed(state.compiled, path));
  const isReopened = ({ task, index }: CompiledTask): boolean =>
    index === kept?.index || (task.type === 'subplan' && factsOf(state, index).openedAt !== undefined);
  const reopened = reset.filter(isReopened);
  const begunAnew = reset.filter((task) => !isReopened(task));
  for (const { index } of reopened) forgetEnd(state, index);
  for (const { index } of begunAnew) forgetAll(state, index);

  for (const task of begunAnew) {
    const isOpen = task.parent !== undefined && factsOf(state, task.parent).openedAt !== undefined;
    putTokens(state.play, task.places.waiting, [FRESH]);
    if (task.places.entry !== undefined) putTokens(state.play, task.places.entry, isOpen ? [FRESH] : []);
    lookAfresh(state, task);
  }
  for (const { places } of reset) putTokens(state.play, places.ended, []);
  for (const { children } of reopened) for (const child of children) putEnd(state, child);
  for (const task of doorsOf(state, reset)) putArrivals(state, task);
  forgetReached(state.ledger);
  forgetNotes(state, new Set(reset.map(({ index }) => index)));
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
function goOn(state: State): void {
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

function forgetAll(state: State, index: TaskIndex): void {
  forgetEnd(state, index);
  const facts = factsOf(state, index);
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
    hasLeftovers: true,
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
export function lookAfresh(state: State, { transitions, steps }: CompiledTask): void {
  const { open, close, check, merge, resolve, finish } = transitions;
  const ofSteps = steps.flatMap((step) => [
    step.transitions.drop,
    ...[step, ...step.otherVariants].map((each) => each.transitions.claim),
  ]);
  for (const transition of [open, close, check, merge, resolve, finish, ...ofSteps])
    if (transition !== undefined) releaseTransition(state, transition);
}
