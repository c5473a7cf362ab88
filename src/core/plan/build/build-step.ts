// A declared step with every setting resolved.
// In output schemas `{ $ref: schemas/review.json }` is replaced by the file that the caller read.

import { DEFAULT_RESERVE } from './build-agents.ts';
import { defaultResume, reportAtPath, resolveName, type Building, type PromptTurn } from './building.ts';
import type { SourcePath } from '../diagnostic.ts';
import { joinLabels } from '../host-labels.ts';
import type { DeclaredStep } from '../language/step-shape.ts';
import type { DeclaredTask } from '../language/task-shape.ts';
import type { Budget } from '../budget.ts';
import type { Agent, Fallback, JsonSchema, PoolDemand, PromptStep, Step } from '../plan.ts';
import type { ResultRule, StepRule } from '../result-rule.ts';
import type { SettingsScope } from '../settings/settings-in-force.ts';

/** The keys for the work of a step; a single-step task has them too. */
type DeclaredWork = Pick<
  DeclaredStep,
  | 'prompt'
  | 'run'
  | 'read_only'
  | 'pool'
  | 'pools'
  | 'reserve'
  | 'output'
  | 'resume'
  | 'on_error'
  | 'on_result'
  | 'estimate'
> &
  Partial<
    Pick<
      DeclaredStep,
      'async' | 'needs' | 'when' | 'agent' | 'attempts' | 'timeout' | 'idle_timeout' | 'escalate' | 'on'
    >
  >;

interface StepPlace {
  readonly building: Building;
  readonly id: string;
  readonly kind: 'prompt' | 'run' | 'action';
  readonly declared: DeclaredWork;
  /** The task around the step, for the pools and the reserve that it passes to its steps. */
  readonly task: DeclaredTask;
  readonly scope: SettingsScope;
  /** Labels that the task asks of hosts. */
  readonly on: readonly string[] | undefined;
  readonly sourcePath: SourcePath;
  /** Path of the subplan around the task; empty at the root. */
  readonly container: string;
  readonly before: PromptTurn | undefined;
}

/** The empty list, shared by all steps of a large plan. */
const NONE: readonly never[] = [];
const NOTHING_RESERVED: Budget = { usd: 0, tokens: 0 };

export function buildStep(place: StepPlace): Step {
  switch (place.kind) {
    case 'prompt':
      return buildPrompt(place);
    case 'run':
      return {
        type: 'run',
        run: place.declared.run ?? '',
        onError: ruleOf(place.declared),
        ...baseOf(place),
        pools: demandOf(place, undefined),
        reserve: reserveOf(place.declared, undefined, NOTHING_RESERVED),
      };
    case 'action':
      return {
        type: 'join',
        onError: place.declared.on_error === 'wait_for_all' ? 'wait_for_all' : 'fail_fast',
        ...baseOf(place),
        pools: [],
        reserve: reserveOf(place.declared, undefined, NOTHING_RESERVED),
      };
  }
}

function buildPrompt(place: StepPlace): PromptStep {
  const { building, declared, task, before } = place;
  const base = baseOf(place);
  const escalation = escalationOf(place);
  if (escalation !== undefined) reportEscalation(place, escalation);
  const [name] = agentsOf(place);
  const agent = name === undefined ? undefined : building.agents.get(name);
  if (name === undefined) building.orphans.push(place.sourcePath);
  return {
    type: 'prompt',
    prompt: declared.prompt ?? '',
    agent: name,
    fallbacks: fallbacksOf(place, escalation ?? NONE),
    escalation,
    isReadOnly: declared.read_only === true ? true : undefined,
    resume: resumeOf(declared) ?? defaultResume({ agent: name, async: base.async }, before),
    resumeTask: resumeTaskOf(place),
    onError: ruleOf(declared),
    ...base,
    pools: demandOf(place, agent),
    reserve: reserveOf(declared, task, agent?.reserve ?? DEFAULT_RESERVE),
  };
}

/** The fields that steps of every kind share. */
function baseOf(place: StepPlace) {
  const { building, declared, scope, sourcePath } = place;
  const { settings, locked } = scope;
  return {
    id: place.id,
    async: declared.async ?? false,
    needs: declared.needs ?? NONE,
    when: declared.when,
    attemptsMax: (locked.has('attempts') ? undefined : declared.attempts) ?? settings.attemptsMax,
    timeoutMs: (locked.has('timeout') ? undefined : declared.timeout) ?? settings.timeoutMs,
    idleTimeoutMs: (locked.has('idle_timeout') ? undefined : declared.idle_timeout) ?? settings.idleTimeoutMs,
    estimateMs: declared.estimate,
    on: joinLabels(place.on, declared.on),
    output: buildOutput(building, declared.output, sourcePath),
    onResult: resultRulesOf(declared),
  };
}

export const resultRulesOf = ({ on_result }: Pick<DeclaredWork, 'on_result'>): readonly ResultRule[] =>
  (on_result ?? NONE).map((rule) => ({ when: rule.if ?? 'false', rule: rule.do ?? 'abort' }));

type AgentPlace = Pick<StepPlace, 'declared' | 'scope' | 'task'>;

export const agentNamed = (place: AgentPlace): string | undefined => agentsOf(place)[0];

/** In order of preference. Of agents that escalate only the first has fallbacks, where the plan names them with it. */
function agentsOf(place: AgentPlace): readonly string[] {
  const named = namedAgents(place);
  const [first] = escalationOf(place) ?? NONE;
  return first === undefined || named[0] === first ? named : [first];
}

function namedAgents({ declared, scope }: AgentPlace): readonly string[] {
  const { settings, locked } = scope;
  const around = settings.agent === undefined ? [] : [settings.agent, ...settings.fallbacks];
  return (locked.has('agent') ? undefined : declared.agent) ?? around;
}

/** The agents of the attempts; those of the task hold for its steps that name no agent themselves. */
function escalationOf({ declared, scope, task }: AgentPlace): readonly string[] | undefined {
  if (scope.locked.has('agent')) return undefined;
  const agents = declared.escalate ?? (declared.agent === undefined ? task.escalate : undefined);
  return agents === undefined || agents.length < 2 ? undefined : [...new Set(agents)];
}

function reportEscalation(place: StepPlace, agents: readonly string[]): void {
  const { building, declared, task, sourcePath } = place;
  const written = declared.escalate ?? task.escalate ?? NONE;
  const beside = declared.escalate === undefined || declared.agent === undefined ? task.agent : declared.agent;
  const path = [...sourcePath, 'escalate'];
  if (agents.length < written.length)
    reportAtPath(building, path, {
      code: 'invalid-value',
      message: 'escalate names an agent twice.',
      hint: 'Name each agent once, the first attempt first; attempts says how often the last one tries.',
    });
  if (beside !== undefined && beside[0] !== agents[0])
    reportAtPath(building, path, {
      code: 'invalid-value',
      message: `escalate begins with \`${agents[0]}\`, and agent with \`${beside[0]}\`.`,
      hint: 'Begin both with the same agent, or delete agent.',
    });
}

/** First those that take over when the agent cannot, then those that only `escalate` names. */
function fallbacksOf(place: StepPlace, escalation: readonly string[]): readonly Fallback[] {
  const { building, declared, task } = place;
  const [name, ...others] = agentsOf(place);
  if (others.length === 0 && escalation.length === 0) return NONE;
  const ownReserve = (name === undefined ? undefined : building.agents.get(name)?.reserve) ?? DEFAULT_RESERVE;
  const reserve = reserveOf(declared, task, ownReserve);
  // In the order of the first agent's pools, which is the order in which they are printed.
  const first = demandOf(place, name === undefined ? undefined : building.agents.get(name)).map(({ pool }) => pool);
  const rankOf = ({ pool }: PoolDemand): number => (first.includes(pool) ? first.indexOf(pool) : first.length);
  const only = escalation.filter((other) => other !== name && !others.includes(other));
  return [...others, ...only].map((other): Fallback => {
    const agent = building.agents.get(other);
    return {
      agent: other,
      pools: demandOf(place, agent).toSorted((one, another) => rankOf(one) - rankOf(another)),
      reserve: escalation.includes(other) ? largerOf(reserve, agent?.reserve ?? DEFAULT_RESERVE) : undefined,
      isOnlyEscalation: only.includes(other) ? true : undefined,
    };
  });
}

function resumeOf({ resume }: DeclaredWork): PromptStep['resume'] | undefined {
  if (resume === undefined) return undefined;
  if (typeof resume === 'object') return resume.fork === undefined ? 'continue' : 'fork';
  if (resume === 'fork') return 'fork';
  return resume ? 'continue' : 'fresh';
}

function resumeTaskOf({ declared, building, container }: StepPlace): string | undefined {
  const { resume } = declared;
  const named = typeof resume === 'object' ? (resume.from ?? resume.fork) : undefined;
  return named === undefined ? undefined : resolveName(named.slice('tasks.'.length), container, building.paths);
}

function ruleOf(declared: DeclaredWork): StepRule {
  const rule = declared.on_error;
  return rule === undefined || rule === 'fail_fast' || rule === 'wait_for_all' ? 'abort' : rule;
}

/** A stronger agent needs no less than the agent before it. */
const largerOf = (one: Budget, other: Budget): Budget => ({
  usd: Math.max(one.usd ?? 0, other.usd ?? 0),
  tokens: Math.max(one.tokens ?? 0, other.tokens ?? 0),
});

/** Nearest wins, part by part. */
function reserveOf(declared: DeclaredWork, task: DeclaredTask | undefined, otherwise: Budget): Budget {
  if (declared.reserve === undefined && task?.reserve === undefined) return otherwise;
  return {
    usd: declared.reserve?.usd ?? task?.reserve?.usd ?? otherwise.usd,
    tokens: declared.reserve?.tokens ?? task?.reserve?.tokens ?? otherwise.tokens,
  };
}

/** The agent's pool, the task's and the step's own; of one pool the larger demand. */
function demandOf(place: StepPlace, agent: Agent | undefined): readonly PoolDemand[] {
  const { declared, task } = place;
  const own = agent?.pool === undefined ? [] : [{ pool: agent.pool, tokens: 1 }];
  if ((task.pool ?? task.pools ?? declared.pool ?? declared.pools) === undefined) return own;
  const tokens = new Map<string, number>();
  const sources = [own, task.pool ?? [], task.pools ?? [], declared.pool ?? [], declared.pools ?? []];
  for (const demand of sources.flat()) {
    tokens.set(demand.pool, Math.max(tokens.get(demand.pool) ?? 0, demand.tokens));
  }
  return [...tokens].map(([pool, held]) => ({ pool, tokens: held }));
}

/** The file that a schema refers to; undefined when it is a schema itself. */
function refOf(schema: JsonSchema): string | undefined {
  const ref = Object.hasOwn(schema, '$ref') ? schema['$ref'] : undefined;
  return typeof ref === 'string' && !ref.startsWith('#') && Object.keys(schema).length === 1 ? ref : undefined;
}

export function buildOutput(
  building: Building,
  schema: JsonSchema | undefined,
  path: SourcePath,
): JsonSchema | undefined {
  const ref = schema === undefined ? undefined : refOf(schema);
  if (ref === undefined || !building.schemas.has(ref)) return schema;
  const read = building.schemas.get(ref);
  if (isSchema(read)) return read;
  reportAtPath(building, [...path, 'output'], {
    code: 'unreadable-schema',
    message: `The schema ${JSON.stringify(ref)} cannot be read as a JSON object.`,
    hint: 'Check the path, which starts at the folder of the plan, and that the file holds a JSON Schema.',
  });
  return undefined;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
