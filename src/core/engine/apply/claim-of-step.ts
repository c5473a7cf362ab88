// Applies the end of a step's claim, and events that end a step without a claim.
import { assert } from '../../assert.ts';
import type { CompiledStep } from '../../compile/compiled.ts';
import type { ClaimEvent, Decision, Ended } from '../event.ts';
import {
  asHeld,
  factsOf,
  fired,
  isOfWholeTask,
  stepFactsOf,
  stepNamed,
  taskAt,
  taskNamed,
  tokenAt,
  variantsOf,
} from '../facts.ts';
import { rejoinPoint } from '../../plan/check/step-order.ts';
import { forgetFrom } from './claim-of-task.ts';
import { releasePrecedence, releaseTransition } from '../deferred.ts';
import { loseCount } from '../starvation-guard.ts';
import type { Claim, Question, State } from '../state.ts';
import type { OverEvent } from '../events/claim-events.ts';
import type { Claimed, OverClaim } from './settled-claim.ts';
import { spread, spreadFromCeiling } from './spread.ts';
import { stepRow, type StepEvent } from '../events/task-events.ts';
import {
  isTurnedToAnother,
  locate,
  noteConversation,
  noteDiscards,
  noteReturned,
  noteRepeatedFailure,
} from './turn-facts.ts';
import { NOTHING_LEFT } from '../step-facts.ts';

export function overStep(state: State, { claimed, event, claim }: OverClaim): State {
  const { step, transition } = claimed;
  assert(step !== undefined, 'The claim of a step names it.');
  const token = tokenAt(state, step.working);
  switch (event.type) {
    case 'claim.returned': {
      noteReturned(state, step, { event, claim });
      const tried = token.tried - (event.counted ? 0 : 1);
      // With several agents only the rejected agent backs off; the step goes to another agent at once.
      const until = isTurnedToAnother(mainOf(state, step), event) ? 0 : event.until;
      return fired(state, transition, { ...token, tried, until });
    }
    case 'claim.asked':
      return ask(state, step, { event, claim, transition });
    case 'claim.ended':
      if (claim.cancelling === undefined) spreadFromCeiling(state, step.task, event);
      noteRepeatedFailure(state, step, { event, claim });
      noteConversation(state, step, locate(event, claim));
      Object.assign(stepFactsOf(state, step), { result: event.result, conversation: locate(event, claim) });
      noteTip(state, step);
      factsOf(state, step.task).hasLeftovers ||= event.result?.commit === undefined;
      noteDiscards(state, step);
      return over(state, step, { ended: event, transition, from: step.working });
  }
}

const mainOf = (state: State, step: CompiledStep): CompiledStep => variantsOf(state, step)[0] ?? step;

interface Asking {
  readonly event: Extract<OverEvent, { type: 'claim.asked' }>;
  readonly claim: Claim;
  readonly transition: number | undefined;
}

/** The plan or the agent asks a person about the step. */
function ask(state: State, step: CompiledStep, { event, claim, transition }: Asking): State {
  const { result, question: asks, permission, until } = event;
  const conversation = locate(event, claim);
  const facts = stepFactsOf(state, step);
  facts.result = result;
  noteConversation(state, step, conversation);
  if (conversation !== undefined) facts.conversation = conversation;
  // The agent continues from the work it had made when it asked.
  if (asks !== undefined) noteAskedTip(state, step);
  noteQuestion(state, step, { asks, permission, until });
  return fired(state, transition, tokenAt(state, step.working));
}

function noteQuestion(
  state: State,
  step: CompiledStep,
  question: Pick<Question, 'asks' | 'permission' | 'until'>,
): void {
  const { attempts: attempt } = stepFactsOf(state, step);
  if (step.asking === undefined) return;
  state.questions.set(step.asking, { task: step.task, step: step.index, attempt, ...question });
}

export function answerStep(
  state: State,
  { step, transition }: Claimed,
  event: Extract<ClaimEvent, { type: 'claim.answered' }>,
): State {
  assert(step !== undefined, 'A person is asked about a step by its name.');
  const { ending, reason, cause } = event;
  if (ending === undefined) return tryAgain(state, step, { event, transition });
  const facts = stepFactsOf(state, step);
  // Approving a step accepts its result.
  if (ending === 'done' && facts.result !== undefined) facts.result = { ...facts.result, ok: true };
  if (ending === 'done') noteTip(state, step);
  return over(state, step, { ended: { ending, reason, cause }, transition, from: step.asking });
}

function tryAgain(
  state: State,
  step: CompiledStep,
  { event, transition }: { event: Extract<ClaimEvent, { type: 'claim.answered' }>; transition: number | undefined },
): State {
  const facts = stepFactsOf(state, step);
  const question = step.asking === undefined ? undefined : state.questions.get(step.asking);
  facts.goesOn = event.says === undefined ? undefined : { type: 'answer', says: event.says, asked: question?.asks };
  // A manual retry clears the excluded agents; an answer goes back to the agent that asked.
  if (event.says === undefined) facts.barred = [];
  if (step.asking !== undefined) state.questions.delete(step.asking);
  if (event.decision !== undefined) noteDecision(state, step, event.decision);
  if (step.step.type === 'join') return rejoin(state, step, { transition, from: step.asking });
  return fired(state, transition, { ...tokenAt(state, step.asking), until: 0 });
}

/** The latest decision on one permission is the one that holds. */
function noteDecision(state: State, step: CompiledStep, decision: Decision): void {
  const [ofTask, ofStep] = [factsOf(state, step.task), stepFactsOf(state, step)];
  for (const facts of [ofTask, ofStep]) facts.decisions = facts.decisions.filter(({ key }) => key !== decision.key);
  const facts = decision.isForTask ? ofTask : ofStep;
  facts.decisions = [...facts.decisions, decision];
}

/** A step that is over without a claim. */
export function applyToStep(state: State, event: StepEvent): State {
  const step = asHeld(state, stepNamed(taskNamed(state.compiled, event.task), event.step));
  const transition = stepRow(event).transition(step);
  switch (event.type) {
    case 'step.skipped':
      spreadFromCeiling(state, step.task, event);
      // The result of an earlier round does not count in this round.
      Object.assign(stepFactsOf(state, step), { result: undefined, conversation: undefined });
      return over(state, step, { ended: event, transition, from: step.ready[0] });
    case 'step.joined':
      stepFactsOf(state, step).result = event.result;
      return over(state, step, { ended: event, transition, from: step.ready[0] });
    case 'step.gated':
      Object.assign(stepFactsOf(state, step), { attempts: event.attempt, result: event.result });
      noteQuestion(state, step, { asks: undefined, until: undefined });
      return fired(state, transition, tokenAt(state, step.ready[0]));
    case 'step.rejoined':
      stepFactsOf(state, step).attempts = event.attempt;
      return rejoin(state, step, { transition, from: step.ready[0] });
  }
}

/** The steps of a join, and the steps between, run again; their old results stay readable until replaced. */
function rejoin(
  state: State,
  step: CompiledStep,
  { transition, from }: { readonly transition: number | undefined; readonly from: number | undefined },
): State {
  const task = taskAt(state, step.task);
  const facts = stepFactsOf(state, step);
  const { rejoined } = facts;
  const point = rejoinPoint(
    task.steps.map((each) => each.step),
    step.index,
  );
  assert(point.type === 'from', 'A checked plan tries only those joins again whose steps have ended.');
  forgetFrom(state, task, point.step);
  for (const again of factsOf(state, step.task).steps.slice(point.step)) again.startedFrom = undefined;
  facts.rejoined = rejoined + 1;
  releaseTransition(state, step.transitions.drop);
  return fired(state, transition, { ...tokenAt(state, from), tried: 0, until: 0 });
}

interface Over {
  readonly ended: Ended;
  readonly transition: number | undefined;
  readonly from: number | undefined;
}

/** Ends the step: its token moves on with the ending. */
function over(state: State, step: CompiledStep, { ended, transition, from }: Over): State {
  const { ending, reason, cause } = ended;
  const facts = factsOf(state, step.task);
  if (step.asking !== undefined) state.questions.delete(step.asking);
  if (ending !== 'done') dropAskedTip(state, step);
  Object.assign(stepFactsOf(state, step), { ...NOTHING_LEFT, ended: { ending, reason, cause } });
  if (reason !== undefined && isOfWholeTask(ended)) facts.cancelling ??= { reason, cause };
  // A later round decides the step again.
  releaseTransition(state, step.transitions.drop);
  for (const { transitions } of variantsOf(state, step))
    if (transitions.claim !== undefined) releaseTransition(state, transitions.claim);
  keepNothingFor(state, step);
  fired(state, transition, { ...tokenAt(state, from), ending, tried: 0, until: 0 });
  return spread(state, { type: 'step ended', step, ended });
}

/** The task continues from the step's commit. */
function noteTip(state: State, step: CompiledStep): void {
  const facts = factsOf(state, step.task);
  facts.tip = stepFactsOf(state, step).result?.commit ?? facts.tip;
}

/** However often the step asks, `before` stays the work before the first question. */
function noteAskedTip(state: State, step: CompiledStep): void {
  const facts = stepFactsOf(state, step);
  const before = facts.asked === undefined ? factsOf(state, step.task).tip : facts.asked.before;
  noteTip(state, step);
  facts.asked = { before, tip: factsOf(state, step.task).tip };
}

/** Work of a step that asked and then did not end well is dropped from the task: nobody accepted it. */
function dropAskedTip(state: State, step: CompiledStep): void {
  const { asked } = stepFactsOf(state, step);
  const facts = factsOf(state, step.task);
  if (asked !== undefined && facts.tip === asked.tip) facts.tip = asked.before;
}

/** The step no longer waits, so no tokens are kept free for it. */
export function keepNothingFor(state: State, { transitions: { claim } }: CompiledStep): void {
  if (state.guard === undefined || claim === undefined) return;
  if (loseCount(state.guard, claim)) releasePrecedence(state);
}
