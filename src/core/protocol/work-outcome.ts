// What hosts and the merge queue report: how the work of a claim came out. Every outcome names the attempt, which is the
// fence: an outcome of another attempt is stale.
import type { Conflict, Permission, Reason, Remembered, Result, Spend } from './result.ts';

export type Memory = Omit<Remembered, 'agent'>;

interface OfAttempt {
  readonly task: string;
  readonly step: string;
  readonly attempt: number;
  readonly spend: Spend;
  /** Of an agent's turn: the conversation as it left it. */
  readonly conversation?: Memory | undefined;
  /** Of an agent's turn that was broken off: it had used tools, so its conversation is worth going on with. */
  readonly hasWorked?: boolean | undefined;
}

interface OfTask {
  readonly task: string;
  /** Of the check or the merge. */
  readonly attempt: number;
}

/** What workers report. */
export type WorkOutcome =
  /** The step's program or agent came to its end; `result.ok` says how. */
  | (OfAttempt & { readonly type: 'step.finished'; readonly result: Result })
  /** It did not come to its end. `isFinal` when trying again cannot help. */
  | (OfAttempt & {
      readonly type: 'step.failed';
      readonly reason: Reason;
      readonly isFinal: boolean;
      readonly result: Result | undefined;
    })
  /** An account may not ask more: the attempt does not count, and the pool rests. */
  | (OfAttempt & {
      readonly type: 'step.limited';
      readonly pool: string | undefined;
      /** Undefined when nobody says. */
      readonly until: number | undefined;
      readonly by?: 'rate_limit' | 'quota' | undefined;
      /** What it had made by then. */
      readonly result?: Result | undefined;
    })
  /** The agent wants to know something of a person before it goes on. */
  | (OfAttempt & {
      readonly type: 'step.asked';
      readonly question: string;
      readonly result: Result;
      /** Set when what it wants is leave to use a tool. */
      readonly permission?: Permission | undefined;
    })
  /** It was stopped, because it was being cancelled or because its host was asked to stop. */
  | (OfAttempt & { readonly type: 'step.stopped' })
  /** Its worker died with its coordinator or its host, which speaks neither for nor against it. */
  | (OfAttempt & { readonly type: 'step.lost' })
  /** It is at work and has spent so much since its attempt began. */
  | (OfAttempt & { readonly type: 'step.spending' })
  | (OfTask & { readonly type: 'check.finished'; readonly ok: boolean; readonly tail: string })
  | (OfTask & { readonly type: 'check.stopped' })
  /** Its worker is gone, and what it found with it. */
  | (OfTask & { readonly type: 'check.lost' });

/** What the merge queue reports. */
export type MergeOutcome =
  | (OfTask & { readonly type: 'merge.stopped' })
  | (OfTask & { readonly type: 'merge.finished'; readonly commit: string | undefined })
  /** It could not be merged, or what it was merged to did not pass. */
  | (OfTask & {
      readonly type: 'merge.failed';
      readonly reason: Reason;
      /** The end of what the check said, or why it could not be merged. */
      readonly tail: string;
      /** The check fails without the task's work as well. */
      readonly isBaseline: boolean;
    })
  | (OfTask & Conflict & { readonly type: 'merge.conflict' })
  /** The run branch moved under it; it goes to the end of the queue. */
  | (OfTask & { readonly type: 'merge.outrun' });

/** What ends or returns the attempt of a step. */
export type StepOutcome = Extract<
  WorkOutcome,
  { type: 'step.finished' | 'step.failed' | 'step.limited' | 'step.asked' | 'step.stopped' | 'step.lost' }
>;
