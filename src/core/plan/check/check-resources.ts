// Agents, pools and budgets: do they exist, are they large enough.

import { listOf } from './known-names.ts';
import { sourceOf } from './plan-index.ts';
import { sourceOfStep } from './step-order.ts';
import type { SourcePath } from '../diagnostic.ts';
import type { PromptStep, Settings, Step } from '../plan.ts';
import type { Report } from './plan-finding.ts';
import type { Names } from './known-names.ts';
import type { IndexedTask, PlanIndex } from './plan-index.ts';

interface Resources {
  readonly index: PlanIndex;
  readonly names: Names;
  readonly report: Report;
  readonly agents: ReadonlySet<string>;
  readonly pools: ReadonlyMap<string, number>;
  /** The pool of each agent: what is wrong with it is said once, at the agent. */
  readonly poolOfAgent: ReadonlyMap<string, string>;
}

export function examineResources(index: PlanIndex, names: Names, report: Report): void {
  const { plan } = index;
  const poolOfAgent = new Map<string, string>();
  for (const agent of plan.agents) if (agent.pool !== undefined) poolOfAgent.set(agent.name, agent.pool);
  const resources: Resources = {
    index,
    names,
    report,
    agents: new Set(plan.agents.map((agent) => agent.name)),
    pools: new Map(plan.pools.map((pool) => [pool.name, pool.size])),
    poolOfAgent,
  };
  for (const [name, pool] of poolOfAgent) {
    if (!resources.pools.has(pool)) reportUnknownPool(resources, pool, ['agents', name, 'pool']);
  }
  examineAgents(resources, namesIn(plan.settings), ['agent']);
  for (const at of index.tasks) examineTask(resources, at);
}

/** A setting that is only inherited was judged where it was written. */
function examineTask(resources: Resources, at: IndexedTask): void {
  const { index } = resources;
  const { task } = at;
  const around = index.tasks[at.parent]?.task.settings ?? index.plan.settings;
  const own = namesIn(task.settings);
  if (own.join() !== namesIn(around).join()) examineAgents(resources, own, [...sourceOf(index, at), 'agent']);
  if (task.type !== 'work') return;
  for (const [place, step] of task.steps.entries()) {
    const agents = step.type === 'prompt' ? namesOf(step) : [];
    const isOwn = agents.length > 0 && agents.join() !== own.join();
    if (step.pools.length === 0 && !isOwn) continue;
    const source = sourceOfStep(sourceOf(index, at), task, place);
    if (isOwn) examineAgents(resources, agents, [...source, 'agent']);
    examinePools(resources, step, source);
  }
}

const namesIn = ({ agent, fallbacks }: Settings): readonly string[] =>
  agent === undefined ? [] : [agent, ...fallbacks];

const namesOf = ({ agent, fallbacks }: PromptStep): readonly string[] =>
  agent === undefined ? [] : [agent, ...fallbacks.map((fallback) => fallback.agent)];

function examineAgents(resources: Resources, agents: readonly string[], path: SourcePath): void {
  const [only] = agents;
  if (only !== undefined && agents.length === 1) return examineAgent(resources, only, path);
  agents.forEach((agent, place) => examineAgent(resources, agent, [...path, place]));
}

function examineAgent({ agents, names, report }: Resources, agent: string, path: SourcePath): void {
  if (agents.has(agent)) return;
  const meant = names.nearestOf(agent, [...agents]);
  report({
    code: 'unknown-agent',
    path,
    message: `There is no agent \`${agent}\`.`,
    hint:
      meant === undefined
        ? `Add it to agents:, or name one of ${listOf([...agents], 'them once there are some')}.`
        : `Did you mean \`${meant}\`?`,
  });
}

function examinePools(resources: Resources, step: Step, source: SourcePath): void {
  const ofAgent =
    step.type === 'prompt' && step.agent !== undefined ? resources.poolOfAgent.get(step.agent) : undefined;
  for (const { pool, tokens } of step.pools) {
    const size = resources.pools.get(pool);
    if (size === undefined) {
      if (pool !== ofAgent) reportUnknownPool(resources, pool, [...source, 'pools', pool]);
    } else if (tokens > size) {
      resources.report({
        code: 'pool-demand',
        path: [...source, 'pools', pool],
        message: `Step \`${step.id}\` takes ${tokens} of \`${pool}\`, which has ${size}.`,
        hint: `Take at most ${size}, or make the pool larger under pools:.`,
      });
    }
  }
}

function reportUnknownPool({ pools, names, report }: Resources, pool: string, path: SourcePath): void {
  const meant = names.nearestOf(pool, [...pools.keys()]);
  report({
    code: 'unknown-pool',
    path,
    message: `There is no pool \`${pool}\`.`,
    hint:
      meant === undefined
        ? `Add it under pools: with its size, as in pools: { ${pool}: 2 }.`
        : `Did you mean \`${meant}\`?`,
  });
}
