// What the events of a task change.
import type { CompiledTask } from '../../compile/compiled.ts';
import { redoPoint } from '../../compile/sequence.ts';
import { restore } from '../../net/enabled-set.ts';
import { spread } from './spread.ts';
import type { Conflict, Result } from '../../protocol/result.ts';
import type { Ended } from '../event.ts';
import {
  addClaim,
  condemnClaim,
  dropClaim,
  factsOf,
  fired,
  letGo,
  NOTHING,
  recallClaim,
  releaseHeldBack,
  tokenAt,
} from '../facts.ts';
import type { Claim, ConflictFacts, State } from '../state.ts';
import { endedToken, type Token } from '../token.ts';
import { applyToResolve, ask } from './apply-to-resolve.ts';
import { taskNamed, transitionOfTask, type OfTaskEvent } from './transition-of.ts';

export function applyToTask(state: State, event: OfTaskEvent): State {
  const task = taskNamed(state.compiled, event.task);
  const facts = factsOf(state, task.index);
  const transition = transitionOfTask(state, task, event);
  switch (event.type) {
    case 'task.opened':
      facts.openedAt = event.at;
      facts.openingEvent = state.run.events;
      if (task.task.type === 'gate') ask(state, task);
      fired(state, transition);
      return spread(state, { type: 'opened', task });
    case 'task.dropped':
      if (isDecided(state, task, event)) spread(state, { type: 'opened', task });
      if (task.task.type !== 'subplan') return end(state, task, { event, transition, result: undefined });
      facts.dropped = { ending: event.ending, reason: event.reason, cause: event.cause };
      return fired(state, transition, endedToken(event.ending));
    case 'task.held':
      return hold(state, task, transition);
    case 'task.released':
      return release(state, task, transition);
    case 'task.condemned':
      facts.condemned = { reason: event.reason, cause: event.cause };
      fired(state, transition, tokenAt(state, task.places.waiting));
      // It may have been looked at while too few of its needs had arrived; that does not matter any more.
      restore(state.play, task.transitions.open);
      return state;
    case 'task.repeated':
      forgetFrom(state, task, 0);
      for (const step of facts.steps) step.startedFrom = undefined;
      return fired(state, transition, {
        ...tokenAt(state, task.places.worked),
        tried: 0,
        until: 0,
        round: event.round,
      });
    case 'task.queued':
      state.queue.add(task.index);
      return fired(state, transition, tokenAt(state, task.places.worked));
    case 'task.ended':
      return end(state, task, { event, transition, result: event.result });
    case 'task.merging':
    case 'task.requeued':
    case 'task.conflicted':
    case 'merge.failed':
    case 'merge.condemned':
      return applyToMerge(state, task, event);
    case 'task.resolved':
    case 'resolve.claimed':
    case 'resolve.ended':
    case 'resolve.returned':
    case 'resolve.recalled':
    case 'resolve.raised':
    case 'resolve.condemned':
    case 'resolve.dropped':
      return applyToResolve(state, task, event);
    case 'check.claimed':
    case 'check.passed':
    case 'check.failed':
    case 'check.returned':
    case 'check.recalled':
    case 'check.condemned':
      return applyToCheck(state, task, event);
  }
}

type MergeEvent = Extract<
  OfTaskEvent,
  { type: 'task.merging' | 'task.requeued' | 'task.conflicted' | `merge.${string}` }
>;

function applyToMerge(state: State, task: CompiledTask, event: MergeEvent): State {
  const { merging, queued } = task.places;
  const facts = factsOf(state, task.index);
  const transition = transitionOfTask(state, task, event);
  const token = tokenAt(state, merging);
  switch (event.type) {
    case 'task.merging':
      state.queue.delete(task.index);
      facts.merges += 1;
      addClaim(state, merging, claimOf(task, { type: 'merge', attempt: facts.merges, at: event.at }));
      return fired(state, transition, tokenAt(state, queued));
    case 'task.requeued':
      dropClaim(state, merging);
      state.queue.add(task.index);
      return fired(state, transition, token);
    case 'task.conflicted':
      dropClaim(state, merging);
      facts.conflict = conflictOf(event, facts.conflict);
      if (event.asks) ask(state, task);
      return fired(state, transition, { ...token, tried: 0, until: 0, conflicts: token.conflicts + 1 });
    case 'merge.failed':
      dropClaim(state, merging);
      return sendBack(state, task, { event, transition, token });
    case 'merge.condemned':
      condemnClaim(state, merging, event);
      facts.condemned = { reason: event.reason, cause: event.cause };
      return fired(state, transition, token);
  }
}

function conflictOf(event: Conflict, before: ConflictFacts | undefined): ConflictFacts {
  const { paths, with: others, onto } = event;
  const ever = [...new Set([...(before?.ever ?? []), ...others])];
  return { paths, with: others, onto, isResolved: false, refused: undefined, ever };
}

interface SendingBack {
  readonly event: { readonly redo: number; readonly tail: string };
  readonly transition: number | undefined;
  readonly token: Token;
}

/** A check has failed, so the task goes back to its agent, who hears what the check said. */
function sendBack(state: State, task: CompiledTask, { event, transition, token }: SendingBack): State {
  forgetFrom(state, task, redoPoint(task.steps.map(({ step }) => step)) ?? 0);
  factsOf(state, task.index).failedCheck = event.tail;
  return fired(state, transition, { ...token, tried: 0, until: 0, redo: event.redo });
}

function applyToCheck(
  state: State,
  task: CompiledTask,
  event: Extract<OfTaskEvent, { type: `check.${string}` }>,
): State {
  const { checking, worked } = task.places;
  const facts = factsOf(state, task.index);
  const transition = transitionOfTask(state, task, event);
  switch (event.type) {
    case 'check.claimed': {
      const token = tokenAt(state, worked);
      facts.checks += 1;
      addClaim(state, checking, claimOf(task, { type: 'check', attempt: facts.checks, at: event.at }));
      fired(state, transition, token);
      // Whoever looked at the worked task has left it to its check; it is to be looked at again after that.
      if (task.transitions.close !== undefined) restore(state.play, task.transitions.close);
      return state;
    }
    case 'check.passed':
      dropClaim(state, checking);
      facts.checksLost = 0;
      facts.failedCheck = undefined;
      state.queue.add(task.index);
      return fired(state, transition, tokenAt(state, checking));
    case 'check.failed':
      dropClaim(state, checking);
      facts.checksLost = 0;
      return sendBack(state, task, { event, transition, token: tokenAt(state, checking) });
    case 'check.returned':
      dropClaim(state, checking);
      if (event.counted) facts.checksLost += 1;
      return fired(state, transition, tokenAt(state, checking));
    case 'check.recalled':
      recallClaim(state, checking);
      return fired(state, transition, tokenAt(state, checking));
    case 'check.condemned':
      condemnClaim(state, checking, event);
      facts.condemned = { reason: event.reason, cause: event.cause };
      return fired(state, transition, tokenAt(state, checking));
  }
}

function hold(state: State, { index }: CompiledTask, transition: number | undefined): State {
  state.held.add(index);
  // Tokens that are kept free for a step of this task need not be kept while it is held.
  releaseHeldBack(state);
  return fired(state, transition);
}

function release(state: State, { index }: CompiledTask, transition: number | undefined): State {
  state.held.delete(index);
  for (const claim of state.onHold) restore(state.play, claim);
  state.onHold.clear();
  return fired(state, transition);
}

/** Its needs were met and its own condition kept it from opening: a race that it waited for is decided all the same. */
function isDecided(state: State, { parent }: CompiledTask, { reason }: Ended): boolean {
  const isOfSubplan = parent !== undefined && factsOf(state, parent).dropped !== undefined;
  return !isOfSubplan && (reason === 'condition' || reason === 'expression');
}

/** Steps that will run again have not ended; what they once said may still be read until they say it anew. */
function forgetFrom(state: State, task: CompiledTask, index: number): void {
  const facts = factsOf(state, task.index);
  facts.failing = undefined;
  if (facts.conflict !== undefined) facts.conflict = { ...facts.conflict, isResolved: false };
  facts.failedCheck = undefined;
  for (const step of facts.steps.slice(index))
    Object.assign(step, { ended: undefined, goesOn: undefined, startsFresh: false });
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
  dropClaim(state, task.places.checking);
  dropClaim(state, task.places.merging);
  if (task.places.asking !== undefined) state.questions.delete(task.places.asking);
  if (task.transitions.resolve !== undefined) letGo(state, task.transitions.resolve);
  facts.endingEvent = state.run.events;
  facts.ended = { ending: event.ending, reason: event.reason, cause: event.cause };
  facts.endedAt = event.at;
  facts.result = result ?? facts.steps.at(-1)?.result;
  fired(state, transition, endedToken(event.ending));
  return spread(state, { type: 'ended', task, ended: facts.ended });
}

const claimOf = ({ index }: CompiledTask, made: Pick<Claim, 'type' | 'attempt' | 'at'>): Claim => ({
  ...made,
  task: index,
  step: undefined,
  agent: undefined,
  reserve: NOTHING,
  recalled: false,
  condemned: undefined,
});
