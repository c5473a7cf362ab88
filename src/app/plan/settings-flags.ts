// The settings that a command line may override; the words are passed on as they are and judged with the plan.
import type { Json } from '../../core/plan/plan.ts';

export type SettingsFlags = {
  readonly maxParallel?: string | undefined;
  readonly failureMode?: string | undefined;
  readonly attempts?: string | undefined;
  readonly timeout?: string | undefined;
  readonly budgetUsd?: string | undefined;
  readonly budgetTokens?: string | undefined;
  readonly agent?: string | undefined;
};

/** Each flag with its meaning, in the order of help. */
export const SETTINGS_FLAGS = [
  ['--max-parallel <count>', 'steps running at once, 1 to 32'],
  ['--failure-mode <mode>', 'continue_on_error or fail_fast'],
  ['--attempts <count>', 'attempts per step'],
  ['--timeout <duration>', 'time limit of each attempt of a step, as 45m'],
  ['--budget-usd <money>', 'ceiling of the run in dollars'],
  ['--budget-tokens <count>', 'ceiling of the run in tokens, as 20M'],
  ['--agent <name>', 'agent for steps without an agent of their own'],
] as const;

export function commandLineLayer(flags: SettingsFlags): { readonly [key: string]: Json } {
  const budget = definedOnly({ usd: flags.budgetUsd, tokens: flags.budgetTokens });
  return definedOnly({
    max_parallel: flags.maxParallel,
    failure_mode: flags.failureMode,
    attempts: flags.attempts,
    timeout: flags.timeout,
    agent: flags.agent,
    budget: Object.keys(budget).length === 0 ? undefined : budget,
  });
}

function definedOnly(values: Readonly<Record<string, Json | undefined>>): { readonly [key: string]: Json } {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
