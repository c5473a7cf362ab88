// A plan as a TypeScript object: the keys of the plan file, as an author writes them. Names are checked in checked-names.ts.
import type { NotifyTrigger } from '../notify.ts';
import type { Json, JsonSchema } from '../plan.ts';

/** `45m`, `1h30m`, `90s`. */
type Duration = string;
/** `40`, `"12.50"`, `"$40"`. */
type Money = number | string;
/** `1000`, `"20M"`. */
type Count = number | string;
/** CEL; `true` and `false` are expressions too. */
type Condition = string | boolean;
type OneOrMore<Value> = Value | readonly Value[];

export interface AmountSpec {
  readonly usd?: Money;
  readonly tokens?: Count;
}

export interface MergeSpec {
  readonly order?: 'completion' | 'plan';
  readonly strategy?: 'per_run' | 'per_task';
  readonly auto?: 'auto' | 'confirm' | 'manual';
  readonly check?: string;
  readonly on_conflict?: 'agent' | 'stop';
  readonly conflict_attempts?: number;
  readonly commits?: 'task' | 'step';
  readonly take?: Readonly<Record<string, 'task' | 'run' | 'union'>>;
}

export interface SettingsSpec {
  readonly max_parallel?: number;
  readonly failure_mode?: 'continue_on_error' | 'fail_fast';
  readonly attempts?: number;
  readonly timeout?: Duration;
  readonly idle_timeout?: Duration;
  readonly budget?: AmountSpec & { readonly at_ceiling?: 'finish' | 'stop' };
  readonly agent?: OneOrMore<string>;
  readonly merge?: MergeSpec;
}

export interface AgentSpec {
  readonly use?: AdapterName;
  readonly model?: string;
  readonly pool?: string;
  readonly args?: readonly string[];
  readonly command?: string;
  readonly env?: readonly string[] | Readonly<Record<string, string>>;
  readonly reserve?: AmountSpec;
  readonly on?: OneOrMore<string>;
}

export type AdapterName = 'claude' | 'codex' | 'opencode' | 'gemini' | 'pi' | 'acp' | 'command' | 'module' | 'scripted';

export type NeedsSpec =
  | OneOrMore<string>
  | { readonly all: readonly string[] }
  | { readonly any: readonly string[] }
  | { readonly at_least: number; readonly of: readonly string[] }
  | { readonly race: readonly string[] };

type PoolsSpec = OneOrMore<string> | Readonly<Record<string, number>>;
type Rule = 'abort' | 'continue' | 'retry' | 'gate';
type JoinRule = 'fail_fast' | 'wait_for_all';

/** The keys that a step and a task of one step share. */
interface WorkSpec {
  readonly prompt?: string;
  readonly run?: string;
  readonly read_only?: boolean;
  readonly pool?: string;
  readonly pools?: PoolsSpec;
  readonly reserve?: AmountSpec;
  readonly output?: JsonSchema;
  readonly resume?: boolean | 'fork' | { readonly from: `tasks.${string}` } | { readonly fork: `tasks.${string}` };
  readonly on_error?: Rule | JoinRule;
  readonly on_result?: readonly { readonly if: Condition; readonly do: Rule }[];
  readonly when?: Condition;
  readonly estimate?: Duration;
  readonly escalate?: readonly string[];
  readonly on?: OneOrMore<string>;
}

/** A step of a task, with the keys of a plan file. */
export interface StepSpec extends WorkSpec {
  readonly id?: string;
  readonly action?: 'join';
  readonly agent?: OneOrMore<string>;
  readonly async?: boolean;
  readonly needs?: OneOrMore<string>;
  readonly attempts?: number;
  readonly timeout?: Duration;
  readonly idle_timeout?: Duration;
}

export interface ReviewSpec {
  readonly agent: OneOrMore<string>;
  readonly rounds?: number;
  readonly blocks?: readonly ('low' | 'medium' | 'high')[];
  readonly prompt?: string;
}

export interface ForEachSpec {
  readonly in: readonly Json[] | string;
  readonly max?: number;
  readonly as?: string;
  readonly task: TaskSpec;
}

/** A task, with the keys of a plan file. */
export interface TaskSpec extends WorkSpec, SettingsSpec {
  readonly steps?: readonly StepSpec[];
  readonly tasks?: Readonly<Record<string, TaskSpec>>;
  readonly join?: true | { readonly on_error?: JoinRule } | null;
  readonly gate?: string;
  readonly for_each?: ForEachSpec;
  readonly grow?: GrowSpec;
  readonly needs?: NeedsSpec;
  readonly description?: string;
  readonly files?: readonly string[];
  readonly check?: string;
  readonly hold?: PoolsSpec;
  readonly retry?: 'continue' | 'clean';
  readonly repeat?: { readonly until: Condition; readonly max: number; readonly feedback?: string };
  readonly review?: ReviewSpec;
}

export interface InputSpec {
  readonly type?: 'string' | 'number' | 'boolean' | 'list' | 'object' | 'any';
  readonly default?: Json;
  readonly description?: string;
  readonly required?: boolean;
}

export interface SandboxSpec {
  readonly include?: readonly string[];
  readonly setup?: string;
  readonly link?: readonly string[];
  readonly ports?: number;
  readonly tree?: 'auto' | 'overlay' | 'snapshot' | 'checkout' | 'none';
  readonly isolation?: 'auto' | 'os' | 'none';
  readonly network?: 'all' | 'none' | readonly string[];
  readonly limits?: { readonly disk?: Count; readonly memory?: Count; readonly processes?: number };
}

export interface GrowSpec {
  readonly prompt?: string;
  readonly run?: string;
  readonly max_tasks: number;
  readonly depth?: number;
  readonly rounds?: number;
  readonly confirm?: 'gate' | 'none';
  readonly agents?: OneOrMore<string>;
  readonly pools?: readonly string[];
}

interface AskingSpec<Policy extends string> {
  readonly policy?: Policy;
  readonly timeout?: Duration;
  readonly allow?: readonly string[];
}

type ChannelName = 'bell' | 'desktop';

export interface NotifySpec {
  readonly on?: OneOrMore<'needed' | 'ended' | NotifyTrigger>;
  readonly bell?: boolean;
  readonly desktop?: boolean;
  readonly webhook?: string;
  readonly command?: string;
}

export interface TelemetrySpec {
  readonly endpoint?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly service?: string;
  readonly content?: boolean;
  readonly agents?: boolean;
}

interface PoolSpec {
  readonly size: number;
  readonly when_cut_off?: 'end' | 'continue';
}

/** A plan as an object, with the keys of a plan file. */
export interface PlanSpec extends SettingsSpec {
  /** The version of the format; 1 by default. */
  readonly heddle?: 1;
  readonly name?: string;
  readonly base?: string;
  readonly target?: string;
  readonly schedule?: 'fastest' | 'declared';
  readonly hosts?: { readonly max_parallel?: number };
  readonly pools?: Readonly<Record<string, number | PoolSpec>>;
  readonly agents?: Readonly<Record<string, AdapterName | AgentSpec>>;
  readonly sandbox?: SandboxSpec;
  readonly questions?: 'gate' | 'deny' | AskingSpec<'gate' | 'deny'>;
  readonly permissions?: 'allow' | 'deny' | 'gate' | AskingSpec<'allow' | 'deny' | 'gate'>;
  readonly notify?: 'none' | OneOrMore<ChannelName> | NotifySpec;
  /** The address of a collector, `none`, or more of it. */
  readonly telemetry?: string | TelemetrySpec;
  readonly inputs?: Readonly<Record<string, Json | InputSpec>>;
  readonly env?: readonly string[];
  readonly tasks: Readonly<Record<string, TaskSpec>>;
}
