// What a worker is given to carry out one claim: everything rendered, nothing to look up.
//
// An assignment is made from the log alone, so it is the same after a restart, and it can cross to another machine.
import type { Agent, JsonSchema } from '../../plan/plan.ts';

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
  | { readonly type: 'turn'; readonly agent: Agent; readonly prompt: string };

export interface Limits {
  readonly timeoutMs: number;
  /** Silence after which a step is ended. */
  readonly idleTimeoutMs: number;
}

export interface Assignment {
  readonly claim: ClaimRef;
  readonly work: Work;
  readonly limits: Limits;
  /** The shape of structured output, when the step declares one. */
  readonly output: JsonSchema | undefined;
}
