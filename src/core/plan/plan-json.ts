// The JSON form of a plan, as stored in the log, so that a run can be read without the parser of plan files.
//
// plan-json/P1. `planField` reads the result of `writePlan`, also through JSON text, as an equal value.
// plan-json/P2. A value that is not exactly a plan of this format is refused; no default is filled in.
import { json, listOf, maybe, number, object, oneOf, text, truth, variants, WRONG, isObject } from './json-fields.ts';
import type { Growth } from './growth.ts';
import type { Field, Fields } from './json-fields.ts';
import type { AtCeiling, Budget, Ceilings } from './budget.ts';
import type {
  Agent,
  AgentVariable,
  Fallback,
  FailureMode,
  ForEachTask,
  Input,
  ItemOfCopy,
  JsonSchema,
  MergeSettings,
  TakeRule,
  Need,
  Plan,
  Pool,
  PoolDemand,
  Repeat,
  SandboxPlan,
  SandboxLimits,
  Settings,
  Step,
  Task,
} from './plan.ts';
import type { Permissions, Questions } from './policies.ts';
import type { Notify, NotifyTrigger } from './notify.ts';
import type { ResultRule, StepRule } from './result-rule.ts';
import type { Telemetry, TelemetryHeader } from './telemetry.ts';

/** The version of the format. A change that breaks earlier plans raises it. */
const PLAN_FORMAT = 1;

export interface PlanJson extends Plan {
  readonly format: typeof PLAN_FORMAT;
}

export const writePlan = (plan: Plan): PlanJson => ({ format: PLAN_FORMAT, ...plan });

const texts = listOf(text);
const budget = object<Budget>({ usd: maybe(number), tokens: maybe(number) });
const ceilings = object<Ceilings>({
  usd: maybe(number),
  tokens: maybe(number),
  atCeiling: oneOf<AtCeiling>({ finish: true, stop: true }),
});
const failureMode = oneOf<FailureMode>({ continue_on_error: true, fail_fast: true });
/** A schema is any object that the user wrote. */
export const schemaField: Field<JsonSchema> = (value) => (isObject(value) ? value : WRONG);

export const takeRulesField = listOf(
  object<TakeRule>({ files: text, side: oneOf({ task: true, run: true, union: true }) }),
);

const merge = object<MergeSettings>({
  order: oneOf({ completion: true, plan: true }),
  strategy: oneOf({ per_run: true, per_task: true }),
  commits: oneOf({ task: true, step: true }),
  auto: oneOf({ auto: true, confirm: true, manual: true }),
  check: maybe(text),
  onConflict: oneOf({ agent: true, stop: true }),
  conflictAttemptsMax: number,
  take: takeRulesField,
});

const settings = object<Settings>({
  failureMode,
  attemptsMax: number,
  timeoutMs: number,
  idleTimeoutMs: number,
  agent: maybe(text),
  fallbacks: texts,
  merge,
});

export const agentField = object<Agent>({
  name: text,
  use: text,
  model: maybe(text),
  pool: maybe(text),
  args: texts,
  command: maybe(text),
  env: listOf(object<AgentVariable>({ name: text, value: maybe(text) })),
  reserve: budget,
  on: maybe(texts),
});

const networkWord = oneOf({ all: true, none: true });
const network: Field<Exclude<SandboxPlan['network'], undefined>> = (value) =>
  Array.isArray(value) ? texts(value) : networkWord(value);

export const sandboxField = object<SandboxPlan>({
  include: texts,
  setup: maybe(text),
  link: texts,
  ports: number,
  tree: oneOf({ auto: true, overlay: true, snapshot: true, checkout: true, none: true }),
  isolation: oneOf({ auto: true, os: true, none: true }),
  network: maybe(network),
  limits: object<SandboxLimits>({ disk: number, memory: maybe(number), processes: number }),
});

const questions = object<Questions>({ policy: oneOf({ gate: true, deny: true }), timeoutMs: number, allow: texts });
const permissions = object<Permissions>({
  policy: oneOf({ allow: true, deny: true, gate: true }),
  timeoutMs: number,
  allow: texts,
});

const notifyTrigger = oneOf<NotifyTrigger>({
  approval: true,
  question: true,
  conflict: true,
  quota: true,
  budget: true,
  breaker: true,
  done: true,
  failed: true,
  stopped: true,
});
const notify = object<Notify>({
  on: listOf(notifyTrigger),
  bell: truth,
  desktop: truth,
  webhook: maybe(text),
  command: maybe(text),
});

const telemetry = object<Telemetry>({
  isOff: truth,
  endpoint: maybe(text),
  headers: listOf(object<TelemetryHeader>({ name: text, value: text })),
  service: maybe(text),
  content: truth,
  agents: truth,
});

const input = object<Input>({
  name: text,
  type: oneOf({ string: true, number: true, boolean: true, list: true, object: true, any: true }),
  value: maybe(json),
  description: maybe(text),
});

const need = variants<Need>({
  all: { of: texts },
  any: { of: texts },
  at_least: { count: number, of: texts },
  race: { of: texts },
});

const pools = listOf(object<PoolDemand>({ pool: text, tokens: number }));
const rule = oneOf<StepRule>({ abort: true, continue: true, retry: true, gate: true });
const joinRule = oneOf({ fail_fast: true, wait_for_all: true });
const resultRules = listOf(object<ResultRule>({ when: text, rule }));

const ofStep = {
  id: text,
  async: truth,
  needs: texts,
  when: maybe(text),
  pools,
  attemptsMax: number,
  timeoutMs: number,
  idleTimeoutMs: number,
  estimateMs: maybe(number),
  reserve: budget,
  on: maybe(texts),
  output: maybe(schemaField),
  onResult: resultRules,
};

const isTrue: Field<true> = (value) => (value === true ? value : WRONG);
const fallback = object<Fallback>({ agent: text, pools, reserve: maybe(budget), isOnlyEscalation: maybe(isTrue) });

const step = variants<Step>({
  prompt: {
    ...ofStep,
    prompt: text,
    agent: maybe(text),
    fallbacks: listOf(fallback),
    escalation: maybe(texts),
    isReadOnly: maybe(isTrue),
    resume: oneOf({ continue: true, fork: true, fresh: true }),
    resumeTask: maybe(text),
    onError: rule,
  },
  run: { ...ofStep, run: text, onError: rule },
  join: { ...ofStep, onError: joinRule },
});

const item = variants<ItemOfCopy>({
  known: { name: text, value: json },
  later: { name: text, list: text, index: number },
});

const growth = object<Growth>({
  tasksMax: number,
  depthMax: number,
  confirm: oneOf({ gate: true, none: true }),
  agents: texts,
  pools: texts,
  files: texts,
});

const ofTask = {
  id: text,
  path: text,
  needs: need,
  when: maybe(text),
  settings,
  cap: maybe(number),
  budget: maybe(ceilings),
  estimateMs: maybe(number),
  output: maybe(schemaField),
  description: maybe(text),
  on: maybe(texts),
  item: maybe(item),
};

/** Tasks contain tasks, so the reader is declared before it is defined. */
const task: Field<Task> = (value) => anyTask(value);

const anyTask = variants<Task>({
  work: {
    ...ofTask,
    form: oneOf({ prompt: true, run: true, steps: true }),
    steps: listOf(step),
    repeat: maybe(object<Repeat>({ until: text, roundsMax: number, feedback: maybe(text) })),
    files: texts,
    check: maybe(text),
    retry: maybe(oneOf({ continue: true, clean: true })),
    hold: pools,
    drafts: maybe(growth),
  },
  subplan: { ...ofTask, tasks: listOf(task) },
  join: { ...ofTask, onError: joinRule, onResult: maybe(resultRules) },
  gate: { ...ofTask, question: text },
  for_each: {
    ...ofTask,
    list: variants<ForEachTask['list']>({ known: { items: listOf(json) }, later: { list: text } }),
    itemsMax: number,
    itemName: text,
    task,
  },
});

const ofThisFormat = object<Plan>({
  name: text,
  base: text,
  target: maybe(text),
  schedule: oneOf<Plan['schedule']>({ fastest: true, declared: true }),
  cap: number,
  hostsCap: maybe(number),
  settings,
  budget: maybe(ceilings),
  pools: listOf(object<Pool>({ name: text, size: number, whenCutOff: maybe(oneOf({ continue: true })) })),
  agents: listOf(agentField),
  sandbox: sandboxField,
  questions,
  permissions,
  notify,
  telemetry: maybe(telemetry),
  inputs: listOf(input),
  env: texts,
  tasks: listOf(task),
});

/** The tasks that a plan grows by. */
export interface Fragment {
  readonly tasks: readonly Task[];
}

export const writeFragment = ({ tasks }: Fragment): unknown => ({ format: PLAN_FORMAT, tasks });

const fragmentOfThisFormat = object<Fragment>({ tasks: listOf(task) });

/** Reads the result of `writeFragment`. */
export const fragmentField: Field<Fragment> = (value) => (isOfThisFormat(value) ? fragmentOfThisFormat(value) : WRONG);

/** Reads the result of `writePlan`. */
export const planField: Field<Plan> = (value) => (isOfThisFormat(value) ? ofThisFormat(value) : WRONG);

const isOfThisFormat = (value: unknown): value is Fields => isObject(value) && value['format'] === PLAN_FORMAT;

/** Whether two plans are written alike; the order of their fields does not matter. */
export const arePlansEqual = (one: Plan, other: Plan): boolean => inOrder(one) === inOrder(other);

/** The readers put fields into one order. */
const inOrder = (plan: Plan): string => JSON.stringify(ofThisFormat(plan));
