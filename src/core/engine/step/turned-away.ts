// Backoff after a provider rejects an agent's turn: an account at its limit, or an overloaded provider.
//
// turned-away/V1. A rejection does not count as an attempt. When the provider gives no time, the backoff doubles each
//     time, spread by the run's seed.
import type { CompiledStep } from '../../compile/compiled.ts';
import { stepFactsOf, taskAt } from '../facts.ts';
import type { OutcomeOf } from '../../protocol/work-outcome.ts';
import type { Claim, State } from '../state.ts';
import { backoffMs, type Backoff } from './backoff.ts';

/** Minimum backoff: by a provider's clock its quota may be back already, and immediate retries would never stop. */
const LIMIT_REST_MIN_MS = 10_000;

const RESTS: Readonly<Record<'rate_limit' | 'quota' | 'overloaded', Pick<Backoff, 'firstMs' | 'maxMs'>>> = {
  rate_limit: { firstMs: 30_000, maxMs: 15 * 60_000 },
  quota: { firstMs: 10 * 60_000, maxMs: 60 * 60_000 },
  overloaded: { firstMs: 2_000, maxMs: 5 * 60_000 },
};

/** After so many rejections in a row a turn has waited for hours; then the next counts as one attempt (P11). */
export const OVERLOADED_MAX = 30;

interface Away {
  readonly claim: Claim;
  readonly at: number;
}

export interface Rest {
  readonly until: number;
  /** For an account at its limit, the pool to close; for an overload, the pool to throttle. */
  readonly pool: string | undefined;
}

export function limitedRest(
  state: State,
  step: CompiledStep,
  { outcome, claim, at }: Away & { outcome: OutcomeOf<'limited'> },
): Rest {
  const { until, by = 'quota' } = outcome;
  const told = until ?? at + restMs(state, step, by);
  return {
    until: Math.max(told, at + LIMIT_REST_MIN_MS),
    pool: poolOf(state, outcome.pool ?? poolOfAgent(state, claim)),
  };
}

export function overloadedRest(state: State, step: CompiledStep, { claim, at }: Away): Rest {
  return { until: at + restMs(state, step, 'overloaded'), pool: poolOf(state, poolOfAgent(state, claim)) };
}

function restMs(state: State, step: CompiledStep, why: keyof typeof RESTS): number {
  const about = `${taskAt(state, step.task).task.path}/${step.step.id}`;
  return backoffMs({ seed: state.run.seed, about, attempt: stepFactsOf(state, step).turnedAway + 1, ...RESTS[why] });
}

const poolOfAgent = ({ compiled }: State, { agent }: Claim): string | undefined =>
  compiled.plan.agents.find(({ name }) => name === agent)?.pool;

const poolOf = ({ compiled }: State, pool: string | undefined): string | undefined =>
  pool === undefined || !compiled.pools.has(pool) ? undefined : pool;
