// The origin of an effective setting, for `heddle config --explain`.

export type SettingName =
  | 'max_parallel'
  | 'budget.usd'
  | 'budget.tokens'
  | 'budget.at_ceiling'
  | 'notify'
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
