// The life of a claim, the same for steps, checks, merges and resolutions of conflicts: a claim is made, may be raised,
// preempted or cancelled, and is over when it returns, asks or ends.
import { assert } from '../../assert.ts';
import type { CompiledStep, CompiledTask } from '../../compile/compiled.ts';
import type { WorkType } from '../../protocol/assignment.ts';
import { releasePrecedence, releaseTransition } from '../deferred.ts';
import type { ClaimEvent } from '../event.ts';
import {
  addClaim,
  asHeld,
  claimAt,
  factsOf,
  fired,
  isOfWholeTask,
  stepFactsOf,
  stepNamed,
  taskNamed,
  tokenAt,
} from '../facts.ts';
import { reserve } from '../ledger.ts';
import { notePassedOver } from '../starvation-guard.ts';
import type { Claim, State } from '../state.ts';
import { overCheck, overMerge, overResolve } from './claim-of-task.ts';
import { answerStep, keepNothingFor, overStep } from './claim-of-step.ts';
import { raiseClaim, settleClaim, type Claimed } from './settled-claim.ts';
import { claimRow } from '../events/claim-events.ts';
import { spreadFromCeiling } from './spread.ts';
import { agentOfStep } from './turn-facts.ts';

export function applyToClaim(state: State, event: ClaimEvent): State {
  const claimed = claimedIn(state, event);
  const { place, transition } = claimed;
  switch (event.type) {
    case 'claim.made':
      return make(state, claimed, event);
    case 'claim.waiting':
      runningAt(state, place).waitsFor = event.why;
      return state;
    case 'claim.placed':
      Object.assign(runningAt(state, place), {
        host: event.host,
        instance: event.instance,
        placedFor: event.why,
        leaseMs: event.leaseMs,
        waitsFor: undefined,
      });
      return state;
    case 'claim.raised':
      raiseClaim(state, place, event.reserve);
      return fired(state, transition, tokenAt(state, place));
    case 'claim.preempting':
      runningAt(state, place).preempting = true;
      return fired(state, transition, tokenAt(state, place));
    case 'claim.cancelling': {
      const why = { reason: event.reason, cause: event.cause };
      runningAt(state, place).cancelling = why;
      spreadFromCeiling(state, claimed.task.index, event);
      if (isOfWholeTask(event)) factsOf(state, claimed.task.index).cancelling = why;
      return fired(state, transition, tokenAt(state, place));
    }
    case 'claim.answered':
      return answerStep(state, claimed, event);
    case 'claim.returned':
    case 'claim.asked':
    case 'claim.ended': {
      const over = { claimed, event, claim: settleClaim(state, place, event.spend) };
      if (event.type === 'claim.returned' && event.unbegunOn !== undefined)
        noteUnbegun(state, over.claim, event.unbegunOn);
      switch (event.work) {
        case 'step':
          return overStep(state, over);
        case 'check':
          return overCheck(state, over);
        case 'merge':
          return overMerge(state, over);
        case 'resolve':
          return overResolve(state, over);
      }
    }
  }
}

/** The next host starts from what this one would have started from. */
function noteUnbegun(state: State, { task, startsClean: wasClean }: Claim, host: string): void {
  const facts = factsOf(state, task);
  facts.refusedOn = [...facts.refusedOn, host];
  facts.hasLeftovers ||= wasClean;
  facts.hasDiscards ||= wasClean;
}

function runningAt(state: State, place: number | undefined): Claim {
  const claim = claimAt(state, place);
  assert(claim !== undefined, 'Only what is claimed can be stopped.');
  return claim;
}

function claimedIn(state: State, event: ClaimEvent): Claimed {
  const task = taskNamed(state.compiled, event.task);
  const { checking, merging, resolving } = task.places;
  const named = event.step === undefined ? undefined : stepNamed(task, event.step);
  const step = named === undefined ? undefined : variantOf(state, named, event);
  const places = { step: step?.working, check: checking, merge: merging, resolve: resolving };
  return { task, step, place: places[event.work], transition: transitionOf(task, step, event) };
}

function transitionOf(task: CompiledTask, step: CompiledStep | undefined, event: ClaimEvent): number | undefined {
  const { transition } = claimRow(event);
  if (event.work !== 'step') return transition[event.work]?.(task.transitions, event);
  return step === undefined ? undefined : transition.step?.(step.transitions, event);
}

/** A step with several possible agents is claimed in the variant of one agent. */
function variantOf(state: State, step: CompiledStep, event: ClaimEvent): CompiledStep {
  if (event.type !== 'claim.made') return asHeld(state, step);
  const { agent } = event;
  return agent === undefined ? step : (step.otherVariants.find(({ agents }) => agents.includes(agent)) ?? step);
}

function make(
  state: State,
  { task, step, place, transition }: Claimed,
  event: Extract<ClaimEvent, { type: 'claim.made' }>,
): State {
  const { work, attempt, at } = event;
  addClaim(state, place, {
    work,
    task: task.index,
    step: step?.index,
    attempt,
    at,
    agent: event.agent ?? (step === undefined ? undefined : agentOfStep(step)),
    startsClean: startsClean(state, task, work),
    reserve: event.reserve,
    preempting: false,
    cancelling: undefined,
    host: undefined,
    instance: undefined,
    placedFor: undefined,
    leaseMs: undefined,
    waitsFor: undefined,
  });
  reserve(state.ledger, task.index, event.reserve);
  const facts = factsOf(state, task.index);
  switch (work) {
    case 'step':
      assert(step !== undefined, 'The claim of a step names it.');
      return makeOfStep(state, step, { attempt, at, transition });
    case 'resolve': {
      assert(step !== undefined, 'A resolution names the step whose agent has it.');
      stepFactsOf(state, step).attempts = attempt;
      const token = tokenAt(state, task.places.conflicted);
      return fired(state, transition, { ...token, tried: token.tried + 1, until: 0 });
    }
    case 'check':
      facts.checks = attempt;
      fired(state, transition, tokenAt(state, task.places.worked));
      // The decision on the worked task was to check it first; it is decided again after the check.
      if (task.transitions.close !== undefined) releaseTransition(state, task.transitions.close);
      return state;
    case 'merge':
      state.queue.delete(task.index);
      facts.merges = attempt;
      return fired(state, transition, tokenAt(state, task.places.queued));
  }
}

/** Whether the sandbox is reset first. Not while another claim of the task runs: async steps share the files. */
function startsClean(state: State, { index, task }: CompiledTask, work: WorkType): boolean {
  const facts = factsOf(state, index);
  const isOfFiles = work === 'step' || work === 'check';
  const isToGoOn = task.type === 'work' && task.retry === 'continue' && !facts.hasDiscards;
  if (!isOfFiles || !facts.hasLeftovers || isToGoOn) return false;
  if (state.claims.values().some((claim) => claim.task === index)) return false;
  facts.hasLeftovers = false;
  facts.hasDiscards = false;
  return true;
}

interface Making {
  readonly attempt: number;
  readonly at: number;
  readonly transition: number | undefined;
}

function makeOfStep(state: State, step: CompiledStep, { attempt, at, transition }: Making): State {
  const token = tokenAt(state, step.ready[0]);
  const facts = factsOf(state, step.task);
  const ofStep = stepFactsOf(state, step);
  ofStep.attempts = attempt;
  ofStep.startedFrom ??= { commit: facts.tip, event: state.run.events };
  facts.startedAt ??= at;
  // A person may have the step claimed before its backoff is over.
  if (transition !== undefined) releaseTransition(state, transition);
  fired(state, transition, { ...token, tried: token.tried + 1, until: 0 });
  keepNothingFor(state, step);
  if (state.guard !== undefined && transition !== undefined)
    if (notePassedOver(state.guard, state.play, { claim: transition, at })) releasePrecedence(state);
  // The decision on the ready step was to claim it; if the step returns, it is decided again.
  releaseTransition(state, step.transitions.drop);
  return state;
}
