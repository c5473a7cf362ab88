// Checks that agents and pools exist, that pools are large enough, and that the programs of the agents can keep the
// permissions that the plan asks for.
// Pools that tasks hold while they are open suffice for the steps of the task, and tasks cannot wait for each other
// without end.
//
// check-resources/C1. A task that holds a pool and takes another one waits for the holders of the other. Where no such
//   waits form a cycle of pools, one of the waiting tasks always has all that it needs.

import { quotedList, type NameGuesses } from './known-names.ts';
import { sourceOf, type IndexedTask, type PlanIndex } from './plan-index.ts';
import { sourceOfStep } from './step-order.ts';
import { ADAPTERS_THAT_ASK, ADAPTERS_WITHOUT_PERMISSIONS } from '../language/agent-kinds.ts';
import { isDraft, type Draft } from '../grown-plan.ts';
import type { SourcePath } from '../diagnostic.ts';
import type { Agent, Plan, PoolDemand, PromptStep, Settings, Step, WorkTask } from '../plan.ts';
import type { ReportFinding } from './plan-finding.ts';

interface ResourceCheck {
  readonly index: PlanIndex;
  readonly names: NameGuesses;
  readonly report: ReportFinding;
  readonly agents: ReadonlySet<string>;
  readonly pools: ReadonlyMap<string, number>;
  /** The pool of each agent; its faults are reported once, at the agent. */
  readonly poolOfAgent: ReadonlyMap<string, string>;
}

export function checkResources(index: PlanIndex, names: NameGuesses, report: ReportFinding): void {
  const { plan } = index;
  const poolOfAgent = new Map<string, string>();
  for (const agent of plan.agents) if (agent.pool !== undefined) poolOfAgent.set(agent.name, agent.pool);
  const resources: ResourceCheck = {
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
  checkAgents(resources, namesIn(plan.settings), ['agent']);
  for (const at of index.tasks) checkTask(resources, at);
}

/** An inherited setting is checked where it is written. */
function checkTask(resources: ResourceCheck, at: IndexedTask): void {
  const { index } = resources;
  const { task } = at;
  const around = index.tasks[at.parent]?.task.settings ?? index.plan.settings;
  const own = namesIn(task.settings);
  if (own.join() !== namesIn(around).join()) checkAgents(resources, own, [...sourceOf(index, at), 'agent']);
  if (task.type !== 'work') return;
  if (isDraft(task)) checkGrowth(resources, task, sourceOf(index, at));
  for (const demand of task.hold)
    checkDemand(resources, demand, {
      who: `\`${task.path}\` holds`,
      path: [...sourceOf(index, at), 'hold', demand.pool],
    });
  for (const [place, step] of task.steps.entries()) {
    const agents = step.type === 'prompt' ? namesOf(step) : [];
    const escalation = step.type === 'prompt' ? (step.escalation ?? []) : [];
    const isOwn = agents.length > 0 && agents.join() !== own.join();
    if (step.pools.length === 0 && !isOwn && escalation.length === 0) continue;
    const source = sourceOfStep(sourceOf(index, at), task, place);
    if (isOwn) checkAgents(resources, agents, [...source, 'agent']);
    checkAgents(resources, escalation, [...source, 'escalate']);
    checkPools(resources, step, source);
  }
}

/** The agents and pools that added tasks may use; those of the task itself are checked where they are written. */
function checkGrowth(resources: ResourceCheck, { drafts, settings }: Draft, source: SourcePath): void {
  if (drafts.agents.join() !== namesIn(settings).join()) checkAgents(resources, drafts.agents, [...source, 'agents']);
  drafts.pools.forEach((pool, place) => {
    if (!resources.pools.has(pool)) reportUnknownPool(resources, pool, [...source, 'pools', place]);
  });
}

const namesIn = ({ agent, fallbacks }: Settings): readonly string[] =>
  agent === undefined ? [] : [agent, ...fallbacks];

/** The agents under `agent`; those of `escalate` are checked there. */
const namesOf = ({ agent, fallbacks, escalation }: PromptStep): readonly string[] => {
  const others = fallbacks.filter(({ isOnlyEscalation }) => isOnlyEscalation !== true);
  return agent === undefined || (escalation !== undefined && others.length === 0)
    ? []
    : [agent, ...others.map((fallback) => fallback.agent)];
};

function checkAgents(resources: ResourceCheck, agents: readonly string[], path: SourcePath): void {
  const [only] = agents;
  if (only !== undefined && agents.length === 1) return checkAgent(resources, only, path);
  agents.forEach((agent, place) => checkAgent(resources, agent, [...path, place]));
}

function checkAgent({ agents, names, report }: ResourceCheck, agent: string, path: SourcePath): void {
  if (agents.has(agent)) return;
  const meant = names.nearestOf(agent, [...agents]);
  report({
    code: 'unknown-agent',
    path,
    message: `There is no agent \`${agent}\`.`,
    hint:
      meant === undefined
        ? `Add it to agents:, or name one of ${quotedList([...agents], 'them once there are some')}.`
        : `Did you mean \`${meant}\`?`,
  });
}

function checkPools(resources: ResourceCheck, step: Step, source: SourcePath): void {
  const ofAgent =
    step.type === 'prompt' && step.agent !== undefined ? resources.poolOfAgent.get(step.agent) : undefined;
  for (const demand of step.pools) {
    // The pool of an agent is checked once, at the agent.
    if (demand.pool === ofAgent && !resources.pools.has(demand.pool)) continue;
    checkDemand(resources, demand, { who: `Step \`${step.id}\` takes`, path: [...source, 'pools', demand.pool] });
  }
}

function checkDemand(
  resources: ResourceCheck,
  { pool, tokens }: PoolDemand,
  { who, path }: { readonly who: string; readonly path: SourcePath },
): void {
  const size = resources.pools.get(pool);
  if (size === undefined) return reportUnknownPool(resources, pool, path);
  if (tokens <= size) return;
  resources.report({
    code: 'pool-demand',
    path,
    message: `${who} ${tokens} of \`${pool}\`, which has ${size}.`,
    hint: `Take at most ${size}, or make the pool larger under pools:.`,
  });
}

function reportUnknownPool({ pools, names, report }: ResourceCheck, pool: string, path: SourcePath): void {
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

const INSTEAD =
  'Use claude, or acp with a program that speaks it, such as { use: acp, command: gemini }; or write permissions: allow.';

export function checkPermissions({ permissions, agents }: Plan, report: ReportFinding): void {
  const { policy, allow } = permissions;
  if (policy === 'allow') {
    // Tools of MCP servers are named for the program itself, which would otherwise ask about each.
    if (allow.some((entry) => !entry.startsWith('mcp__'))) reportUnused(report);
    return;
  }
  for (const agent of agents) {
    if (ADAPTERS_WITHOUT_PERMISSIONS.includes(agent.use)) reportUnkept(agent, report);
    else if (policy === 'gate' && !ADAPTERS_THAT_ASK.includes(agent.use)) reportUnasked(agent, report);
  }
}

const reportUnkept = ({ name, use }: Agent, report: ReportFinding): void =>
  report({
    code: 'permissions-unkept',
    path: ['agents', name],
    message: `\`${name}\` uses ${use}, which does what it likes without asking, so its turns are refused.`,
    hint: INSTEAD,
  });

const reportUnasked = ({ name, use }: Agent, report: ReportFinding): void =>
  report({
    code: 'permissions-unasked',
    severity: 'warning',
    path: ['agents', name],
    message: `\`${name}\` uses ${use}, which cannot ask while it works: what it may not do is refused without asking.`,
    hint: INSTEAD,
  });

const reportUnused = (report: ReportFinding): void =>
  report({
    code: 'permissions-unused',
    severity: 'warning',
    path: ['permissions', 'allow'],
    message: 'The policy is allow, so nothing is asked about and the list grants nothing.',
    hint: 'Write policy: deny or policy: gate, or take the list out.',
  });

export function checkHolds(index: PlanIndex, report: ReportFinding): void {
  const holding = index.tasks.flatMap((at) => (at.task.type === 'work' && at.task.hold.length > 0 ? [at.task] : []));
  if (holding.length === 0) return;
  const held = new Set(holding.flatMap(({ hold }) => hold.map(({ pool }) => pool)));
  /** Pools that a task takes while it holds the key. */
  const next = new Map<string, Set<string>>();
  for (const at of index.tasks) {
    const { task } = at;
    if (task.type !== 'work' || task.hold.length === 0) continue;
    reportSmall({ index, at, task, report });
    const taken = takenBesides(task).filter((pool) => held.has(pool));
    for (const { pool } of task.hold) {
      const further = next.get(pool) ?? new Set();
      for (const other of taken) further.add(other);
      next.set(pool, further);
      const cycle = taken.map((other) => wayTo(next, other, pool)).find((way) => way !== undefined);
      if (cycle === undefined) continue;
      return report({
        code: 'hold-cycle',
        path: [...sourceOf(index, at), 'hold'],
        message: `\`${task.path}\` holds \`${pool}\` while its steps take \`${cycle[0]}\`, and tasks that hold ${cycle.map((each) => `\`${each}\``).join(', then ')} take \`${pool}\`: they could wait for each other without end.`,
        hint: `Let \`${task.path}\` hold \`${cycle[0]}\` too, so that it opens with all that it takes.`,
      });
    }
  }
}

interface HoldCheck {
  readonly index: PlanIndex;
  readonly at: IndexedTask;
  readonly task: WorkTask;
  readonly report: ReportFinding;
}

/** While it waited for the rest of a pool, a task would keep its part from others, and they theirs from the task. */
function reportSmall({ index, at, task, report }: HoldCheck): void {
  for (const { pool, tokens } of task.hold) {
    const step = task.steps.find((each) =>
      demandsOf(each).some((other) => other.pool === pool && other.tokens > tokens),
    );
    if (step === undefined) continue;
    report({
      code: 'hold-too-small',
      path: [...sourceOf(index, at), 'hold', pool],
      message: `\`${task.path}\` holds ${tokens} of \`${pool}\`, and its step \`${step.id}\` takes more.`,
      hint: 'Hold as many as the largest of its steps takes.',
    });
  }
}

/** Pools that its steps take and that it does not hold. */
function takenBesides({ steps, hold }: WorkTask): readonly string[] {
  const own = new Set(hold.map(({ pool }) => pool));
  const taken = steps.flatMap((step) => demandsOf(step).map(({ pool }) => pool));
  return [...new Set(taken)].filter((pool) => !own.has(pool));
}

const demandsOf = (step: Step): readonly PoolDemand[] =>
  step.type === 'prompt' ? [...step.pools, ...step.fallbacks.flatMap(({ pools }) => pools)] : step.pools;

/** Pools from one to the other along waits, the last one left out; undefined when there is no way. */
function wayTo(
  next: ReadonlyMap<string, ReadonlySet<string>>,
  from: string,
  to: string,
): readonly string[] | undefined {
  const before = new Map<string, string | undefined>([[from, undefined]]);
  for (const pool of before.keys()) {
    for (const other of next.get(pool) ?? []) {
      if (other === to) return pathFrom(before, pool);
      if (!before.has(other)) before.set(other, pool);
    }
  }
  return undefined;
}

function pathFrom(before: ReadonlyMap<string, string | undefined>, end: string): readonly string[] {
  const way: string[] = [];
  for (let at: string | undefined = end; at !== undefined; at = before.get(at)) way.unshift(at);
  return way;
}
