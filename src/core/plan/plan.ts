// The plan as the rest of Heddle sees it: parsed, checked, every setting resolved. Plain data.
//
// plan/L1. A plan holds no positions and no origins of settings, so printing and parsing it again gives an equal plan.
// plan/L2. Every setting on a task is the effective one; nothing looks upwards after parsing.
// plan/L3. Absent is `undefined`, and the key is present.

import type { Budget, Ceilings } from './budget.ts';
import type { Growth } from './growth.ts';
import type { Notify } from './notify.ts';
import type { Permissions, Questions } from './policies.ts';
import type { ResultRule, StepRule } from './result-rule.ts';
import type { Telemetry } from './telemetry.ts';

export type FailureMode = 'continue_on_error' | 'fail_fast';

/** Settings that resolve nearest first: command line, task, subplan, plan, project file, user file, default. */
export interface Settings {
  readonly failureMode: FailureMode;
  readonly attemptsMax: number;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Name in `plan.agents`; undefined when no agent is named anywhere. */
  readonly agent: string | undefined;
  /** Agents that take over when this one cannot, in this order. */
  readonly fallbacks: readonly string[];
  readonly merge: MergeSettings;
}

export interface MergeSettings {
  readonly order: 'completion' | 'plan';
  readonly strategy: 'per_run' | 'per_task';
  /** Whether the published history has a commit per task or per step. */
  readonly commits: 'task' | 'step';
  readonly auto: 'auto' | 'confirm' | 'manual';
  readonly check: string | undefined;
  readonly onConflict: 'agent' | 'stop';
  readonly conflictAttemptsMax: number;
  /** Files that never conflict; the first entry whose pattern matches a path applies. */
  readonly take: readonly TakeRule[];
}

/** The side of a conflict to take in these files: the task's, the run branch's, or the lines of both. */
export interface TakeRule {
  readonly files: string;
  readonly side: 'task' | 'run' | 'union';
}

export interface Pool {
  readonly name: string;
  readonly size: number;
  /** `continue`: work that holds slots goes on when its host is cut off from the server; undefined: it ends. */
  readonly whenCutOff?: 'continue' | undefined;
}

/** The number of tokens of a pool that a step holds while it runs. */
export interface PoolDemand {
  readonly pool: string;
  readonly tokens: number;
}

export interface Agent {
  readonly name: string;
  /** The adapter: claude, codex, opencode and so on. */
  readonly use: string;
  readonly model: string | undefined;
  readonly pool: string | undefined;
  readonly args: readonly string[];
  /** For `command` and `acp`: the program to start. */
  readonly command: string | undefined;
  /** Environment variables it gets in addition to those of its kind. */
  readonly env: readonly AgentVariable[];
  /** Reserved before each of its turns starts. */
  readonly reserve: Budget;
  /** Labels that a host must have for its turns; undefined for none. */
  readonly on?: readonly string[] | undefined;
}

export interface AgentVariable {
  readonly name: string;
  /** `${NAME}` in it is a value of the environment; undefined is the value that the environment has under this name. */
  readonly value: string | undefined;
}

export interface SandboxPlan {
  readonly include: readonly string[];
  readonly setup: string | undefined;
  readonly link: readonly string[];
  readonly ports: number;
  readonly tree: 'auto' | 'overlay' | 'snapshot' | 'checkout' | 'none';
  readonly isolation: 'auto' | 'os' | 'none';
  /** Hosts, exact or `*.suffix`; undefined means the hosts of the running agent. */
  readonly network: 'all' | 'none' | readonly string[] | undefined;
  readonly limits: SandboxLimits;
}

/** The most that the programs of one sandbox may take together; time is a setting of steps. */
export interface SandboxLimits {
  /** Bytes on the disk. */
  readonly disk: number;
  /** Bytes; undefined is what the machine has. */
  readonly memory: number | undefined;
  readonly processes: number;
}

/** A JSON Schema as the user wrote it. */
export type JsonSchema = Readonly<Record<string, unknown>>;
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Source text of CEL, and of Liquid; both are checked when the plan is parsed. */
export type Expression = string;
export type Template = string;

/** `of` are full dotted paths of tasks (or ids of steps), in the order written. */
export type Need =
  | { readonly type: 'all'; readonly of: readonly string[] }
  | { readonly type: 'any'; readonly of: readonly string[] }
  | { readonly type: 'at_least'; readonly count: number; readonly of: readonly string[] }
  | { readonly type: 'race'; readonly of: readonly string[] };

export interface Input {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'list' | 'object' | 'any';
  /** Undefined when the caller must give it. */
  readonly value: Json | undefined;
  readonly description: string | undefined;
}

interface StepBase {
  readonly id: string;
  readonly async: boolean;
  /** Ids of earlier steps of the same task that must have ended. */
  readonly needs: readonly string[];
  readonly when: Expression | undefined;
  readonly pools: readonly PoolDemand[];
  readonly attemptsMax: number;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly estimateMs: number | undefined;
  /** Reserved before the step starts; undefined for a part without a reservation. */
  readonly reserve: Budget;
  /** Labels that its host must have, those of the task included; undefined for none. */
  readonly on: readonly string[] | undefined;
  readonly output: JsonSchema | undefined;
  readonly onResult: readonly ResultRule[];
}

/** Another agent that may have the turns of a step. */
export interface Fallback {
  readonly agent: string;
  /** The pools that the step holds while this agent runs it. */
  readonly pools: readonly PoolDemand[];
  /** Reserved before a turn of this agent; undefined for the reservation of the step. */
  readonly reserve: Budget | undefined;
  /** True for an agent that only `escalate` names: it never takes over because of a provider. */
  readonly isOnlyEscalation: true | undefined;
}

export interface PromptStep extends StepBase {
  readonly type: 'prompt';
  readonly prompt: Template;
  /** Undefined only after a diagnostic. */
  readonly agent: string | undefined;
  /** Agents that take over when this one cannot, in this order, and those that `escalate` names. */
  readonly fallbacks: readonly Fallback[];
  /** The agents of the attempts, in order, this one first; undefined when all attempts are for the same agent. */
  readonly escalation: readonly string[] | undefined;
  /** True: nothing that the turn writes is kept. */
  readonly isReadOnly: true | undefined;
  readonly resume: 'continue' | 'fork' | 'fresh';
  /** The task whose conversation it continues or forks, by its path; undefined for that of the step before. */
  readonly resumeTask: string | undefined;
  readonly onError: StepRule;
}

export interface RunStep extends StepBase {
  readonly type: 'run';
  readonly run: Template;
  readonly onError: StepRule;
}

export interface JoinStep extends StepBase {
  readonly type: 'join';
  readonly onError: 'fail_fast' | 'wait_for_all';
}

/** One step of a task: a prompt for an agent, a command, or a join of steps. */
export type Step = PromptStep | RunStep | JoinStep;

interface TaskBase {
  /** Unique among its siblings, and safe as a branch and folder name. */
  readonly id: string;
  /** Dotted, from the root: `reviews.security`. */
  readonly path: string;
  readonly needs: Need;
  readonly when: Expression | undefined;
  readonly settings: Settings;
  /** Declared here, so it is a cap of its own; an inherited `max_parallel` is not repeated. */
  readonly cap: number | undefined;
  readonly budget: Ceilings | undefined;
  readonly estimateMs: number | undefined;
  readonly output: JsonSchema | undefined;
  readonly description: string | undefined;
  /** Labels that the hosts of its work must have, those of the subplans around it included; undefined for none. */
  readonly on: readonly string[] | undefined;
  /** Set by expanding a `for_each`: the item of this copy. */
  readonly item: ItemOfCopy | undefined;
}

/** A copy whose list is known carries its value; one whose list comes during the run reads place `index` of it. */
export type ItemOfCopy =
  | { readonly type: 'known'; readonly name: string; readonly value: Json }
  | { readonly type: 'later'; readonly name: string; readonly list: Expression; readonly index: number };

/** A loop over the steps of a task. */
export interface Repeat {
  readonly until: Expression;
  readonly roundsMax: number;
  /** Sent back like a failed check, to the last agent turn; undefined runs all steps again and says nothing. */
  readonly feedback: Template | undefined;
}

export interface WorkTask extends TaskBase {
  readonly type: 'work';
  /** The form in the file: one `prompt`, one `run`, or `steps`. The first two make one step called `main`. */
  readonly form: 'prompt' | 'run' | 'steps';
  readonly steps: readonly Step[];
  readonly repeat: Repeat | undefined;
  readonly files: readonly string[];
  readonly check: string | undefined;
  /** Whether another attempt starts from the files of the last or from the checkpoint; undefined: as it failed. */
  readonly retry: 'continue' | 'clean' | undefined;
  /** Tokens of pools that the task has for itself from its opening to its end. */
  readonly hold: readonly PoolDemand[];
  /** Set on the first task of a subplan that grows: its answer is a fragment of tasks, and its work is never merged. */
  readonly drafts: Growth | undefined;
}

export interface Subplan extends TaskBase {
  readonly type: 'subplan';
  readonly tasks: readonly Task[];
}

export interface JoinTask extends TaskBase {
  readonly type: 'join';
  readonly onError: 'fail_fast' | 'wait_for_all';
  /** Undefined for a join without rules. */
  readonly onResult: readonly ResultRule[] | undefined;
}

export interface GateTask extends TaskBase {
  readonly type: 'gate';
  readonly question: Template;
}

export interface ForEachTask extends TaskBase {
  readonly type: 'for_each';
  readonly list:
    | { readonly type: 'known'; readonly items: readonly Json[] }
    | { readonly type: 'later'; readonly list: Expression };
  readonly itemsMax: number;
  readonly itemName: string;
  /** The inner task; its path is the path of this task and `.item`, and each copy gets a number instead. */
  readonly task: Task;
}

/** One task of a plan: work, a subplan, a join, a gate, or copies of a task. */
export type Task = WorkTask | Subplan | JoinTask | GateTask | ForEachTask;

/** A plan with every default filled in. */
export interface Plan {
  readonly name: string;
  readonly base: string;
  readonly target: string | undefined;
  /** Whether ready steps start in the order that ends the run soonest, or in that of the plan. */
  readonly schedule: 'fastest' | 'declared';
  /** Steps running at once on one machine, and in the whole run where `hostsCap` says nothing else. */
  readonly cap: number;
  /** Steps running at once on all machines together; undefined where the plan has no `hosts`. */
  readonly hostsCap: number | undefined;
  readonly settings: Settings;
  readonly budget: Ceilings | undefined;
  readonly pools: readonly Pool[];
  readonly agents: readonly Agent[];
  readonly sandbox: SandboxPlan;
  readonly questions: Questions;
  readonly permissions: Permissions;
  readonly notify: Notify;
  readonly telemetry: Telemetry | undefined;
  readonly inputs: readonly Input[];
  /** Environment names that templates may read. */
  readonly env: readonly string[];
  readonly tasks: readonly Task[];
}
