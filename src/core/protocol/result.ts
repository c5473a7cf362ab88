// What is known of work that was done: how it ended, what came of it and what it cost. Hosts report it, events keep it.
import type { Json } from '../plan/plan.ts';

/** Why it ended so, when it did not simply end well (P9). Words are added and never taken away: old logs hold them. */
export const REASONS = [
  'failed',
  'check',
  'conflict',
  'timeout',
  'idle',
  // Its sandbox took more of the disk, of memory or of processes than it may.
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
  // Of a merge: the run branch moved under it.
  'outrun',
  'skipped',
  // Of an agent's turn: what its provider or its own rules said.
  'rate_limit',
  'overloaded',
  'authentication',
  'bad_request',
  'context',
  'turns',
  'permission',
  'cut_off',
  // Its answer does not have the shape that the plan declares.
  'output',
] as const;

export type Reason = (typeof REASONS)[number];

export const isReason = (value: unknown): value is Reason => REASONS.some((reason) => reason === value);

/** What later steps, conditions and joins can read of a step or task. */
export interface Result {
  readonly ok: boolean;
  readonly response: string | undefined;
  readonly output: Json | undefined;
  readonly exitCode: number | undefined;
  readonly commit: string | undefined;
}

/** What was spent; a part the agent did not report is undefined and counts as its reservation (P8). */
export interface Spend {
  readonly usd: number | undefined;
  readonly tokens: number | undefined;
}

/** A conversation as a turn left it: what an agent remembers, by the name that its program gives it. */
export interface Remembered {
  /** Whose it is, by its name in the plan. */
  readonly agent: string;
  readonly id: string;
  /** What the program's counters stood at. */
  readonly reading: Usage | undefined;
}

/** What an agent asks leave for before it uses a tool. */
export interface Permission {
  /** As its program calls it. */
  readonly tool: string;
  /** The command, the path, in one line for people. */
  readonly about: string;
  /** Tells it from every other, also where the line was cut or a secret taken out of it. */
  readonly key: string;
}

/** What a turn used. What was read from a provider's cache is counted apart. */
export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** In US dollars; undefined when nobody knows. */
  readonly usd: number | undefined;
}

/** How the work of a task and that of others do not fit together. */
export interface Conflict {
  readonly paths: readonly string[];
  /** The tasks whose work it conflicts with. */
  readonly with: readonly string[];
  /** The commit that it was to be merged onto. */
  readonly onto: string | undefined;
}
