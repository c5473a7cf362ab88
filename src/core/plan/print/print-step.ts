// A step in the form an author would write: defaults are left out.

import { defaultResume } from '../build/building.ts';
import { ownLabels } from '../host-labels.ts';
import { DEFAULT_RESERVE } from '../build/build-agents.ts';
import { showCount, showDuration } from '../language/literals.ts';
import { fromJson, yamlList, map, shortList, shortMap } from './yaml.ts';
import type { PromptTurn } from '../build/building.ts';
import type { Budget, Ceilings } from '../budget.ts';
import type { Agent, PoolDemand, PromptStep, Settings, Step } from '../plan.ts';
import type { ResultRule } from '../result-rule.ts';
import type { Yaml, YamlEntry } from './yaml.ts';

export interface StepsAround {
  readonly settings: Settings;
  /** Labels that the task asks of hosts. */
  readonly on: readonly string[] | undefined;
  readonly agents: ReadonlyMap<string, Agent>;
}

export function printSteps(steps: readonly Step[], around: StepsAround): Yaml {
  const printed: Yaml[] = [];
  let before: PromptTurn | undefined;
  for (const step of steps) {
    printed.push(printStep(step, around, before));
    if (step.type === 'prompt' && !step.async) before = { agent: step.agent, async: false };
  }
  return yamlList(printed);
}

function printStep(step: Step, around: StepsAround, before: PromptTurn | undefined): Yaml {
  const { settings } = around;
  return map(
    ['id', step.id],
    ['agent', step.type === 'prompt' ? printAgents(step, settings) : undefined],
    ['on', printLabels(step.on, around.on)],
    ['async', step.async ? true : undefined],
    ['needs', step.needs.length === 0 ? undefined : shortList(step.needs)],
    ['when', step.when],
    ['attempts', step.attemptsMax === settings.attemptsMax ? undefined : step.attemptsMax],
    ['timeout', step.timeoutMs === settings.timeoutMs ? undefined : showDuration(step.timeoutMs)],
    ['idle_timeout', step.idleTimeoutMs === settings.idleTimeoutMs ? undefined : showDuration(step.idleTimeoutMs)],
    ['estimate', step.estimateMs === undefined ? undefined : showDuration(step.estimateMs)],
    ...printWork(step, around, before),
  );
}

function printAgents({ agent, fallbacks }: PromptStep, settings: Settings): Yaml | undefined {
  const others = fallbacks.filter((each) => each.isOnlyEscalation !== true).map((fallback) => fallback.agent);
  if (agent === settings.agent && others.join() === settings.fallbacks.join()) return undefined;
  return agent === undefined || others.length === 0 ? agent : shortList([agent, ...others]);
}

/** The entries that a task of a single step has too. */
export function printWork(step: Step, around: StepsAround, before: PromptTurn | undefined): readonly YamlEntry[] {
  const agent = step.type === 'prompt' && step.agent !== undefined ? around.agents.get(step.agent) : undefined;
  return [
    ['prompt', step.type === 'prompt' ? step.prompt : undefined],
    ['run', step.type === 'run' ? step.run : undefined],
    ['read_only', step.type === 'prompt' ? step.isReadOnly : undefined],
    ['escalate', step.type === 'prompt' && step.escalation !== undefined ? shortList(step.escalation) : undefined],
    ['action', step.type === 'join' ? 'join' : undefined],
    ['resume', step.type === 'prompt' ? printResume(step, defaultResume(step, before)) : undefined],
    ['pools', printPools(step, agent?.pool, around)],
    ['reserve', printReserve(step, around)],
    ['output', step.output === undefined ? undefined : fromJson(step.output)],
    ['on_error', step.onError === 'abort' || step.onError === 'fail_fast' ? undefined : step.onError],
    ['on_result', printResultRules(step.onResult)],
  ];
}

/** What its agent reserves is not repeated. */
export function printReserve(step: Step, { agents }: StepsAround): Yaml | undefined {
  const agent = step.type === 'prompt' && step.agent !== undefined ? agents.get(step.agent) : undefined;
  const usual = step.type === 'prompt' ? (agent?.reserve ?? DEFAULT_RESERVE) : { usd: 0, tokens: 0 };
  const isUsual = usual.usd === step.reserve.usd && usual.tokens === step.reserve.tokens;
  return isUsual ? undefined : printBudget(step.reserve);
}

export const printResultRules = (rules: readonly ResultRule[]): Yaml | undefined =>
  rules.length === 0 ? undefined : yamlList(rules.map(({ when, rule }) => shortMap(['if', when], ['do', rule])));

function printResume({ resume, resumeTask }: PromptStep, usual: string): Yaml | undefined {
  if (resumeTask !== undefined) return shortMap([resume === 'fork' ? 'fork' : 'from', `tasks.${resumeTask}`]);
  if (resume === usual) return undefined;
  return resume === 'fork' ? 'fork' : resume === 'continue';
}

/** The agent's own pool is taken by default; another agent takes it only where the plan says so. */
function printPools(step: Step, ofAgent: string | undefined, { agents }: StepsAround): Yaml | undefined {
  const others = step.type === 'prompt' ? step.fallbacks : [];
  const isWritten = (name: string): boolean =>
    others.some(({ agent, pools }) => agents.get(agent)?.pool !== name && pools.some(({ pool }) => pool === name));
  return printDemands(step.pools.filter(({ pool, tokens }) => pool !== ofAgent || tokens !== 1 || isWritten(pool)));
}

/** The labels that those around do not ask for. */
export function printLabels(
  labels: readonly string[] | undefined,
  around: readonly string[] | undefined,
): Yaml | undefined {
  const own = ownLabels(labels, around);
  return own.length === 0 ? undefined : shortList(own);
}

export const printDemands = (demands: readonly PoolDemand[]): Yaml | undefined =>
  demands.length === 0 ? undefined : shortMap(...demands.map(({ pool, tokens }): YamlEntry => [pool, tokens]));

export function printBudget(budget: Budget | Ceilings | undefined): Yaml | undefined {
  if (budget === undefined) return undefined;
  const { usd, tokens } = budget;
  const isStop = 'atCeiling' in budget && budget.atCeiling === 'stop';
  return shortMap(
    ['usd', usd],
    ['tokens', tokens === undefined ? undefined : showCount(tokens)],
    ['at_ceiling', isStop ? 'stop' : undefined],
  );
}
