// Writes the files of an attempt's folder, for a worker.
//
// Nothing here is synced to the disk: the log is the durable record. A power cut that loses these files also ends the
// step, and a claim without an outcome is declared lost and made again.
import { appendFileSync, renameSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  ATTEMPT_FILES,
  attemptFile,
  inFolder,
  type AttemptRecord,
  type LiveRecord,
  type TurnRecord,
} from '../attempt-folder.ts';

const OUTCOME_RETRY_MS = 1000;
const OUTCOME_TRIES_MAX = 600;

export type Written = { readonly type: 'written' } | { readonly type: 'failed'; readonly message: string };

export type ClaimTaken = Written | { readonly type: 'taken' };

/** Takes the claim for this worker (attempt/F1). */
export function takeClaim(folder: string, record: AttemptRecord): ClaimTaken {
  try {
    inFolder(attemptFile(folder), (path) => writeFileSync(path, JSON.stringify(record), { flag: 'wx' }));
    return { type: 'written' };
  } catch (cause) {
    return codeOf(cause) === 'EEXIST' ? { type: 'taken' } : failed(cause);
  }
}

/**
 * Adds the outcome to the attempt file (attempt/F2). Retries when the disk refuses: the outcome exists nowhere else.
 * False when it gave up.
 */
export async function keepOutcome(folder: string, record: AttemptRecord): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    const kept = replaceFile(attemptFile(folder), record);
    if (kept.type === 'written') return true;
    if (tries === 1) logError(`The outcome in ${attemptFile(folder)} cannot be written, retrying: ${kept.message}\n`);
    if (tries === OUTCOME_TRIES_MAX) return false;
    await setTimeout(OUTCOME_RETRY_MS);
  }
}

const STANDARD_ERROR = 2;

/** Standard error is a file on the same disk; a worker that cannot log continues all the same. */
function logError(sentence: string): Written {
  try {
    writeSync(STANDARD_ERROR, sentence);
    return { type: 'written' };
  } catch (cause) {
    return failed(cause);
  }
}

/** A failed write is made up for by the next change. */
export const writeLive = (folder: string, record: LiveRecord): Written =>
  replaceFile(join(folder, ATTEMPT_FILES.live), record);

export const writeTurn = (folder: string, record: TurnRecord): Written =>
  replaceFile(join(folder, ATTEMPT_FILES.turn), record);

/** After a failure the next heartbeat tries again. */
export function touchHeartbeat(folder: string): Written {
  const file = join(folder, ATTEMPT_FILES.heartbeat);
  const now = new Date();
  try {
    utimesSync(file, now, now);
    return { type: 'written' };
  } catch {
    return touch(file);
  }
}

function touch(file: string): Written {
  try {
    inFolder(file, (path) => appendFileSync(path, ''));
    return { type: 'written' };
  } catch (cause) {
    return failed(cause);
  }
}

function replaceFile(file: string, record: AttemptRecord | LiveRecord | TurnRecord): Written {
  // The pid in the name: no other process may write the same partial file.
  const partial = `${file}.${process.pid}`;
  try {
    inFolder(partial, (path) => writeFileSync(path, JSON.stringify(record)));
    renameSync(partial, file);
    return { type: 'written' };
  } catch (cause) {
    return failed(cause);
  }
}

const codeOf = (cause: unknown): unknown => (cause instanceof Error && 'code' in cause ? cause.code : undefined);
const failed = (cause: unknown): Extract<Written, { type: 'failed' }> => ({
  type: 'failed',
  message: cause instanceof Error ? cause.message : String(cause),
});
