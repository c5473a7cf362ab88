// Live cost: the reported spending of a running step.
//
// spending/L1. The reservation of a step that spends more is raised to its spending, so less is left for other claims.
//     A report within the reservation has no effect.
// spending/L2. A step whose spending exceeds its reservation and the rest of a ceiling around it is ended and fails for
//     its cost (P8).
import type { RunEvent } from '../event.ts';
import type { Spend } from '../../protocol/result.ts';
import type { OutcomeOf } from '../../protocol/work-outcome.ts';
import { claimNamed, nameClaim, taskAt } from '../facts.ts';
import { overdrawn } from '../ledger.ts';
import type { State } from '../state.ts';

export function* settleSpending(state: State, outcome: OutcomeOf<'spending'>, at: number): Generator<RunEvent, void> {
  const claim = claimNamed(state, outcome);
  const step = claim === undefined ? undefined : taskAt(state, claim.task).steps[claim.step ?? -1];
  if (claim === undefined || step?.transitions.raise === undefined) return;
  const reserve = {
    usd: raised(claim.reserve, outcome.spend, 'usd'),
    tokens: raised(claim.reserve, outcome.spend, 'tokens'),
  };
  if (reserve.usd === claim.reserve.usd && reserve.tokens === claim.reserve.tokens) return;
  const about = { at, ...nameClaim(state, claim) };
  yield { type: 'claim.raised', ...about, reserve };
  const over = overdrawn(state.ledger, step.task);
  if (claim.cancelling === undefined && over !== undefined)
    yield { type: 'claim.cancelling', ...about, reason: 'cost', cause: undefined, budget: over.task };
}

function raised(reserve: Spend, spend: Spend, part: keyof Spend): number | undefined {
  const spent = spend[part] ?? 0;
  return spent > (reserve[part] ?? 0) ? spent : reserve[part];
}
