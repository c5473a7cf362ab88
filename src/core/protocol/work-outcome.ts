// Outcomes of claims, as hosts report them: what happened, and to which claim. One spelling serves every kind of work; what an
// outcome means for its task follows from the work and is decided where the outcome is settled.
//
// The attempt of the claim is the fence: an outcome of another attempt is stale.
import type { ClaimRef } from './assignment.ts';
import type { Conflict, Permission, Reason, Remembered, Result, Spend } from './result.ts';

export type RememberedTurn = Omit<Remembered, 'agent'>;

interface OfClaim extends ClaimRef {
  readonly spend: Spend;
  /** Of an agent turn: its program ended before it reported its total, so at least `spend` was spent. */
  readonly isPartial?: boolean | undefined;
  /** Of an agent turn: the conversation at its end. */
  readonly conversation?: RememberedTurn | undefined;
  /** Of an interrupted agent turn: it had used tools, so its conversation is worth continuing. */
  readonly hasWorked?: boolean | undefined;
}

export type WorkOutcome =
  /**
   * The work ended by itself; `result.ok` says whether it succeeded. The response of a check is the end of its output,
   * and the commit of a merge is the merge commit.
   */
  | (OfClaim & { readonly type: 'finished'; readonly result: Result })
  /** The attempt failed. `isFinal` when a retry cannot help. */
  | (OfClaim & {
      readonly type: 'failed';
      readonly reason: Reason;
      readonly isFinal: boolean;
      readonly result: Result | undefined;
      /** Of a merge: the check of the merged tree fails without the task's work too. */
      readonly isBaseline?: boolean | undefined;
      /** No part of it was begun, or the machine was full before its end: what this machine lacks, another may have. */
      readonly isUnbegun?: boolean | undefined;
    })
  /** The provider rejected the call (quota, overload): the attempt does not count, and the pool backs off. */
  | (OfClaim & {
      readonly type: 'limited';
      readonly pool: string | undefined;
      /** Undefined when the provider does not say. */
      readonly until: number | undefined;
      readonly by?: 'rate_limit' | 'quota' | undefined;
      /** The words of the provider. */
      readonly message?: string | undefined;
      /** The result of the work so far. */
      readonly result?: Result | undefined;
    })
  /** The agent asks a person a question before it continues. */
  | (OfClaim & {
      readonly type: 'asked';
      readonly question: string;
      readonly result: Result;
      /** Set when the question is a permission request. */
      readonly permission?: Permission | undefined;
    })
  /** The claim was stopped, because it was being cancelled, because its host was shutting down, or `by` its lease. */
  | (OfClaim & {
      readonly type: 'stopped';
      readonly by?: 'lease' | undefined;
      /** The result of the work so far. */
      readonly result?: Result | undefined;
    })
  /** The worker died with its coordinator or its host; this says nothing about the work. */
  | (OfClaim & { readonly type: 'lost' })
  /** The claim is running and has cost this much since its attempt began. */
  | (OfClaim & { readonly type: 'spending' })
  /** Of a merge: the work does not fit what was merged before it. */
  | (OfClaim & Conflict & { readonly type: 'conflict' })
  /** Of a merge: the run branch moved during the merge; the task goes to the end of the merge queue. */
  | (OfClaim & { readonly type: 'outrun' })
  /** Of a merge: the run branch, now at `branch`, lacks a merge that was reported: its repository was removed or changed. */
  | (OfClaim & { readonly type: 'rewound'; readonly lacks: string; readonly branch: string });

export type OutcomeOf<Type extends WorkOutcome['type']> = Extract<WorkOutcome, { type: Type }>;

/** Outcomes after which the claim is not running any more. */
export type ClaimOver = Exclude<WorkOutcome, { type: 'spending' }>;

/** Of them, those of a step or of a turn on a conflict. */
export type StepOver = Exclude<ClaimOver, { type: 'conflict' | 'outrun' | 'rewound' }>;

/** Whether a claim failed for what its machine lacks, a program or a login for example: another one may have it. */
export const isOfMachine = (outcome: WorkOutcome): outcome is OutcomeOf<'failed'> =>
  outcome.type === 'failed' && (outcome.isUnbegun === true || outcome.reason === 'authentication');
