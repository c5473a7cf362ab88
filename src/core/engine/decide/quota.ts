// What rests when an account has no quota left, and for how long.
import type { CompiledStep } from '../../compile/compiled.ts';
import type { StepOutcome } from '../outcome.ts';
import type { State } from '../state.ts';

/** A provider's clock may say that its quota is back already; asking again at once would be asking for ever. */
const QUOTA_REST_MIN_MS = 10_000;

interface Limited {
  readonly outcome: Extract<StepOutcome, { type: 'step.limited' }>;
  readonly at: number;
}

export interface QuotaRest {
  readonly until: number;
  /** The pool that is closed meanwhile. */
  readonly pool: string | undefined;
}

export function quotaRest(state: State, step: CompiledStep, { outcome, at }: Limited): QuotaRest {
  return { until: Math.max(outcome.until, at + QUOTA_REST_MIN_MS), pool: dryPool(state, step, outcome.pool) };
}

/** The pool that is reported, else that of the step's agent. */
function dryPool({ compiled }: State, { step }: CompiledStep, reported: string | undefined): string | undefined {
  const named = step.type === 'prompt' ? step.agent : undefined;
  const pool = reported ?? compiled.plan.agents.find(({ name }) => name === named)?.pool;
  return pool === undefined || !compiled.pools.has(pool) ? undefined : pool;
}
