// The effective settings of a plan, subplan or task, and where each came from.
//
// settings-in-force/C1. Nearest first: command line, task, enclosing subplan, plan, project file, user file, default.
// settings-in-force/C2. A scope that declares nothing is the very scope around it, so a plan of many tasks holds few of
//   them.
import type { DeclaredSettings } from '../language/settings-shape.ts';
import type { Settings } from '../plan.ts';

export type SettingName =
  | 'max_parallel'
  | 'hosts.max_parallel'
  | 'budget.usd'
  | 'budget.tokens'
  | 'budget.at_ceiling'
  | 'notify'
  | 'telemetry'
  | 'failure_mode'
  | 'attempts'
  | 'timeout'
  | 'idle_timeout'
  | 'agent'
  | 'merge.order'
  | 'merge.strategy'
  | 'merge.auto'
  | 'merge.check'
  | 'merge.on_conflict'
  | 'merge.conflict_attempts'
  | 'merge.commits'
  | 'merge.take';

export type LayerName = 'command line' | 'task' | 'subplan' | 'plan' | 'project file' | 'user file' | 'default';

export interface SettingOrigin {
  readonly layer: LayerName;
  /** The task or subplan that sets it, by its dotted path. */
  readonly task: string | undefined;
  readonly file: string | undefined;
  readonly line: number | undefined;
}

/** One line of `heddle config --explain`. */
export interface EffectiveSetting {
  /** Dotted path of the task; empty for the plan itself. */
  readonly task: string;
  readonly setting: SettingName;
  /** The value in plan notation; undefined when nothing is set. */
  readonly value: string | undefined;
  readonly origin: SettingOrigin;
}

export const DEFAULT_ORIGIN: SettingOrigin = { layer: 'default', task: undefined, file: undefined, line: undefined };

type Origins = ReadonlyMap<SettingName, SettingOrigin>;

export interface SettingsScope {
  readonly settings: Settings;
  readonly origins: Origins;
  /** Settings from the command line; no inner scope may change them. */
  readonly locked: ReadonlySet<SettingName>;
}

/** The settings of one layer, and how to find their positions. */
interface Layer {
  readonly declared: Omit<DeclaredSettings, 'max_parallel' | 'hosts' | 'budget' | 'notify' | 'telemetry'>;
  readonly originOf: (setting: SettingName) => SettingOrigin;
}

export const DEFAULT_CAP = 4;

export const DEFAULT_SCOPE: SettingsScope = {
  settings: {
    failureMode: 'continue_on_error',
    attemptsMax: 2,
    timeoutMs: 45 * 60_000,
    idleTimeoutMs: 10 * 60_000,
    agent: undefined,
    fallbacks: [],
    merge: {
      order: 'completion',
      strategy: 'per_run',
      auto: 'confirm',
      check: undefined,
      onConflict: 'agent',
      conflictAttemptsMax: 2,
      commits: 'task',
      take: [],
    },
  },
  origins: new Map(),
  locked: new Set(),
};

export function originIn(scope: SettingsScope, setting: SettingName): SettingOrigin {
  return scope.origins.get(setting) ?? DEFAULT_ORIGIN;
}

/** The scope inside a layer. */
export function narrow(scope: SettingsScope, layer: Layer): SettingsScope {
  const { declared } = layer;
  if (!declaresAnything(declared)) return scope;
  const { settings: outer } = scope;
  const origins = new Map(scope.origins);
  const pick = <Value>(setting: SettingName, value: Value | undefined, inherited: Value): Value => {
    if (value === undefined || scope.locked.has(setting)) return inherited;
    origins.set(setting, layer.originOf(setting));
    return value;
  };
  const { merge } = declared;
  const around = outer.agent === undefined ? [] : [outer.agent, ...outer.fallbacks];
  const [agent, ...fallbacks] = pick('agent', declared.agent, around);
  const settings: Settings = {
    failureMode: pick('failure_mode', declared.failure_mode, outer.failureMode),
    attemptsMax: pick('attempts', declared.attempts, outer.attemptsMax),
    timeoutMs: pick('timeout', declared.timeout, outer.timeoutMs),
    idleTimeoutMs: pick('idle_timeout', declared.idle_timeout, outer.idleTimeoutMs),
    agent,
    fallbacks,
    merge: {
      order: pick('merge.order', merge?.order, outer.merge.order),
      strategy: pick('merge.strategy', merge?.strategy, outer.merge.strategy),
      auto: pick('merge.auto', merge?.auto, outer.merge.auto),
      check: pick('merge.check', merge?.check, outer.merge.check),
      onConflict: pick('merge.on_conflict', merge?.on_conflict, outer.merge.onConflict),
      conflictAttemptsMax: pick('merge.conflict_attempts', merge?.conflict_attempts, outer.merge.conflictAttemptsMax),
      commits: pick('merge.commits', merge?.commits, outer.merge.commits),
      take: pick('merge.take', merge?.take, outer.merge.take),
    },
  };
  return { settings, origins, locked: scope.locked };
}

/** No inner scope may change the settings of this layer. */
export function lock(scope: SettingsScope, layer: Layer): SettingsScope {
  const narrowed = narrow(scope, layer);
  const said = [...narrowed.origins.keys()].filter(
    (setting) => narrowed.origins.get(setting) !== scope.origins.get(setting),
  );
  return { ...narrowed, locked: new Set(said) };
}

function declaresAnything(declared: Layer['declared']): boolean {
  return (
    declared.failure_mode !== undefined ||
    declared.attempts !== undefined ||
    declared.timeout !== undefined ||
    declared.idle_timeout !== undefined ||
    declared.agent !== undefined ||
    declared.merge !== undefined
  );
}
