// The commits of claims between this host and the machine that has the log.
//
// object-transfer/T1. Both may be begun twice, and repeated after a kill: what is there already does not travel again.
// object-transfer/T2. When `deliver` has answered without a failure, the commit is on the disk of the other side, under
//     the checkpoint ref of the claim. So the outcome that names it may be reported.
import type { Assignment, ClaimRef } from '../../core/protocol/assignment.ts';
import type { TransferFailure } from '../../core/protocol/transfer-failure.ts';

export interface ObjectTransfer {
  /** Makes the commits that an assignment starts from available in this host's repository. */
  readonly bring: (run: string, assignment: Assignment) => Promise<TransferFailure | undefined>;
  /** Writes the commit of an outcome to the claim's checkpoint ref on the other side. */
  readonly deliver: (run: string, claim: ClaimRef, commit: string) => Promise<TransferFailure | undefined>;
  /** A run is over: its refs here are removed, save those of commits that were never delivered. */
  readonly forget: (run: string) => Promise<void>;
}
