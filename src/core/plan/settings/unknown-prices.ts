// Agents of whose turns nobody can know the cost, where a budget in dollars depends on it: each turn counts as its
// reservation (P8).
import { findPrice, LIST_PRICES, type PriceTable } from './list-prices.ts';
import type { Agent, Plan } from '../plan.ts';
import { indexPlan } from '../check/plan-index.ts';

export interface UnknownPrice {
  readonly agent: string;
  /** `uncounted`: the program reports no tokens; `unnamed`: the plan names no model; `unlisted`: no table has the model. */
  readonly code: 'uncounted' | 'unnamed' | 'unlisted';
  readonly model: string | undefined;
}

/** Programs of the protocol that report the tokens of a turn. */
const COUNTING: ReadonlySet<string> = new Set(['claude-agent-acp', 'codex-acp']);

/** `tables` come before the list prices. */
export function unknownPrices(plan: Plan, tables: readonly PriceTable[]): readonly UnknownPrice[] {
  const isInDollars = [plan.budget, ...indexPlan(plan).tasks.map(({ task }) => task.budget)].some(
    (budget) => budget?.usd !== undefined,
  );
  if (!isInDollars) return [];
  return plan.agents.flatMap((agent) => {
    const code = codeFor(agent, [...tables, LIST_PRICES]);
    return code === undefined ? [] : [{ agent: agent.name, code, model: agent.model }];
  });
}

function codeFor({ use, model, command = '' }: Agent, tables: readonly PriceTable[]): UnknownPrice['code'] | undefined {
  const program = command.trim().split(/\s+/)[0]?.split('/').at(-1) ?? '';
  const isCounted = use === 'codex' || (use === 'acp' && COUNTING.has(program));
  if (use === 'command' || (use === 'acp' && !isCounted)) return 'uncounted';
  // Gemini CLI names the model that it took; the others report a cost.
  if (!isCounted && use !== 'gemini') return undefined;
  if (model === undefined) return isCounted ? 'unnamed' : undefined;
  return findPrice(tables, model) === undefined ? 'unlisted' : undefined;
}
