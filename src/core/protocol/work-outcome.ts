// Outcomes of claims, as hosts and the merge queue report them. Every outcome names the attempt, which is the fence: an
// outcome of another attempt is stale.
import type { Conflict, Permission, Reason, Remembered, Result, Spend } from './result.ts';

export type Memory = Omit<Remembered, 'agent'>;

interface OfAttempt {
  readonly task: string;
  readonly step: string;
  readonly attempt: number;
  readonly spend: Spend;
  /** Of an agent turn: its program ended before it reported its total, so at least `spend` was spent. */
  readonly isPartial?: boolean | undefined;
  /** Of an agent turn: the conversation at its end. */
  readonly conversation?: Memory | undefined;
  /** Of an interrupted agent turn: it had used tools, so its conversation is worth continuing. */
  readonly hasWorked?: boolean | undefined;
}

interface OfTask {
  readonly task: string;
  /** The attempt of the check or the merge. */
  readonly attempt: number;
}

/** Outcomes that workers report. */
export type WorkOutcome =
  /** The step's program or agent ended by itself; `result.ok` says whether it succeeded. */
  | (OfAttempt & { readonly type: 'step.finished'; readonly result: Result })
  /** The attempt failed. `isFinal` when a retry cannot help. */
  | (OfAttempt & {
      readonly type: 'step.failed';
      readonly reason: Reason;
      readonly isFinal: boolean;
      readonly result: Result | undefined;
    })
  /** The provider rejected the call (quota, overload): the attempt does not count, and the pool backs off. */
  | (OfAttempt & {
      readonly type: 'step.limited';
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
  | (OfAttempt & {
      readonly type: 'step.asked';
      readonly question: string;
      readonly result: Result;
      /** Set when the question is a permission request. */
      readonly permission?: Permission | undefined;
    })
  /** The claim was stopped, because it was being cancelled or because its host was shutting down. */
  | (OfAttempt & { readonly type: 'step.stopped' })
  /** The worker died with its coordinator or its host; this says nothing about the work. */
  | (OfAttempt & { readonly type: 'step.lost' })
  /** The claim is running and has cost this much since its attempt began. */
  | (OfAttempt & { readonly type: 'step.spending' })
  | (OfTask & {
      readonly type: 'check.finished';
      readonly ok: boolean;
      readonly tail: string;
      /** Why it did not run at all; going back to the agent would not help. */
      readonly reason?: Reason | undefined;
    })
  | (OfTask & { readonly type: 'check.stopped' })
  /** The worker is lost, and its result with it. */
  | (OfTask & { readonly type: 'check.lost' });

/** Outcomes that the merge queue reports. */
export type MergeOutcome =
  | (OfTask & { readonly type: 'merge.stopped' })
  | (OfTask & { readonly type: 'merge.finished'; readonly commit: string | undefined })
  /** The merge failed, or the merged tree failed its check. */
  | (OfTask & {
      readonly type: 'merge.failed';
      readonly reason: Reason;
      /** The end of the check's output, or the reason why the merge failed. */
      readonly tail: string;
      /** The check fails without the task's work too. */
      readonly isBaseline: boolean;
    })
  | (OfTask & Conflict & { readonly type: 'merge.conflict' })
  /** The run branch moved during the merge; the task goes to the end of the merge queue. */
  | (OfTask & { readonly type: 'merge.outrun' });

/** Outcomes that end or return the attempt of a step. */
export type StepOutcome = Extract<
  WorkOutcome,
  { type: 'step.finished' | 'step.failed' | 'step.limited' | 'step.asked' | 'step.stopped' | 'step.lost' }
>;
