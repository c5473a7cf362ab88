// The state of a host, and how a claim leaves it.
//
// host/Q1. A claim that was ever held leaves by `settle` alone, with one outcome.
import { claimKey, type Assignment, type ClaimRef } from '../../core/protocol/assignment.ts';
import type { Spend } from '../../core/protocol/result.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import { attemptFolder } from './attempt-folder.ts';
import type { ClaimTrace } from '../ports/agents.ts';
import type { ArtifactUpload } from '../ports/artifact-upload.ts';
import type { Clock } from '../ports/clock.ts';
import type { Process } from '../ports/log.ts';
import type { ObjectTransfer } from '../ports/object-transfer.ts';
import type { ClaimTags } from './claim-tags.ts';
import type { HeldMerges } from './held-merges.ts';
import type { LeasePlace } from './lease-file.ts';
import { UNKNOWN_SPEND, type MissingOutcome } from './missing-outcome.ts';
import type { Outbox } from './outbox.ts';
import type { Reaper } from './reap-orphans.ts';
import type { Timers } from './timers.ts';
import type { PoolWorker, WorkerPool } from './worker-pool.ts';

export type TimerName =
  | 'renew'
  | 'resend'
  | 'reopen'
  | 'live'
  | 'dispatch'
  | 'watch'
  | 'check'
  | 'force'
  | 'reap'
  | 'trim';

const REAP_WITHIN_MS = 1_000;
/** Live cost is reported at most this often. */
export const LIVE_EVERY_MS = 250;

export interface HostState extends ClaimTags {
  readonly cwd: string;
  readonly claimsMax: number;
  readonly graceMs: number;
  readonly clock: Clock;
  readonly traceOf: ((claim: ClaimRef) => ClaimTrace) | undefined;
  /** Set where commits have to travel between this host and the machine that has the log. */
  readonly transfer: ObjectTransfer | undefined;
  /** Set where the files of attempts have to travel there. */
  readonly artifacts: ArtifactUpload | undefined;
  /** Set where the claims of this host have leases. */
  readonly leases: LeasePlace | undefined;
  /** Whether there is room for one more claim, where hosts of several runs share it. */
  readonly hasRoom: () => boolean;
  readonly lacks: () => string | undefined;
  /** Called with claims whose outcomes the coordinator has. */
  readonly onReported: (claims: readonly ClaimRef[]) => void;
  /** Claims of workers. */
  readonly held: Map<string, HeldClaim>;
  readonly merges: HeldMerges;
  /** Keys of every claim that was ever held here, to recognise their leftover processes. */
  readonly known: Set<string>;
  readonly outbox: Outbox;
  readonly pool: WorkerPool<HeldClaim>;
  readonly reaper: Reaper;
  readonly timers: Timers<TimerName>;
  /** Sends a message soon. */
  readonly sendSoon: () => void;
  /** Called whenever a claim was settled. */
  onSettled: () => void;
  /** Whether a worker has reported cost that the coordinator has not received. */
  hasLiveChange: boolean;
  isStopping: boolean;
  isClosed: boolean;
}

/** A claim that this host holds, from the reply that assigned it to the outcome that settles it. */
export interface HeldClaim {
  readonly claim: ClaimRef;
  readonly key: string;
  readonly folder: string;
  by: HeldBy;
  /** As last reported. */
  spend: Spend;
  /** When its work began, if known, on the monotonic clock. */
  since: number;
  timeoutMs: number | undefined;
  /** Set when this host ends the claim: the outcome if the worker reports none, and when to use force. */
  ending: { readonly end: MissingOutcome; readonly forceAt: number } | undefined;
}

export type HeldBy =
  /** The commits that it starts from are not here yet. */
  | { readonly type: 'bringing'; readonly assignment: Assignment }
  /** No worker is free yet. */
  | { readonly type: 'waiting'; readonly assignment: Assignment }
  | { readonly type: 'worker'; readonly worker: PoolWorker<HeldClaim>; readonly assignment: Assignment }
  /** A worker that another host started: there is no channel to it. Its attempt file may not be written yet. */
  | { readonly type: 'reattached'; readonly process: Process | undefined; readonly at: number }
  /** Its worker has exited, and its leftover processes are being ended. */
  | { readonly type: 'orphans' }
  /** It is over, and what it has made is on its way to the machine that has the log. */
  | { readonly type: 'delivering'; readonly outcome: WorkOutcome };

export interface HeldRecord extends ClaimTags {
  readonly by: HeldBy;
  readonly since: number;
  readonly timeoutMs: number | undefined;
}

export const holdClaim = (claim: ClaimRef, { home, run, by, since, timeoutMs }: HeldRecord): HeldClaim => ({
  claim,
  key: claimKey(claim),
  folder: attemptFolder(home, run, claim),
  by,
  spend: UNKNOWN_SPEND,
  since,
  timeoutMs,
  ending: undefined,
});

export function keepClaim(state: HostState, held: HeldClaim): void {
  state.held.set(held.key, held);
  state.known.add(held.key);
}

/** Whether this host has not settled the claim, and is not closed. */
export const isHeld = (state: HostState, held: HeldClaim): boolean =>
  !state.isClosed && state.held.get(held.key) === held;

export function settleHeld(state: HostState, held: HeldClaim, outcome: WorkOutcome): void {
  state.held.delete(held.key);
  state.known.add(held.key);
  state.outbox.add(outcome);
  // One scan of all processes serves all claims that have ended since the last one; a scan per step costs too much.
  state.timers.within('reap', REAP_WITHIN_MS);
  state.sendSoon();
  state.onSettled();
}
