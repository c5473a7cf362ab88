// Chooses the agent of a step: the first of its agents that is available.
//
// choose-agent/G1. An agent is skipped while its account backs off, and permanently after a failure of the agent itself
//     rather than the work.
// choose-agent/G2. Of the agents of `escalate` only one is a candidate at a time: the next one after each failure of the
//     work, and the last one from then on. What a provider does never moves a step along them.
import type { CompiledStep } from '../../compile/compiled.ts';
import type { Budget } from '../../plan/budget.ts';
import type { Step } from '../../plan/plan.ts';
import { FOR_GOOD, takesOver } from '../apply/turn-facts.ts';
import { stepFactsOf } from '../facts.ts';
import type { State } from '../state.ts';

export interface ChosenAgent {
  readonly agent: string | undefined;
  /** When the agent is available, if later than now. */
  readonly from: number;
}

/** In order of preference. */
function agentsOf(state: State, compiled: CompiledStep): readonly string[] {
  const { step } = compiled;
  if (step.type !== 'prompt' || step.agent === undefined) return [];
  const own = step.escalation?.[escalationAt(state, compiled)] ?? step.agent;
  const others = step.fallbacks.filter((each) => takesOver(each) && each.agent !== own);
  return [own, ...others.map(({ agent }) => agent)];
}

function escalationAt(state: State, compiled: CompiledStep): number {
  const { step } = compiled;
  const last = step.type === 'prompt' ? (step.escalation?.length ?? 1) - 1 : 0;
  return Math.min(stepFactsOf(state, compiled).escalations, last);
}

/** What the plan reserves for a turn of the agent. */
export const reserveFor = (step: Step, agent: string | undefined): Budget =>
  (step.type === 'prompt' ? step.fallbacks.find((each) => each.agent === agent)?.reserve : undefined) ?? step.reserve;

/** Whether a failure of the work gives the next attempt to another agent. */
export function hasStronger(state: State, compiled: CompiledStep): boolean {
  const { step } = compiled;
  return (
    step.type === 'prompt' &&
    step.escalation !== undefined &&
    escalationAt(state, compiled) + 1 < step.escalation.length
  );
}

/** When no agent is available now, the agent that is available first. */
export function chooseAgent(state: State, step: CompiledStep, at: number): ChosenAgent {
  let best: ChosenAgent | undefined;
  for (const agent of candidatesOf(state, step)) {
    const from = backsOffUntil(state, step, agent);
    if (from <= at) return { agent, from };
    if (best === undefined || from < best.from) best = { agent, from };
  }
  return best ?? { agent: undefined, from: 0 };
}

/** The time after `at` when the choice may change without any event; undefined when it never does. */
export function nextChoice(state: State, step: CompiledStep, at: number): number | undefined {
  const later = candidatesOf(state, step)
    .map((agent) => backsOffUntil(state, step, agent))
    .filter((until) => until > at);
  return later.length === 0 ? undefined : Math.min(...later);
}

/** Whether another agent could take the step over, now or after a backoff. */
export const hasAnother = (state: State, step: CompiledStep, agent: string | undefined): boolean =>
  agentsOf(state, step).some((each) => each !== agent && !isBarredForGood(state, step, each));

/** An amended plan may leave only permanently excluded agents: then they are asked again. */
function candidatesOf(state: State, step: CompiledStep): readonly string[] {
  const all = agentsOf(state, step);
  const left = all.filter((agent) => !isBarredForGood(state, step, agent));
  return left.length === 0 ? all : left;
}

const barredUntil = (state: State, step: CompiledStep, agent: string): number =>
  stepFactsOf(state, step).barred.find((each) => each.agent === agent)?.until ?? 0;

const isBarredForGood = (state: State, step: CompiledStep, agent: string): boolean =>
  barredUntil(state, step, agent) >= FOR_GOOD;

const poolOf = ({ compiled }: State, agent: string): string | undefined =>
  compiled.plan.agents.find(({ name }) => name === agent)?.pool;

/** The end of the agent's backoff, ignoring permanent exclusion. */
export function backsOffUntil(state: State, step: CompiledStep, agent: string): number {
  const barred = barredUntil(state, step, agent);
  // A step with only one agent waits for its pool in the net.
  const pool = step.step.type === 'prompt' && step.step.fallbacks.length > 0 ? poolOf(state, agent) : undefined;
  const closed = pool === undefined ? 0 : (state.exhausted.get(pool) ?? 0);
  return Math.max(barred >= FOR_GOOD ? 0 : barred, closed, state.exhaustedAgents.get(agent) ?? 0);
}
