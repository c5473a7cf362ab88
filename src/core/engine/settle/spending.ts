// Live cost: what a step at work says that it has spent so far.
//
// spending/L1. A step that spends more than was reserved for it has that much reserved, so what others may be given
//     shrinks with it. A report of no more than the reservation is no news.
// spending/L2. A step that has spent more than its reservation and all that was left of a ceiling around it is ended and
//     fails for its cost (P8).
import type { RunEvent } from '../event.ts';
import type { Spend } from '../../protocol/result.ts';
import { claimOnStep, nameClaim, stepAt } from '../facts.ts';
import { overdrawn } from '../ledger.ts';
import type { Outcome } from '../outcome.ts';
import type { State } from '../state.ts';

type Spending = Extract<Outcome, { readonly type: 'step.spending' }>;

export function* settleSpending(state: State, outcome: Spending, at: number): Generator<RunEvent, void> {
  const step = stepAt(state, outcome);
  const claim = step === undefined ? undefined : claimOnStep(state, step);
  if (step?.transitions.raise === undefined || claim?.attempt !== outcome.attempt) return;
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
