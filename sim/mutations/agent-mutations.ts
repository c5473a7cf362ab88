// Faults in who has a step that several agents may have.
import type { Mutation } from './mutation.ts';

export const AGENTS: readonly Mutation[] = [
  {
    fault: 'an agent that was cut off is asked again at once, for ever',
    text: `  const isForNow = isProviderLimit(reason) || reason === 'overloaded';`,
    instead: `  const isForNow = isProviderLimit(reason) || reason === 'overloaded' || reason === 'cut_off';`,
  },
  {
    fault: 'an agent is left because of its work',
    text: `  'permission',
  'cut_off',
]);

export const isOfProvider`,
    instead: `  'permission',
  'cut_off',
  'idle',
  'timeout',
]);

export const isOfProvider`,
  },
  {
    fault: 'a verdict on the agent leaves it in its place',
    text: `if (isOfProvider(reason) && !isForStronger && hasAnother(state, step, claim.agent)) return`,
    instead: `if (isOfProvider(reason) && !isForStronger && hasAnother(state, step, undefined)) return`,
  },
  {
    fault: 'a timeout gives the next attempt to a stronger agent',
    text: `new Set(['context', 'turns', 'output'])`,
    instead: `new Set(['context', 'turns', 'output', 'timeout'])`,
  },
  {
    fault: 'a failed check leaves the next attempt to the same agent',
    text: `if (again !== undefined) again.escalations += 1;`,
    instead: `if (again !== undefined) again.escalations += 0;`,
  },
  {
    fault: 'an agent whose verdict was about itself is asked again',
    text: `  return left.length === 0 ? all : left;`,
    instead: `  return left.length === 0 ? left : all;`,
  },
  {
    fault: 'the log does not say who of several has a turn',
    text: `        agent: step.step.type === 'prompt' && step.step.fallbacks.length > 0 ? agent : undefined,`,
    instead: `        agent: step.step.type === 'run' ? agent : undefined,`,
  },
  {
    fault: 'who has a turn is not what the log says',
    text: `    agent: event.agent ?? (step === undefined ? undefined : agentOfStep(step)),`,
    instead: `    agent: step === undefined ? undefined : agentOfStep(step),`,
  },
  {
    fault: 'an account at its limit counts as an attempt',
    text: `        reason: outcome.by ?? 'quota',
        counted: false,`,
    instead: `        reason: outcome.by ?? 'quota',
        counted: true,`,
  },
  {
    fault: 'the next agent does not take over while the account of the first backs off',
    text: `  const closed = pool === undefined ? 0 : (state.exhausted.get(pool) ?? 0);`,
    instead: `  const closed = pool === undefined ? 0 : 0 * (state.exhausted.get(pool) ?? 0);`,
  },
  {
    fault: 'the next agent holds the pool of the first',
    text: `    const laid = { of, transitions: own, next, variant: place + 1, pools };`,
    instead: `    const laid = { of, transitions: own, next, variant: place + 1, pools: [...pools, ...(first?.pools ?? [])].slice(-1) };`,
  },
  {
    fault: 'the last agent of a list is left too, though nobody is there to take over',
    text: `  isOfProvider(reason) &&
  !counted &&`,
    instead: `  isOfProvider(reason) &&`,
  },
];
