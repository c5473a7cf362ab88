// Applies the end of a claim on a task as a whole: its check, its merge, or the agent's turn on its conflict.
//
// claim-of-task/T1. A task that ends with its check or its merge is noted as closing; the end of the task is a separate
//     event.
import { assert } from '../../assert.ts';
import type { CompiledTask } from '../../compile/compiled.ts';
import { redoPoint } from '../../compile/sequence.ts';
import type { Conflict } from '../../protocol/result.ts';
import { factsOf, fired, stepFactsOf, tokenAt } from '../facts.ts';
import type { State } from '../state.ts';
import type { ConflictFacts } from '../task-facts.ts';
import type { Token } from '../token.ts';
import type { OverEvent } from '../events/claim-events.ts';
import type { OverClaim } from './settled-claim.ts';
import { locate, noteConversation, noteReturned } from './turn-facts.ts';

type EndedEvent = Extract<OverEvent, { type: 'claim.ended' }>;

export function overCheck(state: State, { claimed, event }: OverClaim): State {
  const { task, transition, place } = claimed;
  const facts = factsOf(state, task.index);
  const token = tokenAt(state, place);
  switch (event.type) {
    case 'claim.returned':
      if (event.counted) facts.checksLost += 1;
      return fired(state, transition, token);
    case 'claim.ended':
      facts.checksLost = 0;
      if (event.redo !== undefined) return sendBack(state, task, { event, transition, token });
      if (event.ending === 'done') facts.failedCheck = undefined;
      if (event.ending === 'done' && task.transitions.pass !== undefined) state.queue.add(task.index);
      else close(state, task, event);
      return fired(state, transition, token);
    case 'claim.asked':
      throw new Error('Nobody is asked about a check.');
  }
}

export function overMerge(state: State, { claimed, event }: OverClaim): State {
  const { task, transition, place } = claimed;
  const facts = factsOf(state, task.index);
  const token = tokenAt(state, place);
  switch (event.type) {
    case 'claim.returned':
      state.queue.add(task.index);
      return fired(state, transition, token);
    case 'claim.asked':
      facts.conflict = conflictOf(event.conflict, facts.conflict);
      ask(state, task);
      return fired(state, transition, { ...token, tried: 0, until: 0, conflicts: token.conflicts + 1 });
    case 'claim.ended':
      if (event.redo !== undefined) return sendBack(state, task, { event, transition, token });
      if (event.conflict !== undefined) {
        facts.conflict = conflictOf(event.conflict, facts.conflict);
        return fired(state, transition, { ...token, tried: 0, until: 0, conflicts: token.conflicts + 1 });
      }
      if (event.ending === 'done') noteMerged(state, task, event.result?.commit);
      close(state, task, event);
      return fired(state, transition, token);
  }
}

function noteMerged(state: State, { index }: CompiledTask, commit: string | undefined): void {
  if (commit === undefined) return;
  state.run.merged = commit;
  factsOf(state, index).merged = { commit, event: state.run.events };
}

export function overResolve(state: State, { claimed, event, claim }: OverClaim): State {
  const { task, step, transition, place } = claimed;
  assert(step !== undefined, 'A resolution names the step whose agent has it.');
  const token = tokenAt(state, place);
  switch (event.type) {
    case 'claim.returned':
      noteReturned(state, step, { event, claim });
      noteRefused(state, task, event.says);
      return fired(state, transition, { ...token, tried: token.tried - (event.counted ? 0 : 1), until: event.until });
    case 'claim.asked':
      noteConversation(state, step, locate(event, claim));
      if (event.reason !== 'cost') noteRefused(state, task, event.result?.response);
      ask(state, task);
      return fired(state, transition, { ...token, tried: 0, until: 0 });
    case 'claim.ended':
      noteConversation(state, step, locate(event, claim));
      if (event.ending === 'done') stepFactsOf(state, step).conversation = locate(event, claim);
      if (event.ending === 'done') noteResolved(state, task, event.result?.commit);
      return fired(state, transition, { ...token, tried: 0, until: 0 });
  }
}

/** The task ends like its claim, once the claim is over. */
function close(state: State, { index }: CompiledTask, { ending, reason, cause, result, says }: EndedEvent): void {
  const facts = factsOf(state, index);
  facts.closing = { ending, reason, cause, result };
  if (says !== undefined) facts.failedCheck = says;
  state.toEnd.push({ type: 'closing', task: index });
}

function conflictOf(conflict: Conflict | undefined, before: ConflictFacts | undefined): ConflictFacts {
  const { paths, with: others, onto } = conflict ?? { paths: [], with: [], onto: undefined };
  const ever = [...new Set([...(before?.ever ?? []), ...others])];
  return { paths, with: others, onto, isResolved: false, refused: undefined, ever };
}

interface SendingBack {
  readonly event: EndedEvent;
  readonly transition: number | undefined;
  readonly token: Token;
}

/** A check failed, so the task goes back to its agent with the output of the check. */
function sendBack(state: State, task: CompiledTask, { event, transition, token }: SendingBack): State {
  goBack(state, task);
  factsOf(state, task.index).failedCheck = event.says ?? '';
  return fired(state, transition, { ...token, tried: 0, until: 0, redo: event.redo ?? token.redo });
}

/** The work was not accepted: the task goes back to its last agent turn. */
export function goBack(state: State, task: CompiledTask): void {
  const point = redoPoint(task.steps.map(({ step }) => step)) ?? 0;
  const facts = factsOf(state, task.index);
  forgetFrom(state, task, point);
  const again = facts.steps[point];
  if (again !== undefined) again.escalations += 1;
  if (task.task.type === 'work' && task.task.retry === 'clean')
    Object.assign(facts, { tip: again?.startedFrom?.commit, hasLeftovers: true });
}

/** Steps that run again have not ended; their old results stay readable until new results replace them. */
export function forgetFrom(state: State, task: CompiledTask, index: number): void {
  const facts = factsOf(state, task.index);
  facts.failing = undefined;
  if (facts.conflict !== undefined) facts.conflict = { ...facts.conflict, isResolved: false };
  facts.failedCheck = undefined;
  facts.feedback = undefined;
  for (const step of facts.steps.slice(index))
    Object.assign(step, { ended: undefined, goesOn: undefined, startsFresh: false, rejoined: 0 });
}

/** Asks a person: at a gate, or about a conflict. */
export function ask(state: State, { index, places }: CompiledTask): void {
  const facts = factsOf(state, index);
  assert(places.asking !== undefined, 'A task that asks has a place to wait for the answer in.');
  facts.asked += 1;
  state.questions.set(places.asking, {
    task: index,
    step: undefined,
    attempt: facts.asked,
    asks: undefined,
    until: undefined,
  });
}

export function noteResolved(state: State, { index }: CompiledTask, commit: string | undefined): void {
  const facts = factsOf(state, index);
  facts.tip = commit ?? facts.tip;
  if (facts.conflict !== undefined) facts.conflict = { ...facts.conflict, isResolved: true };
}

/** A lost or stopped turn does not change the reason why the turn before it was refused. */
function noteRefused(state: State, { index }: CompiledTask, says: string | undefined): void {
  const facts = factsOf(state, index);
  if (facts.conflict !== undefined && says !== undefined) facts.conflict = { ...facts.conflict, refused: says };
}
