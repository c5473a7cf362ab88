// A claim and its cost: reserved when the claim is made, raised when more is spent, settled when the claim is over.
import { assert } from '../../assert.ts';
import type { CompiledStep, CompiledTask } from '../../compile/compiled.ts';
import { releaseDeferred } from '../deferred.ts';
import type { Spend } from '../../protocol/result.ts';
import type { OverEvent } from '../events/claim-events.ts';
import { claimAt, dropClaim, factsOf } from '../facts.ts';
import { accountsOf, exact, finalOf, noteCost, raise, settle } from '../ledger.ts';
import type { Claim, State } from '../state.ts';

/** The target of a claim: the compiled parts, the place of its token while running, the transition of the event. */
export interface Claimed {
  readonly task: CompiledTask;
  /** Undefined for a check and a merge. */
  readonly step: CompiledStep | undefined;
  readonly place: number | undefined;
  readonly transition: number | undefined;
}

/** A claim that is over and released. */
export interface OverClaim {
  readonly claimed: Claimed;
  readonly event: OverEvent;
  readonly claim: Claim;
}

/** Counts the cost of the claim at a place and releases the claim. */
export function settleClaim(state: State, place: number | undefined, spend: Spend): Claim {
  const claim = claimAt(state, place);
  assert(claim !== undefined, 'Only what is claimed can come back.');
  dropClaim(state, place);
  releaseDeferred(state, 'hold');
  const ranOn = { host: claim.host };
  if (claim.work !== 'merge') factsOf(state, claim.task).ranOn = ranOn;
  const facts = factsOf(state, claim.task).steps[claim.step ?? -1];
  if (facts === undefined) return claim;
  facts.ranOn = ranOn;
  settle(state.ledger, claim.task, { reserved: claim.reserve, spend });
  if (claim.agent !== undefined)
    for (const { seen } of accountsOf(state.ledger, claim.task)) noteCost(seen, claim.agent, spend);
  facts.usd = exact(facts.usd + (finalOf(claim.reserve, spend).usd ?? 0));
  // Reserved money may be free again, so claims deferred for the budget are decided again.
  releaseDeferred(state, 'budget');
  return claim;
}

export function raiseClaim(state: State, place: number | undefined, raised: Spend): void {
  const claim = claimAt(state, place);
  assert(claim !== undefined, 'Only what is claimed can spend more.');
  raise(state.ledger, claim.task, { reserved: claim.reserve, raised });
  claim.reserve = raised;
}
