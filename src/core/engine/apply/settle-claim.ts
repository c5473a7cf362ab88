// What claims that spend have in common, whether of a step or on a conflict: what they cost and what they close.
import { assert } from '../../assert.ts';
import type { CompiledStep } from '../../compile/compiled.ts';
import { restore } from '../../net/enabled-set.ts';
import type { Spend } from '../../protocol/result.ts';
import { claimOnStep, dropClaim, stepFactsOf, taskAt } from '../facts.ts';
import { exact, finalOf, raise, settle } from '../ledger.ts';
import type { Claim, State } from '../state.ts';

/** Counts what it cost and gives up the claim. */
export function settleClaim(state: State, step: CompiledStep, spend: Spend): Claim {
  const claim = claimOnStep(state, step);
  assert(claim !== undefined, 'Only a claimed step can come back.');
  settle(state.ledger, step.task, { reserved: claim.reserve, spend });
  const facts = stepFactsOf(state, step);
  facts.usd = exact(facts.usd + (finalOf(claim.reserve, spend).usd ?? 0));
  dropClaim(state, claim.type === 'resolve' ? taskAt(state, step.task).places.resolving : step.working);
  // Money that was set aside may now be free, so those that waited for it are to be looked at again.
  for (const transition of state.unpaid) restore(state.play, transition);
  state.unpaid.clear();
  return claim;
}

export function raiseClaim(state: State, step: CompiledStep, raised: Spend): void {
  const claim = claimOnStep(state, step);
  assert(claim !== undefined, 'Only what is at work can spend more.');
  raise(state.ledger, step.task, { reserved: claim.reserve, raised });
  claim.reserve = raised;
}
