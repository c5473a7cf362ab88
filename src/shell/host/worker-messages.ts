// What a host and a worker say to each other while both live. Nothing here is the only copy of a fact: the assignment
// and the outcome are in the attempt file too, so either side may die and a later host reads them there.
import type { Assignment, ClaimRef } from '../../core/protocol/assignment.ts';
import type { Spend } from '../../core/protocol/result.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';

export interface Assign {
  readonly type: 'assign';
  readonly assignment: Assignment;
  /** The attempt's. */
  readonly folder: string;
  readonly cwd: string;
  readonly run: string;
  /** The store's folder. */
  readonly home: string;
  /**
   * What the step's processes see besides what the worker itself was started with: on the way only the claim's tags,
   * because messages are many and an environment is large.
   */
  readonly environment: Readonly<Record<string, string>>;
  /** How long a step that reached a limit, or whose worker is asked to end, has to end by itself. */
  readonly graceMs: number;
}

export interface Stop {
  readonly type: 'stop';
  readonly claim: ClaimRef;
  /** None means at once. A second one can shorten the wait, never lengthen it. */
  readonly graceMs: number;
}

/** A worker runs one claim at a time, and is given the next when it has reported `done`. */
export type ToWorker = Assign | Stop;

export type FromWorker =
  /** Sent when the attempt file has the outcome. */
  | { readonly type: 'done'; readonly outcome: WorkOutcome }
  | { readonly type: 'live'; readonly claim: ClaimRef; readonly spend: Spend }
  /** Somebody has this claim already (attempt/F1); nothing was begun. */
  | { readonly type: 'refused'; readonly claim: ClaimRef };
