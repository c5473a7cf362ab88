// What a worker is given to carry out one claim: everything rendered, nothing to look up.
//
// An assignment is made from the log alone, so it is the same after a restart, and it can cross to another machine.
import type { Usage } from './result.ts';
import type { Agent, JsonSchema, Sandbox } from '../plan/plan.ts';

/** What a claim is for. `resolve` is an agent's turn on a conflict: an attempt of the step whose agent has it. */
export type WorkType = 'step' | 'check' | 'merge' | 'resolve';

/** One claim, by name. `step` is undefined for the check of a task. The attempt is its fence: no two are alike. */
export interface ClaimRef {
  readonly task: string;
  readonly step: string | undefined;
  readonly attempt: number;
}

export const isSameClaim = (one: ClaimRef, other: ClaimRef): boolean =>
  one.task === other.task && one.step === other.step && one.attempt === other.attempt;

/** For maps and file names of our own; nobody parses it. */
export const claimKey = ({ task, step, attempt }: ClaimRef): string => `${task}/${step ?? '(check)'}#${attempt}`;

export type Work =
  /** A shell command; values of the plan reach it through the environment alone. */
  | { readonly type: 'command'; readonly command: string; readonly environment: Readonly<Record<string, string>> }
  /** One turn of an agent. */
  | {
      readonly type: 'turn';
      readonly agent: Agent;
      readonly prompt: string;
      /** The one that it takes up; undefined begins one. */
      readonly conversation?: Conversation | undefined;
      /** What it may use without asking, in the words of its program. */
      readonly allow?: readonly string[] | undefined;
      /** What becomes of what it asks leave for besides; undefined asks nobody and refuses nothing. */
      readonly permissions?: TurnPermissions | undefined;
      /** Dollars that it may spend, for programs that keep to that by themselves. */
      readonly ceilingUsd?: number;
    };

export interface TurnPermissions {
  /** Of what nobody has decided about: refused, or asked of a person, which ends the turn. */
  readonly policy: 'deny' | 'gate';
  /** Keys of what a person has allowed, and has refused. */
  readonly granted: readonly string[];
  readonly refused: readonly string[];
}

/** What an agent remembers of earlier turns, to go on with it or to branch off. */
export interface Conversation {
  /** As its program calls it. */
  readonly id: string;
  readonly mode: 'continue' | 'fork';
  /** What the program's counters stood at when it was last heard: some count all of a conversation. */
  readonly reading: Usage | undefined;
}

export interface Limits {
  readonly timeoutMs: number;
  /** Silence after which a step is ended. */
  readonly idleTimeoutMs: number;
}

/** What the sandbox of a task is made from, and stands at when its work begins. */
export interface SandboxSource {
  /** The commit that the run starts from. */
  readonly base: string;
  /** Tips of the tasks that it needs, in the order of the plan. What it starts from is their merge onto `base`. */
  readonly needs: readonly string[];
  /** The task's latest checkpoint, to go on from; undefined when it has none yet. */
  readonly from: string | undefined;
  /** To be merged into its tree before the turn, conflicts left in the files: of a turn on a conflict alone. */
  readonly onto: string | undefined;
  readonly settings: Sandbox;
  /** How often a changed plan began the task anew: what is left of an earlier life is set aside. */
  readonly life?: number;
  /** When the claim was made; dates what is committed, so that doing it again gives the same commit. */
  readonly at: number;
}

export interface Assignment {
  readonly claim: ClaimRef;
  readonly work: Work;
  readonly limits: Limits;
  /** The shape of structured output, when the step declares one. */
  readonly output: JsonSchema | undefined;
  /** Undefined when the run works in place. */
  readonly sandbox: SandboxSource | undefined;
}
