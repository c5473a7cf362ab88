// Reattaches to workers that another host started: a coordinator that died leaves its workers running.
//
// host/D1. A worker is identified by its pid and its start time together; a process with only the same pid is left
//     alone.
// host/D2. A live worker keeps its claim, however long it has been silent.
import { claimKey, type ClaimRef } from '../../core/protocol/assignment.ts';
import { isAlive } from '../exec/process.ts';
import { declareLost, settleByAttemptFile } from './conclude-claim.ts';
import { holdClaim, keepClaim, LIVE_EVERY_MS, type HeldClaim, type HostState } from './host-state.ts';
import { lastHeartbeatAt, readAttempt, readLiveSpend, timeoutIn } from './read-attempt.ts';

/** Checking a reattached worker costs some tens of microseconds. */
const WATCH_EVERY_MS = 250;
const ATTEMPT_FILE_WAIT_MS = 2_000;

const LOST = { type: 'lost', message: 'Its worker ended together with the coordinator that had started it.' } as const;
const CRASHED = { type: 'crashed', message: 'Its worker ended without leaving an outcome.' } as const;

/** Whatever killed the coordinator may have killed its workers too, and the system needs a moment to remove them. */
const DYING_MS = 3_000;
const wasDying = ({ clock }: HostState, reattachedAt: number): boolean => clock.monotonic() - reattachedAt < DYING_MS;

/** Merges are not begun by workers: they are offered again. */
export function reattachClaims(state: HostState, claims: readonly ClaimRef[]): void {
  for (const claim of claims.filter(({ work }) => work !== 'merge')) {
    const key = claimKey(claim);
    if (!state.held.has(key) && !state.outbox.has(key)) reattachIfBegun(state, claim);
  }
}

/** Whether another host had begun the claim: there is an outcome, a running worker, or the files of a dead one. */
export function reattachIfBegun(state: HostState, claim: ClaimRef): boolean {
  const since = state.clock.monotonic();
  const held = holdClaim(claim, {
    ...state,
    by: { type: 'reattached', process: undefined, at: since },
    since,
    timeoutMs: undefined,
  });
  if (settleByAttemptFile(state, held)) return true;
  const read = readAttempt(held.folder, claim);
  const isFence = read.type === 'attempt' && read.attempt.pid === process.pid;
  if (read.type === 'none' || isFence) return false;
  keepClaim(state, held);
  reattach(state, held);
  return true;
}

/** A worker outside of this host's pool has the claim. */
export function reattach(state: HostState, held: HeldClaim): void {
  held.by = { type: 'reattached', process: undefined, at: state.clock.monotonic() };
  held.spend = readLiveSpend(held.folder) ?? held.spend;
  identify(state, held);
  state.timers.within('watch', WATCH_EVERY_MS);
  state.timers.within('check', WATCH_EVERY_MS);
}

/** Reads the worker's process from the attempt file. A file that is being written is waited for. */
function identify(state: HostState, held: HeldClaim): void {
  const { clock } = state;
  const read = readAttempt(held.folder, held.claim);
  if (read.type !== 'attempt') {
    if (clock.monotonic() - held.since > ATTEMPT_FILE_WAIT_MS) declareLost(state, held, LOST);
    return;
  }
  const { pid, startedAt, at, assignment } = read.attempt;
  held.timeoutMs ??= timeoutIn(assignment);
  held.since = clock.monotonic() - Math.max(0, clock.now() - at);
  // An attempt file that this process wrote is a fence (host/S2): it has no worker, and this process is never taken for
  // one.
  if (pid !== process.pid && isAlive({ pid, startedAt }))
    held.by = { type: 'reattached', process: { pid, startedAt }, at: clock.monotonic() };
  else declareLost(state, held, LOST);
}

/** Checks all reattached workers once. */
export function watchReattached(state: HostState): void {
  const reattached = [...state.held.values()].filter(({ by }) => by.type === 'reattached');
  for (const held of reattached) watchOne(state, held);
  if (reattached.length === 0) return;
  state.timers.within('watch', WATCH_EVERY_MS);
  state.timers.within('live', LIVE_EVERY_MS);
}

function watchOne(state: HostState, held: HeldClaim): void {
  if (held.by.type !== 'reattached' || settleByAttemptFile(state, held)) return;
  if (held.by.process === undefined) identify(state, held);
  else if (!isAlive(held.by.process)) declareLost(state, held, wasDying(state, held.by.at) ? LOST : CRASHED);
}

/** Reads live cost of claims whose worker has no channel to this host; returns whether any has changed. */
export function readSpends(state: HostState): boolean {
  let hasChanged = false;
  for (const held of state.held.values()) {
    const spend = held.by.type === 'reattached' ? readLiveSpend(held.folder) : undefined;
    if (spend === undefined || (spend.usd === held.spend.usd && spend.tokens === held.spend.tokens)) continue;
    held.spend = spend;
    hasChanged = true;
  }
  return hasChanged;
}

/** Time since the last heartbeat of a claim's worker. */
export function silentMs({ clock }: HostState, held: HeldClaim): number {
  const heartbeatAt = lastHeartbeatAt(held.folder);
  return heartbeatAt === undefined ? clock.monotonic() - held.since : Math.max(0, clock.now() - heartbeatAt);
}
