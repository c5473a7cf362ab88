// What the events of a step change.
import type { CompiledStep } from '../../compile/compiled.ts';
import { restore } from '../../net/enabled-set.ts';
import { spread } from './spread.ts';
import type { Decision, Ended } from '../event.ts';
import {
  addClaim,
  asHeld,
  condemnClaim,
  factsOf,
  fired,
  isOfWholeTask,
  letGo,
  variantsOf,
  recallClaim,
  releaseHeldBack,
  stepFactsOf,
  tokenAt,
} from '../facts.ts';
import { loseCount, notePassedOver } from '../patience.ts';
import { reserve } from '../ledger.ts';
import { raiseClaim, settleClaim } from './settle-claim.ts';
import { agentOf, isTurnedToAnother, noteConversation, noteReturned, noteTrouble } from './turn-facts.ts';
import type { State } from '../state.ts';
import { stepNamed, taskNamed, transitionOfStep, type StepEvent } from './transition-of.ts';

export function applyToStep(state: State, event: StepEvent): State {
  const task = taskNamed(state.compiled, event.task);
  const named = stepNamed(task, event.step);
  const step = event.type === 'step.claimed' ? inHandsOf(named, event.agent) : asHeld(state, named);
  const transition = transitionOfStep(step, event);
  const working = tokenAt(state, step.working);
  switch (event.type) {
    case 'step.claimed':
      return claim(state, step, { event, transition });
    case 'step.returned': {
      noteReturned(state, step, { event, claim: settleClaim(state, step, event.spend) });
      const tried = working.tried - (event.counted ? 0 : 1);
      // One of several agents rests by itself, and the step goes to another.
      const until = isTurnedToAnother(named, event) ? 0 : event.until;
      return fired(state, transition, { ...working, tried, until });
    }
    case 'step.asked':
      settleClaim(state, step, event.spend);
      return ask(state, step, { event, transition });
    case 'step.retried':
      return tryAgain(state, step, { event, transition });
    case 'step.recalled':
      recallClaim(state, step.working);
      return fired(state, transition, working);
    case 'step.raised':
      raiseClaim(state, step, event.reserve);
      return fired(state, transition, working);
    case 'step.condemned':
      condemnClaim(state, step.working, event);
      if (isOfWholeTask(event)) factsOf(state, task.index).condemned = { reason: event.reason, cause: event.cause };
      return fired(state, transition, working);
    case 'step.ended':
      noteTrouble(state, step, { event, claim: settleClaim(state, step, event.spend) });
      noteConversation(state, step, event.conversation);
      Object.assign(stepFactsOf(state, step), { result: event.result, conversation: event.conversation });
      noteTip(state, step);
      return over(state, step, { ended: event, transition, from: step.working });
    case 'step.answered': {
      const facts = stepFactsOf(state, step);
      // Whoever approves a step takes its result for good.
      if (event.ending === 'done' && facts.result !== undefined) facts.result = { ...facts.result, ok: true };
      if (event.ending === 'done') noteTip(state, step);
      return over(state, step, { ended: event, transition, from: step.asking });
    }
    case 'step.dropped':
      // What it said in an earlier round is not what it says in this one.
      Object.assign(stepFactsOf(state, step), { result: undefined, conversation: undefined });
      return over(state, step, { ended: event, transition, from: step.ready[0] });
    case 'step.joined':
      stepFactsOf(state, step).result = event.result;
      return over(state, step, { ended: DONE, transition, from: step.ready[0] });
  }
}

const inHandsOf = (step: CompiledStep, agent: string | undefined): CompiledStep =>
  agent === undefined ? step : (step.otherVariants.find(({ agents }) => agents.includes(agent)) ?? step);

interface Happening<Type extends StepEvent['type']> {
  readonly event: Extract<StepEvent, { readonly type: Type }>;
  readonly transition: number | undefined;
}

/** The plan asks a person about the step, or its agent does. */
function ask(state: State, step: CompiledStep, { event, transition }: Happening<'step.asked'>): State {
  const { result, question: asks, permission, until, conversation } = event;
  const facts = stepFactsOf(state, step);
  facts.result = result;
  noteConversation(state, step, conversation);
  if (conversation !== undefined) facts.conversation = conversation;
  // The agent goes on from what it had made when it asked.
  if (asks !== undefined) noteAskedTip(state, step);
  const { attempts: attempt } = facts;
  if (step.asking !== undefined)
    state.questions.set(step.asking, { task: step.task, step: step.index, attempt, asks, permission, until });
  return fired(state, transition, tokenAt(state, step.working));
}

function tryAgain(state: State, step: CompiledStep, { event, transition }: Happening<'step.retried'>): State {
  const facts = stepFactsOf(state, step);
  const question = step.asking === undefined ? undefined : state.questions.get(step.asking);
  facts.goesOn = event.says === undefined ? undefined : { type: 'answer', says: event.says, asked: question?.asks };
  // Whom a person has try again may be anybody; whoever is answered is the one that asked.
  if (event.says === undefined) facts.barred = [];
  if (step.asking !== undefined) state.questions.delete(step.asking);
  if (event.decision !== undefined) noteDecision(state, step, event.decision);
  return fired(state, transition, { ...tokenAt(state, step.asking), until: 0 });
}

/** The latest word on one permission is the one that holds. */
function noteDecision(state: State, step: CompiledStep, decision: Decision): void {
  const [ofTask, ofStep] = [factsOf(state, step.task), stepFactsOf(state, step)];
  for (const facts of [ofTask, ofStep]) facts.decisions = facts.decisions.filter(({ key }) => key !== decision.key);
  const facts = decision.isForTask ? ofTask : ofStep;
  facts.decisions = [...facts.decisions, decision];
}

function claim(state: State, step: CompiledStep, { event, transition }: Happening<'step.claimed'>): State {
  const token = tokenAt(state, step.ready[0]);
  const { attempt, at } = event;
  addClaim(state, step.working, {
    type: 'step',
    task: step.task,
    step: step.index,
    attempt,
    at,
    agent: event.agent ?? agentOf(step),
    reserve: event.reserve,
    recalled: false,
    condemned: undefined,
  });
  reserve(state.ledger, step.task, event.reserve);
  const facts = factsOf(state, step.task);
  const ofStep = stepFactsOf(state, step);
  ofStep.attempts = attempt;
  ofStep.startedFrom ??= { commit: facts.tip, event: state.run.events };
  facts.startedAt ??= at;
  // A person may have it claimed before its rest is over.
  if (transition !== undefined && state.resting.delete(transition)) restore(state.play, transition);
  fired(state, transition, { ...token, tried: token.tried + 1, until: 0 });
  keepNothingFor(state, step);
  if (state.patience !== undefined && transition !== undefined)
    notePassedOver(state.patience, state.play, { claim: transition, at });
  // Whoever looked at the ready step has let it be claimed; should it come back, it is to be looked at again.
  restore(state.play, step.transitions.drop);
  return state;
}

const DONE: Ended = { ending: 'done', reason: undefined, cause: undefined };

interface Over {
  readonly ended: Ended;
  readonly transition: number | undefined;
  readonly from: number | undefined;
}

/** The step is over: its token goes on with how it ended. */
function over(state: State, step: CompiledStep, { ended, transition, from }: Over): State {
  const { ending, reason, cause } = ended;
  const facts = factsOf(state, step.task);
  if (step.asking !== undefined) state.questions.delete(step.asking);
  if (ending !== 'done') dropAskedTip(state, step);
  Object.assign(stepFactsOf(state, step), {
    ended: { ending, reason, cause },
    goesOn: undefined,
    asked: undefined,
    decisions: [],
    startsFresh: false,
    barred: [],
    turnedAway: 0,
  });
  if (reason !== undefined && isOfWholeTask(ended)) facts.condemned ??= { reason, cause };
  // A later round looks at it afresh.
  letGo(state, step.transitions.drop);
  for (const { transitions } of variantsOf(state, step))
    if (transitions.claim !== undefined) letGo(state, transitions.claim);
  keepNothingFor(state, step);
  fired(state, transition, { ...tokenAt(state, from), ending, tried: 0, until: 0 });
  return spread(state, { type: 'step ended', step, ended });
}

/** The task goes on from what the step has committed. */
function noteTip(state: State, step: CompiledStep): void {
  const facts = factsOf(state, step.task);
  facts.tip = stepFactsOf(state, step).result?.commit ?? facts.tip;
}

/** However often it asks, what the task had before the first time is what it goes back to. */
function noteAskedTip(state: State, step: CompiledStep): void {
  const facts = stepFactsOf(state, step);
  const before = facts.asked === undefined ? factsOf(state, step.task).tip : facts.asked.before;
  noteTip(state, step);
  facts.asked = { before, tip: factsOf(state, step.task).tip };
}

/** What a step had made when it asked is no part of the task when it does not end well: nobody took it. */
function dropAskedTip(state: State, step: CompiledStep): void {
  const { asked } = stepFactsOf(state, step);
  const facts = factsOf(state, step.task);
  if (asked !== undefined && facts.tip === asked.tip) facts.tip = asked.before;
}

/** The step does not wait any more, so nothing need be kept free for it. */
function keepNothingFor(state: State, { transitions: { claim } }: CompiledStep): void {
  if (state.patience === undefined || claim === undefined) return;
  if (loseCount(state.patience, claim)) releaseHeldBack(state);
}
