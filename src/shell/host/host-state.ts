// The state of a host, and how a claim leaves it.
//
// host/Q1. A claim that was ever held leaves by `settle` alone, with one outcome.
// host/Q2. A worker that has exited may have written its outcome before, so the attempt file is read first.
// host/Q3. Leftover processes of a dead worker are ended before its claim is reported; the next attempt never meets
//     them.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimKey, type Assignment, type ClaimRef } from '../../core/protocol/assignment.ts';
import type { Spend } from '../../core/protocol/result.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import { ATTEMPT_FILES, attemptFolder, inFolder } from './attempt-folder.ts';
import type { ClaimTrace } from '../ports/agents.ts';
import type { Clock } from '../ports/clock.ts';
import type { Process } from '../ports/log.ts';
import type { ClaimTags } from './claim-tags.ts';
import type { HeldMerges } from './held-merges.ts';
import { outcomeOf, UNKNOWN_SPEND, type MissingOutcome } from './missing-outcome.ts';
import type { Outbox } from './outbox.ts';
import { readOutcome } from './read-outcome.ts';
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
  /** No worker is free yet. */
  | { readonly type: 'waiting'; readonly assignment: Assignment }
  | { readonly type: 'worker'; readonly worker: PoolWorker<HeldClaim>; readonly assignment: Assignment }
  /** A worker that another host started: there is no channel to it. Its attempt file may not be written yet. */
  | { readonly type: 'reattached'; readonly process: Process | undefined; readonly at: number }
  /** Its worker has exited, and its leftover processes are being ended. */
  | { readonly type: 'orphans' };

export interface Holding extends ClaimTags {
  readonly by: HeldBy;
  readonly since: number;
  readonly timeoutMs: number | undefined;
}

export const holdClaim = (claim: ClaimRef, { home, run, by, since, timeoutMs }: Holding): HeldClaim => ({
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

export function settle(state: HostState, held: HeldClaim, outcome: WorkOutcome): void {
  state.held.delete(held.key);
  state.known.add(held.key);
  state.outbox.add(outcome);
  // One scan of all processes serves all claims that have ended since the last one; a scan per step costs too much.
  state.timers.within('reap', REAP_WITHIN_MS);
  state.sendSoon();
  state.onSettled();
}

/** Settles a claim when its worker has written an outcome. */
export function settleByAttemptFile(state: HostState, held: HeldClaim): boolean {
  const read = readOutcome(held.folder, held.claim);
  if (read.type === 'outcome') settle(state, held, read.outcome);
  return read.type === 'outcome';
}

/** The worker of a claim has died. */
export function declareLost(
  state: HostState,
  held: HeldClaim,
  end: Extract<MissingOutcome, { type: 'crashed' | 'lost' }>,
): void {
  const read = readOutcome(held.folder, held.claim);
  if (read.type === 'outcome') {
    settle(state, held, read.outcome);
    return;
  }
  if (read.type === 'damaged') appendToOutput(held, `The outcome is taken to be missing: ${read.message}`);
  held.by = { type: 'orphans' };
  const report = (): void => {
    const ending = held.ending?.end ?? end;
    if (ending.type !== 'stopped') appendToOutput(held, ending.message);
    // The last reported spend may be incomplete.
    settle(state, held, outcomeOf(held.claim, UNKNOWN_SPEND, ending));
  };
  void state.reaper.reap().then(report);
}

/** People look for the reason in the step's output. */
function appendToOutput({ folder }: HeldClaim, sentence: string): void {
  try {
    inFolder(join(folder, ATTEMPT_FILES.output), (file) => appendFileSync(file, `heddle: ${sentence}\n`));
  } catch {
    // The disk may be full; the outcome says the same in short.
    return;
  }
}
