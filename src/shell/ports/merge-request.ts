// The merge queue of a host: it carries out the merges that the host holds.
import type { ClaimRef, Limits, MergeWork } from '../../core/protocol/assignment.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';

/** A merge that the host holds. */
export interface MergeRequest extends ClaimRef, Omit<MergeWork, 'type'> {
  readonly limits: Limits;
  /** To be stopped, unless it is merged already. */
  readonly isToStop: boolean;
}

export interface MergeQueue {
  /**
   * All merges that the host holds, in the order of their claims, whenever they change. A merge that is not listed any
   * more is withdrawn. Merges that were made before, by this queue or by one before it, must be recognised.
   */
  readonly want: (requests: readonly MergeRequest[]) => void;
  /** Ends running checks and reports nothing more. */
  readonly close: () => Promise<void>;
}

export type OpenMergeQueue = (report: (outcomes: readonly WorkOutcome[]) => void) => MergeQueue;
