// Ends claims: ask, wait the grace, and then use force, on the worker too when it does not answer.
//
// S1. Asking again changes nothing, unless it leaves less time.
// S2. A claim that nobody here holds is reported as stopped only once no worker can begin it any more.
import { writeFileSync } from 'node:fs';
import { claimKey, type ClaimRef } from '../../core/protocol/assignment.ts';
import { attemptFile, attemptFolder, inFolder, type AttemptRecord } from '../attempt-folder.ts';
import { isAlive, thisProcess } from '../exec/process.ts';
import { adopt, silentMs, takeOver } from './reattach.ts';
import { NOTHING, outcomeOf, UNKNOWN, type End } from './missing-outcome.ts';
import { bury, settle, type Floor } from './host-state.ts';
import type { Stop } from './worker-messages.ts';
import type { HeldClaim } from './held-claim.ts';

/** What a worker has on top of the grace to end its step, write the outcome and say so. */
const ANSWER_MS = 2_000;
const SILENT_MS = 30_000;
const OVERRUN_MS = 60_000;
const LOOK_EVERY_MS = 5_000;

/** Whether that was news. */
export function stop(floor: Floor, claim: ClaimRef, graceMs: number): boolean {
  const key = claimKey(claim);
  if (floor.outbox.has(key)) return false;
  if (!floor.held.has(key) && !takeOver(floor, claim) && fence(floor, claim)) {
    floor.outbox.add(outcomeOf(claim, UNKNOWN, { type: 'stopped' }));
    floor.speakSoon();
    return true;
  }
  const held = floor.held.get(key);
  return held === undefined || stopHeld(floor, held, graceMs);
}

/** So that one that was told of the claim by a dead coordinator refuses it. */
function fence(floor: Floor, claim: ClaimRef): boolean {
  // Else a worker came first, which is looked at again, or nobody can write here, and no worker can begin.
  return putAttemptFile(floor, claim) || !takeOver(floor, claim);
}

/** Writes an attempt file in the place of a worker's; false when there is one, or none can be written. */
function putAttemptFile(floor: Floor, claim: ClaimRef): boolean {
  const folder = attemptFolder(floor.home, floor.run, claim);
  const at = floor.clock.now();
  const record: AttemptRecord = { ...thisProcess(), claim, at, assignment: undefined, outcome: undefined };
  try {
    inFolder(attemptFile(folder), (file) => writeFileSync(file, JSON.stringify(record), { flag: 'wx' }));
    return true;
  } catch {
    return false;
  }
}

function stopHeld(floor: Floor, held: HeldClaim, graceMs: number): boolean {
  const forceAt = floor.clock.monotonic() + graceMs + (isQuick(held, graceMs) ? 0 : ANSWER_MS);
  if (held.ending !== undefined && held.ending.forceAt <= forceAt) return false;
  const isFirst = held.ending === undefined;
  held.ending = { end: { type: 'stopped' }, forceAt };
  if (held.by.type === 'waiting') settle(floor, held, outcomeOf(held.claim, NOTHING, { type: 'stopped' }));
  if (held.by.type === 'worker') held.by.member.send({ type: 'stop', claim: held.claim, graceMs } satisfies Stop);
  if (held.by.type === 'adopted' && isFirst) signal(held, 'SIGTERM');
  floor.timers.within('force', Math.max(0, forceAt - floor.clock.monotonic()));
  return true;
}

/** An adopted worker cannot be told how long the grace is, so it is not asked when there is none. */
const isQuick = ({ by }: HeldClaim, graceMs: number): boolean => by.type === 'adopted' && graceMs === 0;

export function stopAll(floor: Floor, graceMs: number): void {
  floor.isStopping = true;
  for (const held of floor.held.values()) stopHeld(floor, held, graceMs);
  floor.timers.within('reap', 0);
  floor.speakSoon();
}

/** Ends the workers that were asked and have not answered in time. */
export function force(floor: Floor): void {
  const now = floor.clock.monotonic();
  for (const held of floor.held.values()) {
    if (held.ending === undefined || held.ending.forceAt === Infinity) continue;
    if (held.ending.forceAt > now) {
      floor.timers.within('force', held.ending.forceAt - now);
      continue;
    }
    held.ending = { ...held.ending, forceAt: Infinity };
    kill(floor, held);
  }
}

function kill(floor: Floor, held: HeldClaim): void {
  if (held.by.type === 'worker') held.by.member.kill();
  if (held.by.type !== 'adopted') return;
  signal(held, 'SIGKILL');
  if (held.by.process === undefined) bury(floor, held, { type: 'lost', message: 'Its worker was never seen.' });
  else floor.timers.within('watch', 0);
}

function signal({ by }: HeldClaim, name: NodeJS.Signals): void {
  if (by.type !== 'adopted' || by.process === undefined || !isAlive(by.process)) return;
  try {
    process.kill(by.process.pid, name);
  } catch {
    // It ended in this very moment, which is what was wanted.
    return;
  }
}

/** Looks after workers that cannot look after themselves: silent beyond their limits, or without a channel. */
export function look(floor: Floor): void {
  for (const held of floor.held.values()) {
    if (held.by.type === 'worker' && !held.by.member.isConnected()) adopt(floor, held);
    if (isOverrun(floor, held)) endOverrun(floor, held);
  }
  if (floor.held.size > 0) floor.timers.within('look', LOOK_EVERY_MS);
}

function isOverrun(floor: Floor, held: HeldClaim): boolean {
  const { by, since, timeoutMs, ending } = held;
  const isAtWork = by.type === 'worker' || by.type === 'adopted';
  if (!isAtWork || timeoutMs === undefined || ending !== undefined) return false;
  const overMs = floor.clock.monotonic() - since - timeoutMs - floor.graceMs;
  return overMs > OVERRUN_MS && silentMs(floor, held) > SILENT_MS;
}

function endOverrun(floor: Floor, held: HeldClaim): void {
  const message = `It was over its time limit of ${held.timeoutMs} ms, and its worker had been silent for ${SILENT_MS} ms.`;
  const end: End = { type: 'timeout', message };
  held.ending = { end, forceAt: floor.clock.monotonic() };
  floor.timers.within('force', 0);
}
