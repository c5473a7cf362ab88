// Backoff after a provider rejects an agent's turn: an account at its limit, or an overloaded provider.
//
// backoff/V1. A rejection does not count as an attempt. When the provider gives no time, the backoff doubles each
//     time, spread by the run's seed.
import type { CompiledStep } from '../../compile/compiled.ts';
import { stepFactsOf, taskAt } from '../facts.ts';
import type { OutcomeOf } from '../../protocol/work-outcome.ts';
import type { Claim, State } from '../state.ts';

// Backoff of a failed step before its retry: doubling, bounded, and spread by the run's seed so that steps that failed
// together do not all retry together.
const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MAX_MS = 5 * 60_000;

interface Backoff {
  readonly seed: number;
  readonly about: string;
  readonly attempt: number;
  readonly firstMs?: number;
  readonly maxMs?: number;
}

export function backoffMs({ seed, about, attempt, ...range }: Backoff): number {
  const { firstMs = BACKOFF_FIRST_MS, maxMs = BACKOFF_MAX_MS } = range;
  const full = Math.min(maxMs, firstMs * 2 ** (attempt - 1));
  return Math.round(full * (0.5 + 0.5 * fraction(`${seed}/${about}/${attempt}`)));
}

/** A number from 0 to 1 that depends on the text alone. */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return ((hash ^ (hash >>> 12)) >>> 0) / 2 ** 32;
}

/** Minimum backoff: by a provider's clock its quota may be back already, and immediate retries would never stop. */
const LIMIT_BACKOFF_MIN_MS = 10_000;

const BACKOFFS: Readonly<Record<'rate_limit' | 'quota' | 'overloaded', Pick<Backoff, 'firstMs' | 'maxMs'>>> = {
  rate_limit: { firstMs: 30_000, maxMs: 15 * 60_000 },
  quota: { firstMs: 10 * 60_000, maxMs: 60 * 60_000 },
  overloaded: { firstMs: 2_000, maxMs: 5 * 60_000 },
};

/** After so many rejections in a row a turn has waited for hours; then the next counts as one attempt (P11). */
export const OVERLOADED_MAX = 30;

interface Rejected {
  readonly claim: Claim;
  readonly at: number;
}

interface ProviderBackoff {
  readonly until: number;
  /** For an account at its limit, the pool to close; for an overload, the pool to throttle. */
  readonly pool: string | undefined;
}

export function limitedBackoff(
  state: State,
  step: CompiledStep,
  { outcome, claim, at }: Rejected & { outcome: OutcomeOf<'limited'> },
): ProviderBackoff {
  const { until, by = 'quota' } = outcome;
  const wanted = until ?? at + providerBackoffMs(state, step, by);
  return {
    until: Math.max(wanted, at + LIMIT_BACKOFF_MIN_MS),
    pool: poolOf(state, outcome.pool ?? poolOfAgent(state, claim)),
  };
}

export function overloadedBackoff(state: State, step: CompiledStep, { claim, at }: Rejected): ProviderBackoff {
  return { until: at + providerBackoffMs(state, step, 'overloaded'), pool: poolOf(state, poolOfAgent(state, claim)) };
}

function providerBackoffMs(state: State, step: CompiledStep, why: keyof typeof BACKOFFS): number {
  const about = `${taskAt(state, step.task).task.path}/${step.step.id}`;
  return backoffMs({ seed: state.run.seed, about, attempt: stepFactsOf(state, step).rejections + 1, ...BACKOFFS[why] });
}

const poolOfAgent = ({ compiled }: State, { agent }: Claim): string | undefined =>
  compiled.plan.agents.find(({ name }) => name === agent)?.pool;

const poolOf = ({ compiled }: State, pool: string | undefined): string | undefined =>
  pool === undefined || !compiled.pools.has(pool) ? undefined : pool;
