// Whether work whose tokens are there is claimed, by a step or by an agent's turn on a conflict: nobody holds it, it does
// not rest, nothing is kept free for another, and there is money for it.
import { assert } from '../../assert.ts';
import type { CompiledStep, CompiledTask } from '../../compile/compiled.ts';
import { isInside } from '../../compile/inside.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import { defer, isEnabled } from '../../net/enabled-set.ts';
import type { RunEvent } from '../event.ts';
import { factsOf, stepFactsOf, taskAt, tokenAt } from '../facts.ts';
import { fit } from '../ledger.ts';
import { isInTheWay, keptFor } from '../patience.ts';
import type { State } from '../state.ts';
import type { Token } from '../token.ts';

interface Claiming {
  readonly transition: number;
  readonly now: number;
  readonly honoursHolds: boolean;
}

export function claimStep(state: State, step: CompiledStep, claiming: Claiming): RunEvent | undefined {
  const token = tokenAt(state, step.ready[0]);
  const isFree = isToBeClaimed(state, { task: step.task, token }, claiming);
  return isFree ? claimPaid(state, step, { transition: claiming.transition, at: claiming.now }) : undefined;
}

export function claimResolve(state: State, task: CompiledTask, claiming: Claiming): RunEvent | undefined {
  const token = tokenAt(state, task.places.conflicted);
  if (!isToBeClaimed(state, { task: task.index, token }, claiming)) return undefined;
  const { transition, now: at } = claiming;
  const step = task.steps[task.resolver ?? -1];
  assert(step !== undefined, 'A task whose conflicts an agent resolves has a step with that agent.');
  const about = { at, task: task.task.path };
  const { reserve } = step.step;
  switch (fit(state.ledger, task.index, { reserve, isPaid: true })) {
    case 'now':
      return {
        type: 'resolve.claimed',
        ...about,
        by: step.step.id,
        attempt: stepFactsOf(state, step).attempts + 1,
        reserve,
      };
    case 'never':
      return { type: 'resolve.dropped', ...about, reason: 'cost' };
    case 'later':
      return waitForMoney(state, transition);
  }
}

interface Wanting {
  readonly task: TaskIndex;
  /** Of what is to be claimed. */
  readonly token: Token;
}

/** Notes why not, so that it is looked at again when that has changed. */
function isToBeClaimed(state: State, { task, token }: Wanting, { transition, now, honoursHolds }: Claiming): boolean {
  if (isHeld(state, task)) {
    putOnHold(state, transition);
    return false;
  }
  if (token.until > now) {
    state.resting.set(transition, token.until);
    defer(state.play, transition);
    return false;
  }
  if (isKeptFromTokens(state, transition, now) || (honoursHolds && isOnHold(state, transition))) {
    state.heldBack.add(transition);
    defer(state.play, transition);
    return false;
  }
  return true;
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
      return waitForMoney(state, transition);
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

export const isSerialAndBusy = (state: State): boolean => state.order.policy === 'serial' && state.claims.size > 0;

export const isHeld = ({ compiled, held }: State, task: TaskIndex): boolean => isInside(compiled, held, task);

/** A person holds its task: it is not looked at again until they let go. */
export function putOnHold(state: State, claim: number): undefined {
  state.onHold.add(claim);
  defer(state.play, claim);
}

function waitForMoney(state: State, claim: number): undefined {
  state.unpaid.add(claim);
  defer(state.play, claim);
}
