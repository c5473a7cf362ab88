// What comes back from the world: from workers, checks, the merge queue and people. Each becomes one event, or none
// when it is stale.
import type { Reason, Result, Spend } from './event.ts';

interface OfAttempt {
  readonly task: string;
  readonly step: string;
  readonly attempt: number;
  readonly spend: Spend;
}

export type Outcome =
  /** The step's program or agent came to its end; `result.ok` says how. */
  | (OfAttempt & { readonly type: 'step.finished'; readonly result: Result })
  /** It did not come to its end. `isFinal` when trying again cannot help. */
  | (OfAttempt & {
      readonly type: 'step.failed';
      readonly reason: Reason;
      readonly isFinal: boolean;
      readonly result: Result | undefined;
    })
  /** An account's quota ran out: the attempt does not count, and the pool rests. */
  | (OfAttempt & { readonly type: 'step.limited'; readonly pool: string | undefined; readonly until: number })
  /** It was ended because it had been condemned. */
  | (OfAttempt & { readonly type: 'step.stopped' })
  | { readonly type: 'check.finished'; readonly task: string; readonly ok: boolean; readonly tail: string }
  | { readonly type: 'check.stopped'; readonly task: string }
  | { readonly type: 'merge.finished'; readonly task: string; readonly commit: string | undefined }
  | { readonly type: 'merge.failed'; readonly task: string; readonly reason: Reason }
  /** The run branch moved under it; it goes to the end of the queue. */
  | { readonly type: 'merge.outrun'; readonly task: string }
  | { readonly type: 'answered'; readonly task: string; readonly step: string | undefined; readonly answer: Answered }
  | { readonly type: 'pause' | 'resume' }
  | { readonly type: 'cancel'; readonly tasks: readonly string[] }
  /** Nothing happened but time. */
  | { readonly type: 'time' };

export type Answered = 'approve' | 'reject' | 'retry';
