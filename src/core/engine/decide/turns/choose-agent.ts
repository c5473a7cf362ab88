// Who has a step: the first of its agents that may be asked.
//
// G1. An agent is passed over while its account rests, and for good once its verdict was about itself and not the work.
import type { CompiledStep } from '../../../compile/compiled.ts';
import { stepFactsOf } from '../../facts.ts';
import type { State } from '../../state.ts';

export interface Chosen {
  readonly agent: string | undefined;
  /** When it may be asked, if that is later. */
  readonly from: number;
}

export const agentsOf = ({ step }: CompiledStep): readonly string[] =>
  step.type === 'prompt' && step.agent !== undefined ? [step.agent, ...step.fallbacks.map(({ agent }) => agent)] : [];

/** Nobody may be asked at once: the one that may be first. */
export function chooseAgent(state: State, step: CompiledStep, at: number): Chosen {
  let best: Chosen | undefined;
  for (const agent of agentsOf(step)) {
    const from = restsUntil(state, step, agent);
    if (from <= at) return { agent, from };
    if (best === undefined || from < best.from) best = { agent, from };
  }
  return best ?? { agent: undefined, from: 0 };
}

/** Whether somebody else could take it over, now or after a rest. */
export const hasAnother = (state: State, step: CompiledStep, agent: string | undefined): boolean =>
  agentsOf(step).some((each) => each !== agent && restsUntil(state, step, each) < Number.MAX_SAFE_INTEGER);

const poolOf = ({ compiled }: State, agent: string): string | undefined =>
  compiled.plan.agents.find(({ name }) => name === agent)?.pool;

function restsUntil(state: State, step: CompiledStep, agent: string): number {
  const barred = stepFactsOf(state, step).barred.find((each) => each.agent === agent)?.until ?? 0;
  // What one agent alone may have waits for its pool like all others.
  const pool = step.step.type === 'prompt' && step.step.fallbacks.length > 0 ? poolOf(state, agent) : undefined;
  const closed = pool === undefined ? 0 : (state.dry.get(pool) ?? 0);
  return Math.max(barred, closed, state.dryAgents.get(agent) ?? 0);
}
