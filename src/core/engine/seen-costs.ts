// The costs of earlier turns, by agent, and the reservation of the next turn (P8).
//
// seen-costs/R1. A turn reserves what the plan says, or more where earlier turns of its agent cost more: the upper
//     quartile of the latest turns, so that one dear turn among many does not keep the rest of a budget unused.
// seen-costs/R2. Only costs that an agent reported count; they are a fold of the log.
import type { Spend } from '../protocol/result.ts';

type Part = keyof Spend;
type Costs = Record<Part, number[]>;
export type SeenCosts = Map<string, Costs>;

/** Number of remembered turns per agent. */
const TURNS_MAX = 20;

export const seenCosts = (): SeenCosts => new Map();

export function noteCost(seen: SeenCosts, agent: string, spend: Spend): void {
  const costs = seen.get(agent) ?? { usd: [], tokens: [] };
  seen.set(agent, costs);
  for (const part of ['usd', 'tokens'] as const) {
    const cost = spend[part];
    // A turn that its provider rejected does not predict the cost of the next.
    if (cost === undefined || cost === 0) continue;
    costs[part].push(cost);
    if (costs[part].length > TURNS_MAX) costs[part].shift();
  }
}

/** The reservation of the agent's next turn. */
export function reservationFrom(seen: SeenCosts, agent: string | undefined, declared: Spend): Spend {
  const costs = agent === undefined ? undefined : seen.get(agent);
  if (costs === undefined) return declared;
  return { usd: largerOf(declared.usd, costs.usd), tokens: largerOf(declared.tokens, costs.tokens) };
}

function largerOf(declared: number | undefined, costs: readonly number[]): number | undefined {
  const sorted = costs.toSorted((one, other) => one - other);
  const upper = sorted[Math.ceil(sorted.length * 0.75) - 1];
  return upper === undefined ? declared : Math.max(upper, declared ?? 0);
}
