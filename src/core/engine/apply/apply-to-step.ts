// What the events of a step change.
import { assert } from '../../assert.ts';
import type { CompiledStep } from '../../compile/compiled.ts';
import { restore } from '../../net/enabled-set.ts';
import { spread } from './spread.ts';
import type { Ended, Spend } from '../event.ts';
import {
  addClaim,
  claimAt,
  condemnClaim,
  dropClaim,
  factsOf,
  fired,
  isOfWholeTask,
  recallClaim,
  releaseHeldBack,
  stepFactsOf,
  tokenAt,
} from '../facts.ts';
import { loseCount, notePassedOver } from '../patience.ts';
import { exact, finalOf, raise, reserve, settle } from '../ledger.ts';
import type { Question, State } from '../state.ts';
import { stepNamed, taskNamed, transitionOfStep, type StepEvent } from './transition-of.ts';

export function applyToStep(state: State, event: StepEvent): State {
  const task = taskNamed(state.compiled, event.task);
  const step = stepNamed(task, event.step);
  const transition = transitionOfStep(step, event);
  const working = tokenAt(state, step.working);
  switch (event.type) {
    case 'step.claimed':
      return claim(state, step, { event, transition });
    case 'step.returned': {
      settleClaim(state, step, event.spend);
      // Of two reports on one account the one that closes it for longer holds.
      if (event.pool !== undefined)
        state.dry.set(event.pool, Math.max(event.until, state.dry.get(event.pool) ?? event.until));
      const tried = working.tried - (event.counted ? 0 : 1);
      return fired(state, transition, { ...working, tried, until: event.until });
    }
    case 'step.asked':
      settleClaim(state, step, event.spend);
      stepFactsOf(state, step).result = event.result;
      if (step.asking !== undefined) state.questions.set(step.asking, questionAbout(state, step));
      return fired(state, transition, working);
    case 'step.retried':
      if (step.asking !== undefined) state.questions.delete(step.asking);
      return fired(state, transition, { ...tokenAt(state, step.asking), until: 0 });
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
      settleClaim(state, step, event.spend);
      stepFactsOf(state, step).result = event.result;
      return over(state, step, { ended: event, transition, from: step.working });
    case 'step.answered': {
      const facts = stepFactsOf(state, step);
      // Whoever approves a step takes its result for good.
      if (event.ending === 'done' && facts.result !== undefined) facts.result = { ...facts.result, ok: true };
      return over(state, step, { ended: event, transition, from: step.asking });
    }
    case 'step.dropped':
      // What it said in an earlier round is not what it says in this one.
      stepFactsOf(state, step).result = undefined;
      return over(state, step, { ended: event, transition, from: step.ready[0] });
    case 'step.joined':
      stepFactsOf(state, step).result = event.result;
      return over(state, step, { ended: DONE, transition, from: step.ready[0] });
  }
}

interface Claiming {
  readonly event: Extract<StepEvent, { readonly type: 'step.claimed' }>;
  readonly transition: number | undefined;
}

function claim(state: State, step: CompiledStep, { event, transition }: Claiming): State {
  const token = tokenAt(state, step.ready[0]);
  const { attempt, at } = event;
  addClaim(state, step.working, {
    type: 'step',
    task: step.task,
    step: step.index,
    attempt,
    at,
    reserve: event.reserve,
    recalled: false,
    condemned: undefined,
  });
  reserve(state.ledger, step.task, event.reserve);
  stepFactsOf(state, step).attempts = attempt;
  factsOf(state, step.task).startedAt ??= at;
  // A person may have it claimed before its rest is over.
  if (transition !== undefined && state.resting.delete(transition)) restore(state.play, transition);
  fired(state, transition, { ...token, tried: token.tried + 1, until: 0 });
  keepNothingFor(state, step);
  if (state.patience !== undefined && transition !== undefined)
    notePassedOver(state.patience, state.play, { claim: transition, at });
  // Whoever looked at the ready step has let it be claimed; should it come back, it is to be looked at again.
  restore(state.play, step.deeds.drop);
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
  stepFactsOf(state, step).ended = { ending, reason, cause };
  if (reason !== undefined && isOfWholeTask(ended)) facts.condemned ??= { reason, cause };
  letGo(state, step);
  keepNothingFor(state, step);
  fired(state, transition, { ...tokenAt(state, from), ending, tried: 0, until: 0 });
  return spread(state, { type: 'step ended', step, ended });
}

/** Whatever was held back for this step is over with it: a later round looks at it afresh. */
function letGo(state: State, { deeds }: CompiledStep): void {
  restore(state.play, deeds.drop);
  if (deeds.claim === undefined) return;
  for (const held of [state.resting, state.unpaid, state.heldBack, state.onHold]) held.delete(deeds.claim);
  restore(state.play, deeds.claim);
}

/** The step does not wait any more, so nothing need be kept free for it. */
function keepNothingFor(state: State, { deeds: { claim } }: CompiledStep): void {
  if (state.patience === undefined || claim === undefined) return;
  if (loseCount(state.patience, claim)) releaseHeldBack(state);
}

function questionAbout(state: State, step: CompiledStep): Question {
  return { task: step.task, step: step.index, attempt: stepFactsOf(state, step).attempts };
}

function raiseClaim(state: State, step: CompiledStep, raised: Spend): void {
  const claim = claimAt(state, step.working);
  assert(claim !== undefined, 'Only what is at work can spend more.');
  raise(state.ledger, step.task, { reserved: claim.reserve, raised });
  claim.reserve = raised;
}

function settleClaim(state: State, step: CompiledStep, spend: Spend): void {
  const claim = claimAt(state, step.working);
  assert(claim !== undefined, 'Only a claimed step can come back.');
  settle(state.ledger, step.task, { reserved: claim.reserve, spend });
  const facts = stepFactsOf(state, step);
  facts.usd = exact(facts.usd + (finalOf(claim.reserve, spend).usd ?? 0));
  dropClaim(state, step.working);
  // Money that was set aside may now be free, so those that waited for it are to be looked at again.
  for (const transition of state.unpaid) restore(state.play, transition);
  state.unpaid.clear();
}
