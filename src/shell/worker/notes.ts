// The small files that a worker leaves in an attempt's folder.
//
// Nothing here is forced to the disk: the log is the durable record. What a power cut takes of these files it takes with
// the step itself, and a claim without an outcome is declared lost and made again.
import { closeSync, mkdirSync, openSync, renameSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ATTEMPT_FILES, type LiveNote, type OutcomeNote, type TurnNote, type WorkerNote } from '../attempt-folder.ts';

const OUTCOME_RETRY_MS = 1000;
const OUTCOME_TRIES_MAX = 600;

export type Noted =
  | { readonly type: 'noted' }
  | { readonly type: 'taken' }
  | { readonly type: 'failed'; readonly message: string };

/** Makes the folder and takes the claim for this worker (F1). */
export function noteWorker(folder: string, note: WorkerNote): Noted {
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, ATTEMPT_FILES.worker), JSON.stringify(note), { flag: 'wx' });
    return { type: 'noted' };
  } catch (cause) {
    return codeOf(cause) === 'EEXIST' ? { type: 'taken' } : { type: 'failed', message: wordsOf(cause) };
  }
}

/**
 * Puts the outcome in its place, whole (F2), and keeps trying when the disk will not have it: the outcome exists nowhere
 * else. False when it gave up.
 */
export async function keepOutcome(folder: string, outcome: OutcomeNote): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    const kept = replaceFile(folder, ATTEMPT_FILES.outcome, outcome);
    if (kept.type === 'noted') return true;
    if (tries === 1) complain(`The outcome in ${folder} cannot be written, trying on: ${kept.message}\n`);
    if (tries === OUTCOME_TRIES_MAX) return false;
    await setTimeout(OUTCOME_RETRY_MS);
  }
}

/** Where this goes stands on the same disk, and a worker that may not say what is wrong goes on all the same. */
function complain(sentence: string): Noted {
  try {
    writeSync(STANDARD_ERROR, sentence);
    return { type: 'noted' };
  } catch (cause) {
    return { type: 'failed', message: wordsOf(cause) };
  }
}

const STANDARD_ERROR = 2;

/** What could not be noted is noted with the next change. */
export const noteLive = (folder: string, note: LiveNote): Noted => replaceFile(folder, ATTEMPT_FILES.live, note);

export const noteTurn = (folder: string, note: TurnNote): Noted => replaceFile(folder, ATTEMPT_FILES.turn, note);

/** Shows that this worker lives; when it cannot be shown, the next beat tries again. */
export function beat(folder: string): Noted {
  const path = join(folder, ATTEMPT_FILES.beat);
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch (cause) {
    return codeOf(cause) === 'ENOENT' ? touch(path) : { type: 'failed', message: wordsOf(cause) };
  }
  return { type: 'noted' };
}

function touch(path: string): Noted {
  try {
    closeSync(openSync(path, 'a'));
    return { type: 'noted' };
  } catch (cause) {
    return { type: 'failed', message: wordsOf(cause) };
  }
}

function replaceFile(
  folder: string,
  name: string,
  value: LiveNote | OutcomeNote | TurnNote,
): Exclude<Noted, { type: 'taken' }> {
  // The number of the process, because nobody else may be writing the same file under the same name.
  const partial = join(folder, `${name}.${process.pid}`);
  try {
    writeFileSync(partial, JSON.stringify(value));
    renameSync(partial, join(folder, name));
    return { type: 'noted' };
  } catch (cause) {
    // Somebody may have removed the folder; what was found out is worth making it again.
    return codeOf(cause) === 'ENOENT' ? makeAgain(folder, cause) : { type: 'failed', message: wordsOf(cause) };
  }
}

/** Only the folder; the file is written with the next try. */
function makeAgain(folder: string, why: unknown): Extract<Noted, { type: 'failed' }> {
  try {
    mkdirSync(folder, { recursive: true });
    return { type: 'failed', message: wordsOf(why) };
  } catch (cause) {
    return { type: 'failed', message: wordsOf(cause) };
  }
}

const codeOf = (cause: unknown): unknown => (cause instanceof Error && 'code' in cause ? cause.code : undefined);
const wordsOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
