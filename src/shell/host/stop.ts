// Ends claims: asks, waits for the grace, then uses force, also on a worker that does not answer.
//
// host/S1. Asking again changes nothing, unless it leaves less time.
// host/S2. A claim that is not held here is reported as stopped only once no worker can begin it any more.
import { writeFileSync } from 'node:fs';
import { claimKey, type ClaimRef } from '../../core/protocol/assignment.ts';
import { attemptFile, attemptFolder, inFolder, type AttemptRecord } from './attempt-folder.ts';
import { isAlive, thisProcess } from '../exec/process.ts';
import { declareLost } from './conclude-claim.ts';
import { settleHeld, type HeldClaim, type HostState } from './host-state.ts';
import { NO_SPEND, outcomeOf, UNKNOWN_SPEND, type MissingOutcome } from './missing-outcome.ts';
import { reattach, reattachIfBegun, silentMs } from './reattach.ts';
import type { Stop } from './worker-messages.ts';

/** Time beyond the grace for a worker to end its step, write the outcome and report it. */
const ANSWER_MS = 2_000;
/** A worker writes a heartbeat every five seconds and enforces the time limit itself; a frozen worker does neither. */
const SILENT_MS = 15_000;
const OVERRUN_MS = 10_000;
const CHECK_EVERY_MS = 5_000;

/** Returns whether the claim was not already ending. */
export function stopClaim(state: HostState, claim: ClaimRef, graceMs: number): boolean {
  const key = claimKey(claim);
  if (state.outbox.has(key)) return false;
  if (claim.work === 'merge') return state.merges.stop(claim);
  if (!state.held.has(key) && !reattachIfBegun(state, claim) && fence(state, claim)) {
    state.outbox.add(outcomeOf(claim, UNKNOWN_SPEND, { type: 'stopped' }));
    state.sendSoon();
    return true;
  }
  const held = state.held.get(key);
  return held === undefined || stopHeld(state, held, graceMs);
}

/** Makes a worker refuse the claim if a dead coordinator assigned it. */
function fence(state: HostState, claim: ClaimRef): boolean {
  // Otherwise a worker came first, and is reattached, or the folder is not writable, and no worker can begin.
  return putAttemptFile(state, claim) || !reattachIfBegun(state, claim);
}

/** Writes an attempt file instead of a worker; false when there is one already, or none can be written. */
function putAttemptFile(state: HostState, claim: ClaimRef): boolean {
  const folder = attemptFolder(state.home, state.run, claim);
  const at = state.clock.now();
  const record: AttemptRecord = { ...thisProcess(), claim, at, assignment: undefined, outcome: undefined };
  try {
    inFolder(attemptFile(folder), (file) => writeFileSync(file, JSON.stringify(record), { flag: 'wx' }));
    return true;
  } catch {
    return false;
  }
}

function stopHeld(state: HostState, held: HeldClaim, graceMs: number): boolean {
  const forceAt = state.clock.monotonic() + graceMs + (isQuick(held, graceMs) ? 0 : ANSWER_MS);
  if (held.ending !== undefined && held.ending.forceAt <= forceAt) return false;
  const isFirst = held.ending === undefined;
  held.ending = { end: { type: 'stopped' }, forceAt };
  if (held.by.type === 'waiting' || held.by.type === 'bringing')
    settleHeld(state, held, outcomeOf(held.claim, NO_SPEND, { type: 'stopped' }));
  if (held.by.type === 'worker') held.by.worker.send({ type: 'stop', claim: held.claim, graceMs } satisfies Stop);
  if (held.by.type === 'reattached' && isFirst) signal(held, 'SIGTERM');
  state.timers.within('force', Math.max(0, forceAt - state.clock.monotonic()));
  return true;
}

/** A reattached worker has no channel to receive the grace on, so without a grace it is killed at once. */
const isQuick = ({ by }: HeldClaim, graceMs: number): boolean => by.type === 'reattached' && graceMs === 0;

export function stopAll(state: HostState, graceMs: number): void {
  state.isStopping = true;
  for (const held of state.held.values()) stopHeld(state, held, graceMs);
  for (const claim of state.merges.claims()) state.merges.stop(claim);
  state.timers.within('reap', 0);
  state.sendSoon();
}

/** Kills the workers that were asked to stop and have not answered in time. */
export function forceEnd(state: HostState): void {
  const now = state.clock.monotonic();
  for (const held of state.held.values()) {
    if (held.ending === undefined || held.ending.forceAt === Infinity) continue;
    if (held.ending.forceAt > now) {
      state.timers.within('force', held.ending.forceAt - now);
      continue;
    }
    held.ending = { ...held.ending, forceAt: Infinity };
    kill(state, held);
  }
}

function kill(state: HostState, held: HeldClaim): void {
  if (held.by.type === 'worker') held.by.worker.kill();
  // What it has made stays on this host.
  if (held.by.type === 'delivering')
    settleHeld(state, held, outcomeOf(held.claim, held.by.outcome.spend, { type: 'stopped' }));
  if (held.by.type !== 'reattached') return;
  signal(held, 'SIGKILL');
  if (held.by.process === undefined) declareLost(state, held, { type: 'lost', message: 'Its worker was never seen.' });
  else state.timers.within('watch', 0);
}

function signal({ by }: HeldClaim, name: NodeJS.Signals): void {
  if (by.type !== 'reattached' || by.process === undefined || !isAlive(by.process)) return;
  try {
    process.kill(by.process.pid, name);
  } catch {
    // The process exited in this very moment, as wanted.
    return;
  }
}

/** Finds workers without a channel, and workers that are silent and over their time limit: frozen, for example. */
export function checkWorkers(state: HostState): void {
  for (const held of state.held.values()) {
    if (held.by.type === 'worker' && !held.by.worker.isConnected()) reattach(state, held);
    if (isOverrun(state, held)) endOverrun(state, held);
  }
  if (state.held.size > 0) state.timers.within('check', CHECK_EVERY_MS);
}

function isOverrun(state: HostState, held: HeldClaim): boolean {
  const { by, since, timeoutMs, ending } = held;
  const isRunning = by.type === 'worker' || by.type === 'reattached';
  if (!isRunning || timeoutMs === undefined || ending !== undefined) return false;
  const overMs = state.clock.monotonic() - since - timeoutMs - state.graceMs;
  return overMs > OVERRUN_MS && silentMs(state, held) > SILENT_MS;
}

function endOverrun(state: HostState, held: HeldClaim): void {
  const message = `It was over its time limit of ${held.timeoutMs} ms, and its worker had been silent for ${SILENT_MS} ms.`;
  const end: MissingOutcome = { type: 'timeout', message };
  held.ending = { end, forceAt: state.clock.monotonic() };
  state.timers.within('force', 0);
}
