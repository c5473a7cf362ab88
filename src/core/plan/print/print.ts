// The effective plan as text that parses to an equal plan, whatever the settings files contain.
//
// Limit: a plan cannot express that it has no merge check, so a settings file with one adds it. When that matters,
// allow `check: none`.

import { DEFAULT_RESERVE } from '../build/build-agents.ts';
import { DEFAULT_PERMISSIONS, DEFAULT_QUESTIONS } from '../build/build-plan.ts';
import { DEFAULT_LIMITS } from '../language/sandbox-shape.ts';
import { NOTIFY_TRIGGERS } from '../language/notify-shape.ts';
import type { Agent, Input, Plan, Pool, SandboxPlan, Task } from '../plan.ts';
import type { Permissions, Questions } from '../policies.ts';
import type { Notify } from '../notify.ts';
import { printBudget, printLabels } from './print-step.ts';
import { printSettings, printTasks } from './print-task.ts';
import { fromJson, map, shortList, shortMap, writeYaml } from './yaml.ts';
import type { Yaml, YamlEntry } from './yaml.ts';
import { showCount, showDuration } from '../language/literals.ts';

/** Prints a plan as a file in its usual form; parsing that gives an equal plan. */
export function printPlan(plan: Plan): string {
  const agents = new Map(plan.agents.map((agent) => [agent.name, agent]));
  const around = { agents, paths: pathsOf(plan.tasks), settings: plan.settings, on: undefined, container: '' };
  return writeYaml(
    map(
      ['heddle', 1],
      ['name', plan.name],
      ['base', plan.base],
      ['target', plan.target],
      ['schedule', plan.schedule === 'fastest' ? undefined : plan.schedule],
      ['max_parallel', plan.cap],
      ['hosts', plan.hostsCap === undefined ? undefined : shortMap(['max_parallel', plan.hostsCap])],
      // Every setting of the plan is written, so that no settings file can change the printed plan.
      ...printSettings(plan.settings, undefined),
      ['budget', printBudget(plan.budget)],
      ['pools', plan.pools.length === 0 ? undefined : map(...plan.pools.map(printPool))],
      ['agents', plan.agents.length === 0 ? undefined : map(...plan.agents.map(printAgent))],
      ['sandbox', printSandbox(plan.sandbox)],
      ['questions', printQuestions(plan.questions)],
      ['permissions', printPermissions(plan.permissions)],
      ['notify', printNotify(plan.notify)],
      ['telemetry', printTelemetry(plan.telemetry)],
      ['inputs', plan.inputs.length === 0 ? undefined : map(...plan.inputs.map(printInput))],
      ['env', plan.env.length === 0 ? undefined : shortList(plan.env)],
      ['tasks', printTasks(plan.tasks, around)],
    ),
  );
}

function pathsOf(tasks: readonly Task[]): ReadonlySet<string> {
  const paths = new Set<string>();
  const visit = (task: Task): void => {
    paths.add(task.path);
    if (task.type === 'subplan') task.tasks.forEach(visit);
    if (task.type === 'for_each') visit(task.task);
  };
  tasks.forEach(visit);
  return paths;
}

const printPool = ({ name, size, whenCutOff }: Pool): YamlEntry => [
  name,
  whenCutOff === undefined ? size : shortMap(['size', size], ['when_cut_off', whenCutOff]),
];

function printAgent(agent: Agent): YamlEntry {
  const { reserve } = agent;
  const isUsual = reserve.usd === DEFAULT_RESERVE.usd && reserve.tokens === DEFAULT_RESERVE.tokens;
  return [
    agent.name,
    shortMap(
      ['use', agent.use],
      ['model', agent.model],
      ['pool', agent.pool],
      ['args', agent.args.length === 0 ? undefined : shortList(agent.args)],
      ['command', agent.command],
      ['env', printEnv(agent.env)],
      ['reserve', isUsual ? undefined : printBudget(reserve)],
      ['on', printLabels(agent.on, undefined)],
    ),
  ];
}

/** The shortest form: names alone, unless one has a text. */
function printEnv(env: Agent['env']): Yaml | undefined {
  if (env.length === 0) return undefined;
  if (env.every(({ value }) => value === undefined)) return shortList(env.map(({ name }) => name));
  return shortMap(...env.map(({ name, value }): YamlEntry => [name, value ?? `\${${name}}`]));
}

function printSandbox(sandbox: SandboxPlan): Yaml | undefined {
  const entries: readonly YamlEntry[] = [
    ['include', sandbox.include.length === 0 ? undefined : shortList(sandbox.include)],
    ['setup', sandbox.setup],
    ['link', sandbox.link.length === 0 ? undefined : shortList(sandbox.link)],
    ['ports', sandbox.ports === 0 ? undefined : sandbox.ports],
    ['tree', sandbox.tree === 'auto' ? undefined : sandbox.tree],
    ['isolation', sandbox.isolation === 'auto' ? undefined : sandbox.isolation],
    ['network', printNetwork(sandbox.network)],
    ['limits', printLimits(sandbox.limits)],
  ];
  return entries.every(([, value]) => value === undefined) ? undefined : map(...entries);
}

function printQuestions({ policy, timeoutMs, allow }: Questions): Yaml | undefined {
  const entries: readonly YamlEntry[] = [
    ['policy', policy === DEFAULT_QUESTIONS.policy ? undefined : policy],
    ['timeout', timeoutMs === DEFAULT_QUESTIONS.timeoutMs ? undefined : showDuration(timeoutMs)],
    ['allow', allow.length === 0 ? undefined : shortList(allow)],
  ];
  return entries.every(([, value]) => value === undefined) ? undefined : shortMap(...entries);
}

function printPermissions({ policy, timeoutMs, allow }: Permissions): Yaml | undefined {
  const hasList = allow.length > 0;
  const entries: readonly YamlEntry[] = [
    ['policy', policy === DEFAULT_PERMISSIONS.policy && !hasList ? undefined : policy],
    ['timeout', timeoutMs === DEFAULT_PERMISSIONS.timeoutMs ? undefined : showDuration(timeoutMs)],
    ['allow', hasList ? shortList(allow) : undefined],
  ];
  return entries.every(([, value]) => value === undefined) ? undefined : shortMap(...entries);
}

function printNotify({ on, bell, desktop, webhook, command }: Notify): Yaml | undefined {
  if (!bell && !desktop && webhook === undefined && command === undefined) return undefined;
  return map(
    ['on', on.length === NOTIFY_TRIGGERS.length ? undefined : shortList(on)],
    ['bell', bell ? true : undefined],
    ['desktop', desktop ? true : undefined],
    ['webhook', webhook],
    ['command', command],
  );
}

function printTelemetry(telemetry: Plan['telemetry']): Yaml | undefined {
  if (telemetry === undefined) return undefined;
  const { isOff, endpoint, headers, content, agents } = telemetry;
  if (isOff) return 'none';
  return map(
    ['endpoint', endpoint],
    ['headers', headers.length === 0 ? undefined : map(...headers.map(({ name, value }): YamlEntry => [name, value]))],
    ['service', telemetry.service],
    ['content', content ? true : undefined],
    // Written even so: a map without keys would be read as nothing.
    ['agents', agents],
  );
}

function printNetwork(network: SandboxPlan['network']): Yaml | undefined {
  return network === undefined || typeof network === 'string' ? network : shortList(network);
}

function printLimits({ disk, memory, processes }: SandboxPlan['limits']): Yaml | undefined {
  const limits: readonly YamlEntry[] = [
    ['disk', disk === DEFAULT_LIMITS.disk ? undefined : showCount(disk)],
    ['memory', memory === undefined ? undefined : showCount(memory)],
    ['processes', processes === DEFAULT_LIMITS.processes ? undefined : processes],
  ];
  return limits.every(([, value]) => value === undefined) ? undefined : shortMap(...limits);
}

function printInput(input: Input): YamlEntry {
  const value = input.value === undefined ? undefined : fromJson(input.value);
  return [input.name, shortMap(['type', input.type], ['default', value], ['description', input.description])];
}
