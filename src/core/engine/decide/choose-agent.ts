// Who has a step: the first of its agents that may be asked.
//
// choose-agent/G1. An agent is passed over while its account rests, and for good once its verdict was about itself and
//     not the work.
import type { CompiledStep } from '../../compile/compiled.ts';
import { FOR_GOOD } from '../apply/turn-facts.ts';
import { stepFactsOf } from '../facts.ts';
import type { State } from '../state.ts';

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
  for (const agent of candidatesOf(state, step)) {
    const from = restsUntil(state, step, agent);
    if (from <= at) return { agent, from };
    if (best === undefined || from < best.from) best = { agent, from };
  }
  return best ?? { agent: undefined, from: 0 };
}

/** When, after `at`, time alone may make another the one to choose; undefined when it never does. */
export function nextChoice(state: State, step: CompiledStep, at: number): number | undefined {
  const later = candidatesOf(state, step)
    .map((agent) => restsUntil(state, step, agent))
    .filter((until) => until > at);
  return later.length === 0 ? undefined : Math.min(...later);
}

/** Whether somebody else could take it over, now or after a rest. */
export const hasAnother = (state: State, step: CompiledStep, agent: string | undefined): boolean =>
  agentsOf(step).some((each) => each !== agent && !isBarredForGood(state, step, each));

/** An amended plan may leave nobody but those whose verdict was about themselves: then they are asked again. */
function candidatesOf(state: State, step: CompiledStep): readonly string[] {
  const all = agentsOf(step);
  const left = all.filter((agent) => !isBarredForGood(state, step, agent));
  return left.length === 0 ? all : left;
}

const barredUntil = (state: State, step: CompiledStep, agent: string): number =>
  stepFactsOf(state, step).barred.find((each) => each.agent === agent)?.until ?? 0;

const isBarredForGood = (state: State, step: CompiledStep, agent: string): boolean =>
  barredUntil(state, step, agent) >= FOR_GOOD;

const poolOf = ({ compiled }: State, agent: string): string | undefined =>
  compiled.plan.agents.find(({ name }) => name === agent)?.pool;

/** Until when one that is not barred for good is not to be asked. */
export function restsUntil(state: State, step: CompiledStep, agent: string): number {
  const barred = barredUntil(state, step, agent);
  // What one agent alone may have waits for its pool like all others.
  const pool = step.step.type === 'prompt' && step.step.fallbacks.length > 0 ? poolOf(state, agent) : undefined;
  const closed = pool === undefined ? 0 : (state.exhausted.get(pool) ?? 0);
  return Math.max(barred >= FOR_GOOD ? 0 : barred, closed, state.exhaustedAgents.get(agent) ?? 0);
}
