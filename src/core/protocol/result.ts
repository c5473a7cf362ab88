// Results of work: its ending, its output and its cost. Hosts report them, and events store them.
import type { Json } from '../plan/plan.ts';

/** Why work did not simply succeed (P9). Values are added and never removed: old logs contain them. */
export const REASONS = [
  'failed',
  'check',
  // Of a merge: the check fails without the work of the task as well.
  'baseline',
  'conflict',
  'timeout',
  'idle',
  // The sandbox exceeded its limit of disk, memory or processes.
  'limit',
  'quota',
  'cost',
  'cancelled',
  'crashed',
  'refused',
  'asked',
  'rejected',
  'need',
  'condition',
  'expression',
  'fail_fast',
  'race',
  // Of a merge: the run branch moved during the merge.
  'outrun',
  // The commits of a task that was done are gone from the run branch.
  'lost',
  'skipped',
  // Of a copy of a `for_each` whose list came during the run: the list has fewer items.
  'no_item',
  // Of an agent turn: errors of the provider, or rules of the agent.
  'rate_limit',
  'overloaded',
  'authentication',
  'bad_request',
  'context',
  'turns',
  'permission',
  'cut_off',
  // Work in a pool: no server was heard for as long as the claim may go on without one.
  'lease',
  // The work could not be committed: for example, a link leaves the tree.
  'unsaved',
  // The output does not match the schema in the plan.
  'output',
] as const;

export type Reason = (typeof REASONS)[number];

export const isReason = (value: unknown): value is Reason => REASONS.some((reason) => reason === value);

/** The fields of a step or task that later steps, conditions and joins can read. */
export interface Result {
  readonly ok: boolean;
  readonly response: string | undefined;
  readonly output: Json | undefined;
  readonly exitCode: number | undefined;
  readonly commit: string | undefined;
  /** The end of what a command that failed printed to stderr. */
  readonly stderr?: string | undefined;
}

/** The cost; a part that the agent did not report is undefined and counts as its reservation (P8). */
export interface Spend {
  readonly usd: number | undefined;
  readonly tokens: number | undefined;
}

/** The conversation at the end of a turn. */
export interface Remembered {
  /** The agent, by its name in the plan. */
  readonly agent: string;
  readonly id: string;
  /** The program's counters at the end of the turn. */
  readonly reading: Usage | undefined;
  /** Of a turn on another machine: its files are with the server, for whichever machine goes on with it. */
  readonly isKept?: boolean | undefined;
}

/** An agent's request for permission to use a tool. */
export interface Permission {
  /** The tool, as the agent's program names it. */
  readonly tool: string;
  /** The command or path as one line for people. */
  readonly about: string;
  /** Identifies the request, even where the line was cut or a secret was redacted. */
  readonly key: string;
}

/** Token usage of a turn. Tokens read from a provider's cache are counted separately. */
export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** In US dollars; undefined when unknown. */
  readonly usd: number | undefined;
}

/** A conflict between the work of a task and that of others. */
export interface Conflict {
  readonly paths: readonly string[];
  /** The tasks whose work conflicts. */
  readonly with: readonly string[];
  /** The commit onto which the task was to be merged. */
  readonly onto: string | undefined;
}
