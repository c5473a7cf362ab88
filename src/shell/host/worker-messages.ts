// Messages between a host and its worker. None is the only copy of a fact: the assignment and the outcome are in the
// attempt file too, so either side may die and a later host reads them there.
import type { Assignment, ClaimRef } from '../../core/protocol/assignment.ts';
import type { Spend } from '../../core/protocol/result.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import type { TurnTelemetry } from '../ports/agents.ts';
import type { LeasePlace } from './lease-file.ts';

export interface Assign {
  readonly type: 'assign';
  readonly assignment: Assignment;
  /** The attempt's folder. */
  readonly folder: string;
  readonly cwd: string;
  readonly run: string;
  /** The store's folder. */
  readonly home: string;
  /**
   * Variables of the step's processes besides the worker's own environment. Messages carry only the claim's tags
   * and its span, because messages are many and an environment is large.
   */
  readonly environment: Readonly<Record<string, string>>;
  /** Set where agents send spans of their own; the span of the claim is in the environment. */
  readonly telemetry?: TurnTelemetry | undefined;
  /** Other machines may go on with the conversations of this one, so their files are kept. */
  readonly isForOthers?: boolean | undefined;
  /** Grace for a step that reached a limit, or whose worker is asked to stop. */
  readonly graceMs: number;
  /** Set for a claim that ends when no server hears its host. */
  readonly lease?: GivenLease | undefined;
}

export interface GivenLease extends LeasePlace {
  readonly leaseMs: number;
}

export interface Stop {
  readonly type: 'stop';
  readonly claim: ClaimRef;
  /** 0 means at once. A second request can shorten the wait, never lengthen it. */
  readonly graceMs: number;
}

/** A worker runs one claim at a time, and gets the next after it has reported `done`. */
export type ToWorker = Assign | Stop;

export type FromWorker =
  /** Sent after the outcome is in the attempt file. */
  | { readonly type: 'done'; readonly outcome: WorkOutcome }
  | { readonly type: 'live'; readonly claim: ClaimRef; readonly spend: Spend }
  /** Another worker has this claim (attempt/F1); nothing was begun. */
  | { readonly type: 'refused'; readonly claim: ClaimRef };
