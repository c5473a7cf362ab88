// Reads the output of a program and, when the program has ended, returns the outcome of the claim.
import type { ClaimRef } from '../../../core/protocol/assignment.ts';
import type { Result } from '../../../core/protocol/result.ts';
import type { WorkOutcome } from '../../../core/protocol/work-outcome.ts';
import type { JsonSchema } from '../../../core/plan/plan.ts';
import { NO_SPEND } from '../missing-outcome.ts';
import type { OnOutput } from '../../exec/streams.ts';
import type { ProcessEnd } from '../../exec/supervised-process.ts';

export interface OutcomeReader {
  /** Takes a chunk of output; returns the part that people see. */
  readonly receive: (...output: Parameters<OnOutput>) => Buffer;
  /** There is no more output; returns the rest for people. */
  readonly end: () => Buffer;
  /** Whether a tool of the agent runs, so that a lack of output does not count as silence. */
  readonly isBusy: () => boolean;
  /** Called now and then while the program runs; see `TurnReader`. */
  readonly poll?: ((home: string | undefined) => void) | undefined;
  /** `hasChanges`: whether the step has changed any file, if known. */
  readonly outcome: (ended: ProcessEnd, hasChanges: () => Promise<boolean | undefined>) => Promise<WorkOutcome>;
}

/** Explains in a sentence why a value does not match a schema; undefined when it does. */
export type Fits = (schema: JsonSchema, value: unknown) => Promise<string | undefined>;

export interface WorkRefusal {
  readonly message: string;
  /** Whether a retry would be refused as well. */
  readonly isFinal: boolean;
}

/** For a claim that was not begun. */
export const refusedOutcome = (claim: ClaimRef, { message, isFinal }: WorkRefusal): WorkOutcome => ({
  type: 'failed',
  ...claim,
  spend: NO_SPEND,
  reason: 'refused',
  isFinal,
  isUnbegun: true,
  result: failure(message),
});

export const stopped = (claim: ClaimRef, by?: 'lease'): WorkOutcome => ({
  type: 'stopped',
  ...claim,
  spend: NO_SPEND,
  by,
});

export const failure = (response: string): Result => ({
  ok: false,
  response,
  output: undefined,
  exitCode: undefined,
  commit: undefined,
});
