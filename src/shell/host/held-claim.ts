// A claim in the hands of this host, from the reply that gave it to the outcome that settles it.
import { claimKey, type Assignment, type ClaimRef } from '../../core/protocol/assignment.ts';
import type { Spend } from '../../core/protocol/result.ts';
import { attemptFolder } from '../attempt-folder.ts';
import type { Process } from '../ports.ts';
import { UNKNOWN, type End } from './missing-outcome.ts';
import type { Tagged } from './claim-tags.ts';
import type { Member } from './worker-pool.ts';

export interface HeldClaim {
  readonly claim: ClaimRef;
  readonly key: string;
  readonly folder: string;
  by: By;
  /** As far as is known. */
  spend: Spend;
  /** When its work began, as far as is known, on the clock that never goes back. */
  since: number;
  timeoutMs: number | undefined;
  /** Set when this host ends it: what will be reported if its worker cannot say more, and when force is used. */
  ending: { readonly end: End; readonly forceAt: number } | undefined;
}

export type By =
  /** No worker is free yet. */
  | { readonly type: 'waiting'; readonly assignment: Assignment }
  | { readonly type: 'worker'; readonly member: Member<HeldClaim>; readonly assignment: Assignment }
  /** A worker that another host started: there is no channel to it. Its note may not be written yet. */
  /** `at` is when it was taken over. */
  | { readonly type: 'adopted'; readonly process: Process | undefined; readonly at: number }
  /** Its worker is gone, and what is left of it is being ended. */
  | { readonly type: 'leftovers' };

export interface Holding extends Tagged {
  readonly by: By;
  readonly since: number;
  readonly timeoutMs: number | undefined;
}

export const holdClaim = (claim: ClaimRef, { home, run, by, since, timeoutMs }: Holding): HeldClaim => ({
  claim,
  key: claimKey(claim),
  folder: attemptFolder(home, run, claim),
  by,
  spend: UNKNOWN,
  since,
  timeoutMs,
  ending: undefined,
});
