// What the events of a conflict change, from the claim of an agent's turn on it to a person's word.
import { assert } from '../../assert.ts';
import type { CompiledStep, CompiledTask } from '../../compile/compiled.ts';
import {
  addClaim,
  condemnClaim,
  factsOf,
  fired,
  isOfWholeTask,
  letGo,
  recallClaim,
  stepFactsOf,
  tokenAt,
} from '../facts.ts';
import { reserve } from '../ledger.ts';
import type { State } from '../state.ts';
import { raiseClaim, settleClaim } from './settle-claim.ts';
import { agentOf, noteConversation, noteReturned } from './turn-facts.ts';
import { transitionOfTask, type OfTaskEvent } from './transition-of.ts';

type ResolveEvent = Extract<OfTaskEvent, { type: `resolve.${string}` }>;
type ConflictEvent = ResolveEvent | Extract<OfTaskEvent, { type: 'task.resolved' }>;

export function applyToResolve(state: State, task: CompiledTask, event: ConflictEvent): State {
  const { asking, conflicted } = task.places;
  const transition = transitionOfTask(state, task, event);
  switch (event.type) {
    case 'resolve.claimed':
      return claim(state, task, event);
    case 'resolve.dropped':
      if (task.transitions.resolve !== undefined) letGo(state, task.transitions.resolve);
      ask(state, task);
      return fired(state, transition, tokenAt(state, conflicted));
    case 'task.resolved':
      if (asking !== undefined) state.questions.delete(asking);
      noteResolved(state, task, event.commit);
      return fired(state, transition, tokenAt(state, asking));
    case 'resolve.ended':
    case 'resolve.returned':
    case 'resolve.recalled':
    case 'resolve.raised':
    case 'resolve.condemned':
      return applyToTurn(state, task, event);
  }
}

/** What becomes of a turn that is under way. */
function applyToTurn(
  state: State,
  task: CompiledTask,
  event: Exclude<ResolveEvent, { type: 'resolve.claimed' | 'resolve.dropped' }>,
): State {
  const { resolving } = task.places;
  const step = resolverOf(task);
  const transition = transitionOfTask(state, task, event);
  const token = tokenAt(state, resolving);
  switch (event.type) {
    case 'resolve.ended':
      settleClaim(state, step, event.spend);
      noteConversation(state, step, event.conversation);
      if (event.ending === 'done') stepFactsOf(state, step).conversation = event.conversation;
      if (event.ending === 'failed') {
        if (event.reason !== 'cost') noteRefused(state, task, event.result?.response);
        ask(state, task);
      }
      if (event.ending === 'done') noteResolved(state, task, event.result?.commit);
      return fired(state, transition, { ...token, tried: 0, until: 0 });
    case 'resolve.returned':
      noteReturned(state, step, { event, claim: settleClaim(state, step, event.spend) });
      noteRefused(state, task, event.says);
      return fired(state, transition, { ...token, tried: token.tried - (event.counted ? 0 : 1), until: event.until });
    case 'resolve.recalled':
      recallClaim(state, resolving);
      return fired(state, transition, token);
    case 'resolve.raised':
      raiseClaim(state, step, event.reserve);
      return fired(state, transition, token);
    case 'resolve.condemned':
      condemnClaim(state, resolving, event);
      if (isOfWholeTask(event)) factsOf(state, task.index).condemned = { reason: event.reason, cause: event.cause };
      return fired(state, transition, token);
  }
}

function claim(state: State, task: CompiledTask, event: Extract<ResolveEvent, { type: 'resolve.claimed' }>): State {
  const { attempt, at } = event;
  const { resolve } = task.transitions;
  const token = tokenAt(state, task.places.conflicted);
  addClaim(state, task.places.resolving, {
    type: 'resolve',
    task: task.index,
    step: task.resolver,
    attempt,
    at,
    agent: agentOf(resolverOf(task)),
    reserve: event.reserve,
    recalled: false,
    condemned: undefined,
  });
  reserve(state.ledger, task.index, event.reserve);
  stepFactsOf(state, resolverOf(task)).attempts = attempt;
  return fired(state, resolve, { ...token, tried: token.tried + 1, until: 0 });
}

/** Asks a person: at a gate, or about a conflict. */
export function ask(state: State, { index, places }: CompiledTask): void {
  const facts = factsOf(state, index);
  assert(places.asking !== undefined, 'Whoever asks has a place to wait for the answer in.');
  facts.asked += 1;
  state.questions.set(places.asking, {
    task: index,
    step: undefined,
    attempt: facts.asked,
    asks: undefined,
    until: undefined,
  });
}

function noteResolved(state: State, { index }: CompiledTask, commit: string | undefined): void {
  const facts = factsOf(state, index);
  facts.tip = commit ?? facts.tip;
  if (facts.conflict !== undefined) facts.conflict = { ...facts.conflict, isResolved: true };
}

/** A turn that was lost or stopped says nothing of the one before it. */
function noteRefused(state: State, { index }: CompiledTask, says: string | undefined): void {
  const facts = factsOf(state, index);
  if (facts.conflict !== undefined && says !== undefined) facts.conflict = { ...facts.conflict, refused: says };
}

function resolverOf({ steps, resolver }: CompiledTask): CompiledStep {
  const step = steps[resolver ?? -1];
  assert(step !== undefined, 'A task whose conflicts an agent resolves has a step with that agent.');
  return step;
}
