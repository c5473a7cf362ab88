// Takes over what another host began: a coordinator that died leaves its workers at work.
//
// D1. A worker is known by its number and its start together; what only has the same number is let be.
// D2. A worker that lives keeps its claim, however silent it is.
import { isAlive } from '../exec/process.ts';
import { claimKey, type ClaimRef } from '../../core/protocol/assignment.ts';
import { lastHeartbeatAt, readAttempt, readLiveSpend, timeoutIn } from './read-attempt.ts';
import { bury, LIVE_EVERY_MS, settleByNote, take, type Floor } from './host-state.ts';
import { holdClaim, type HeldClaim } from './held-claim.ts';

/** One look at all that were adopted costs some tens of microseconds each. */
const WATCH_EVERY_MS = 250;
const NOTE_WAIT_MS = 2_000;

const LOST = 'Its worker ended together with the coordinator that had started it.';
const CRASHED = 'Its worker ended without leaving an outcome.';

const LOST_TOO = { type: 'lost', message: LOST } as const;

/** What ended the coordinator may have ended its workers as well, and the system takes a moment to let them go. */
const DYING_MS = 3_000;
const wasDying = ({ clock }: Floor, adoptedAt: number): boolean => clock.monotonic() - adoptedAt < DYING_MS;

export function recover(floor: Floor, claims: readonly ClaimRef[]): void {
  for (const claim of claims) {
    const key = claimKey(claim);
    if (!floor.held.has(key) && !floor.outbox.has(key)) takeOver(floor, claim);
  }
}

/** Whether there was something to take over: an outcome, a worker at work, or what a dead one left. */
export function takeOver(floor: Floor, claim: ClaimRef): boolean {
  const since = floor.clock.monotonic();
  const held = holdClaim(claim, {
    ...floor,
    by: { type: 'adopted', process: undefined, at: since },
    since,
    timeoutMs: undefined,
  });
  if (settleByNote(floor, held)) return true;
  const read = readAttempt(held.folder, claim);
  const isFence = read.type === 'attempt' && read.attempt.pid === process.pid;
  if (read.type === 'none' || isFence) return false;
  take(floor, held);
  adopt(floor, held);
  return true;
}

/** Another worker than one of ours has it. */
export function adopt(floor: Floor, held: HeldClaim): void {
  held.by = { type: 'adopted', process: undefined, at: floor.clock.monotonic() };
  held.spend = readLiveSpend(held.folder) ?? held.spend;
  meet(floor, held);
  floor.timers.within('watch', WATCH_EVERY_MS);
  floor.timers.within('look', WATCH_EVERY_MS);
}

/** Learns which process it is from its note. A note that is being written is waited for. */
function meet(floor: Floor, held: HeldClaim): void {
  const { clock } = floor;
  const read = readAttempt(held.folder, held.claim);
  if (read.type !== 'attempt') {
    if (clock.monotonic() - held.since > NOTE_WAIT_MS) bury(floor, held, LOST_TOO);
    return;
  }
  const { pid, startedAt, at, assignment } = read.attempt;
  held.timeoutMs ??= timeoutIn(assignment);
  held.since = clock.monotonic() - Math.max(0, clock.now() - at);
  // A note of ours is a fence (S2): nobody is at work behind it, and this process is never taken for a worker.
  if (pid !== process.pid && isAlive({ pid, startedAt }))
    held.by = { type: 'adopted', process: { pid, startedAt }, at: clock.monotonic() };
  else bury(floor, held, LOST_TOO);
}

/** One look at all that were adopted. */
export function watch(floor: Floor): void {
  const adopted = [...floor.held.values()].filter(({ by }) => by.type === 'adopted');
  for (const held of adopted) watchOne(floor, held);
  if (adopted.length === 0) return;
  floor.timers.within('watch', WATCH_EVERY_MS);
  floor.timers.within('live', LIVE_EVERY_MS);
}

function watchOne(floor: Floor, held: HeldClaim): void {
  if (held.by.type !== 'adopted' || settleByNote(floor, held)) return;
  if (held.by.process === undefined) meet(floor, held);
  else if (!isAlive(held.by.process))
    bury(floor, held, wasDying(floor, held.by.at) ? LOST_TOO : { type: 'crashed', message: CRASHED });
}

/** Live cost of those whose worker cannot tell it over a channel. */
export function readSpends(floor: Floor): boolean {
  let hasChanged = false;
  for (const held of floor.held.values()) {
    const spend = held.by.type === 'adopted' ? readLiveSpend(held.folder) : undefined;
    if (spend === undefined || (spend.usd === held.spend.usd && spend.tokens === held.spend.tokens)) continue;
    held.spend = spend;
    hasChanged = true;
  }
  return hasChanged;
}

/** For how long its worker has not shown that it lives. */
export function silentMs({ clock }: Floor, held: HeldClaim): number {
  const heartbeatAt = lastHeartbeatAt(held.folder);
  return heartbeatAt === undefined ? clock.monotonic() - held.since : Math.max(0, clock.now() - heartbeatAt);
}
