// Builds the whole plan from its declarations and the settings around it.

import { NOBODY } from '../language/notify-shape.ts';
import type { DeclaredInput, DeclaredPermissions, DeclaredPlan } from '../language/plan-shape.ts';
import { DEFAULT_LIMITS, type DeclaredSandbox } from '../language/sandbox-shape.ts';
import { ceilingsOf } from '../language/settings-shape.ts';
import type { Ceilings } from '../budget.ts';
import type { Input, Json, Plan, SandboxPlan } from '../plan.ts';
import type { Permissions, Questions } from '../policies.ts';
import type { KeptScope } from '../settings/explain-settings.ts';
import {
  DEFAULT_CAP,
  DEFAULT_ORIGIN,
  DEFAULT_SCOPE,
  lock,
  narrow,
  type SettingName,
  type SettingOrigin,
  type SettingsScope,
} from '../settings/settings-in-force.ts';
import type { OuterLayer } from '../settings/setting-layers.ts';
import { offsetOf, type SourceNode } from '../source/source-node.ts';
import { lineAt, type SourceReader } from '../source/source-reader.ts';
import { buildAgents } from './build-agents.ts';
import { buildTask } from './build-task.ts';
import { reportAtPath, type Building, type Schemas } from './building.ts';
import { collectPaths } from './collect-paths.ts';

interface PlanParts {
  readonly reading: SourceReader;
  readonly root: SourceNode;
  readonly declared: DeclaredPlan;
  readonly schemas: Schemas;
  /** The name of a plan without a `name`. */
  readonly fallbackName: string;
  /** Whether the origins of settings are kept; this costs memory for each task. */
  readonly keepsScopes: boolean;
  readonly commandLine: OuterLayer;
  readonly project: OuterLayer;
  readonly user: OuterLayer;
}

export interface Built {
  readonly plan: Plan;
  readonly kept: ReadonlyMap<string, KeptScope>;
}

/** Undefined when the plan exceeds a limit. */
export function buildPlan(given: PlanParts): Built | undefined {
  const { reading, root, declared } = given;
  const declaredTasks = declared.tasks ?? [];
  const { paths, withinLimits } = collectPaths(given, declaredTasks);
  if (!withinLimits) return undefined;
  const agents = buildAgents(given, declared, agentsOutside(given));
  const scope = planScope(given, agents[0]?.name);
  const building: Building = {
    reading,
    root,
    schemas: given.schemas,
    agents: new Map(agents.map((agent) => [agent.name, agent])),
    paths,
    kept: given.keepsScopes ? new Map() : undefined,
    orphans: [],
  };
  building.kept?.set('', { scope, ownOrigin: (setting) => ceilingOrigin(given, setting) });
  const tasks = declaredTasks.map(({ name, value }) =>
    buildTask(
      { building, id: name, path: name, container: '', sourcePath: ['tasks', name], scope, on: undefined },
      value,
    ),
  );
  reportOrphans(building);
  const plan: Plan = {
    name: declared.name ?? given.fallbackName,
    base: declared.base ?? 'HEAD',
    target: declared.target,
    schedule: declared.schedule ?? 'fastest',
    cap: nearestOf(given, ({ max_parallel: cap }) => cap) ?? DEFAULT_CAP,
    hostsCap: nearestOf(given, ({ hosts }) => hosts?.max_parallel),
    settings: scope.settings,
    budget: budgetOf(given),
    pools: (declared.pools ?? []).map(({ name, value }) => ({
      name,
      ...(value ?? { size: 1, whenCutOff: undefined }),
    })),
    agents,
    sandbox: sandboxOf(declared.sandbox),
    questions: {
      policy: declared.questions?.policy ?? DEFAULT_QUESTIONS.policy,
      timeoutMs: declared.questions?.timeout ?? DEFAULT_QUESTIONS.timeoutMs,
      allow: declared.questions?.allow ?? DEFAULT_QUESTIONS.allow,
    },
    permissions: permissionsOf(declared.permissions),
    notify: nearestOf(given, (each) => each.notify) ?? NOBODY,
    telemetry: nearestOf(given, (each) => each.telemetry),
    inputs: inputsOf(given, declared.inputs ?? []),
    env: declared.env ?? [],
    tasks,
  };
  return { plan, kept: building.kept ?? new Map() };
}

/** Long enough for a person to answer the next day. */
export const DEFAULT_QUESTIONS: Questions = { policy: 'gate', timeoutMs: 86_400_000, allow: [] };

export const DEFAULT_PERMISSIONS: Permissions = { policy: 'allow', timeoutMs: 86_400_000, allow: [] };

/** A list of allowed tools means that all others are not allowed. */
function permissionsOf(declared: DeclaredPermissions | undefined): Permissions {
  const { allow = DEFAULT_PERMISSIONS.allow, timeout = DEFAULT_PERMISSIONS.timeoutMs } = declared ?? {};
  const policy = declared?.policy ?? (allow.length > 0 ? 'deny' : DEFAULT_PERMISSIONS.policy);
  return { policy, timeoutMs: timeout, allow };
}

function agentsOutside(given: PlanParts): readonly string[] {
  return [given.commandLine, given.project, given.user].flatMap(({ declared }) => declared.agent ?? []);
}

function planScope(given: PlanParts, firstAgent: string | undefined): SettingsScope {
  const withUser = narrow(DEFAULT_SCOPE, given.user);
  const withProject = narrow(withUser, given.project);
  const withPlan = narrow(withProject, { declared: given.declared, originOf: (setting) => planOrigin(given, setting) });
  const scope = lock(withPlan, given.commandLine);
  // An agent named nowhere is the first one declared.
  return scope.settings.agent === undefined ? { ...scope, settings: { ...scope.settings, agent: firstAgent } } : scope;
}

function planOrigin(given: PlanParts, setting: SettingName): SettingOrigin {
  const line = lineAt(given.reading, offsetOf(given.root, setting.split('.')));
  return { layer: 'plan', task: undefined, file: given.reading.file, line };
}

type DeclaredLimits = Pick<DeclaredPlan, 'max_parallel' | 'hosts' | 'budget' | 'notify' | 'telemetry'>;

/** A limit of the whole run comes from the nearest layer that sets one. Limits of a subplan are its own and stay. */
function nearestOf<Value>(given: PlanParts, get: (declared: DeclaredLimits) => Value | undefined): Value | undefined {
  return (
    get(given.commandLine.declared) ?? get(given.declared) ?? get(given.project.declared) ?? get(given.user.declared)
  );
}

function budgetOf(given: PlanParts): Ceilings | undefined {
  return ceilingsOf({
    usd: nearestOf(given, ({ budget }) => budget?.usd),
    tokens: nearestOf(given, ({ budget }) => budget?.tokens),
    atCeiling: nearestOf(given, ({ budget }) => budget?.atCeiling),
  });
}

function ceilingOrigin(given: PlanParts, setting: SettingName): SettingOrigin {
  const says = (declared: DeclaredLimits) => ceilingOf(declared, setting) !== undefined;
  if (says(given.commandLine.declared)) return given.commandLine.originOf(setting);
  if (says(given.declared)) return planOrigin(given, setting);
  if (says(given.project.declared)) return given.project.originOf(setting);
  return says(given.user.declared) ? given.user.originOf(setting) : DEFAULT_ORIGIN;
}

function ceilingOf(declared: DeclaredLimits, setting: SettingName): unknown {
  if (setting === 'budget.usd') return declared.budget?.usd;
  if (setting === 'budget.tokens') return declared.budget?.tokens;
  if (setting === 'budget.at_ceiling') return declared.budget?.atCeiling;
  if (setting === 'hosts.max_parallel') return declared.hosts?.max_parallel;
  if (setting === 'telemetry') return declared.telemetry;
  return setting === 'notify' ? declared.notify : declared.max_parallel;
}

function reportOrphans(building: Building): void {
  const [first] = building.orphans;
  if (first === undefined) return;
  const count = building.orphans.length;
  reportAtPath(building, first, {
    code: 'no-agent',
    message:
      count === 1
        ? 'No agent is named for this prompt.'
        : `No agent is named for this prompt, nor for ${count - 1} more.`,
    hint: 'Add agent: claude (or codex, gemini, …) to the plan, or declare agents; the first of them is the default.',
  });
}

function sandboxOf(declared: DeclaredSandbox | undefined): SandboxPlan {
  return {
    include: declared?.include ?? [],
    setup: declared?.setup,
    link: declared?.link ?? [],
    ports: declared?.ports ?? 0,
    tree: declared?.tree ?? 'auto',
    isolation: declared?.isolation ?? 'auto',
    network: declared?.network,
    limits: {
      disk: declared?.limits?.disk ?? DEFAULT_LIMITS.disk,
      memory: declared?.limits?.memory,
      processes: declared?.limits?.processes ?? DEFAULT_LIMITS.processes,
    },
  };
}

function inputsOf(
  given: PlanParts,
  inputs: readonly { name: string; value: DeclaredInput | undefined }[],
): readonly Input[] {
  return inputs.map(({ name, value }) => buildInput(given, name, value));
}

interface InputSource {
  readonly reading: SourceReader;
  readonly root: SourceNode;
}

/** An input of the plan: `branch: main`, or `{ type, default, description, required }`. */
function buildInput(place: InputSource, name: string, declared: DeclaredInput | undefined): Input {
  if (declared === undefined) return { name, type: 'any', value: undefined, description: undefined };
  if (declared.type === 'value') {
    // `branch:` with nothing after it asks the caller for a value.
    const value = declared.value === null ? undefined : declared.value;
    return { name, type: typeOf(value), value, description: undefined };
  }
  const { type, default: value, description, required } = declared.given;
  checkDefault({ place, name, type, value, required });
  const otherwise = required === false ? null : undefined;
  return { name, type: type ?? typeOf(value), value: value === undefined ? otherwise : value, description };
}

function checkDefault(given: {
  readonly place: InputSource;
  readonly name: string;
  readonly type: Input['type'] | undefined;
  readonly value: Json | undefined;
  readonly required: boolean | undefined;
}): void {
  const { place, name, type, value, required } = given;
  if (value === undefined) return;
  if (required === true) {
    reportAtPath(place, ['inputs', name, 'required'], {
      code: 'invalid-value',
      message: `The input ${name} is required and has a default, which would never be used.`,
      hint: 'Delete required or default.',
    });
  }
  const found = typeOf(value);
  if (type === undefined || type === 'any' || found === 'any' || found === type) return;
  reportAtPath(place, ['inputs', name, 'default'], {
    code: 'wrong-type',
    message: `The default of the input ${name} must be a ${type}, and it is a ${found}.`,
    hint: `Write a ${type}, or type: ${found}.`,
  });
}

function typeOf(value: Json | undefined): Input['type'] {
  if (value === undefined || value === null) return 'any';
  if (Array.isArray(value)) return 'list';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}
