// The assignment of a worker: everything that it needs to execute one claim, fully rendered.
//
// An assignment is made from the log alone, so it is the same after a restart, and it can be sent to another machine.
import type { Usage } from './result.ts';
import type { Agent, JsonSchema, Sandbox, TakeRule } from '../plan/plan.ts';

/** The kinds of work. `resolve` is an agent turn on a conflict: an attempt of the step whose agent resolves it. */
export type WorkType = 'step' | 'check' | 'merge' | 'resolve';

/** The identity of a claim. `step` is undefined for the check of a task. The attempt is its fence: no two are alike. */
export interface ClaimRef {
  readonly task: string;
  readonly step: string | undefined;
  readonly attempt: number;
}

export const isSameClaim = (one: ClaimRef, other: ClaimRef): boolean =>
  one.task === other.task && one.step === other.step && one.attempt === other.attempt;

/** A key for maps and file names; it is never parsed. */
export const claimKey = ({ task, step, attempt }: ClaimRef): string => `${task}/${step ?? '(check)'}#${attempt}`;

export type Work =
  /** A shell command; values of the plan reach it only through the environment. */
  | { readonly type: 'command'; readonly command: string; readonly environment: Readonly<Record<string, string>> }
  /** One agent turn. */
  | {
      readonly type: 'turn';
      readonly agent: Agent;
      readonly prompt: string;
      /** The conversation to continue; undefined starts a new one. */
      readonly conversation?: Conversation | undefined;
      /** Tools that the agent may use without a request, as its program names them. */
      readonly allow?: readonly string[] | undefined;
      /** Policy for permission requests not in `allow`; undefined allows everything without asking. */
      readonly permissions?: TurnPermissions | undefined;
      /** The budget of the turn in dollars, for programs that enforce one themselves. */
      readonly ceilingUsd?: number;
    };

export interface TurnPermissions {
  /** For undecided requests: refuse, or ask a person, which ends the turn. */
  readonly policy: 'deny' | 'gate';
  /** Keys of requests that a person has allowed, and refused. */
  readonly granted: readonly string[];
  readonly refused: readonly string[];
}

/** The memory of an agent from earlier turns, to continue or to fork. */
export interface Conversation {
  /** The id of the conversation in its program. */
  readonly id: string;
  readonly mode: 'continue' | 'fork';
  /** The program's counters at the end of the last turn: some count the whole conversation. */
  readonly reading: Usage | undefined;
}

export interface Limits {
  readonly timeoutMs: number;
  /** The idle timeout of a step. */
  readonly idleTimeoutMs: number;
}

/** The commits from which the sandbox of a task is made. */
export interface SandboxSource {
  /** The base commit of the run. */
  readonly base: string;
  /** Tips of the needed tasks, in the order of the plan. The task starts from their merge onto `base`. */
  readonly needs: readonly string[];
  /** The latest checkpoint of the task, to continue from; undefined when there is none yet. */
  readonly from: string | undefined;
  /** Only for a turn on a conflict: the commit to merge into the tree first, with conflict markers in the files. */
  readonly onto: string | undefined;
  readonly settings: Sandbox;
  /** The sandbox is reset to `from` first; what an attempt left in it is salvaged. */
  readonly isClean?: boolean | undefined;
  /** Files that never conflict when needs are merged. */
  readonly take?: readonly TakeRule[] | undefined;
  /** How often a changed plan restarted the task; leftovers of earlier generations are moved aside. */
  readonly life?: number;
  /** When the claim was made. Commits get this date, so that repeating the work gives the same commit. */
  readonly at: number;
}

export interface Assignment {
  readonly claim: ClaimRef;
  readonly work: Work;
  readonly limits: Limits;
  /** The JSON Schema of structured output, when the step declares one. */
  readonly output: JsonSchema | undefined;
  /** Undefined when the run works in place. */
  readonly sandbox: SandboxSource | undefined;
}
