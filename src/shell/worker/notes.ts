// What a worker notes of an attempt.
//
// Nothing here is forced to the disk: the log is the durable record. What a power cut takes of these files it takes with
// the step itself, and a claim without an outcome is declared lost and made again.
import { appendFileSync, renameSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  ATTEMPT_FILES,
  attemptNote,
  inFolder,
  type LiveNote,
  type OutcomeNote,
  type TurnNote,
  type WorkerNote,
} from '../attempt-folder.ts';
import { addToNote, beginNote } from './note-file.ts';

const OUTCOME_RETRY_MS = 1000;
const OUTCOME_TRIES_MAX = 600;

export type Noted =
  | { readonly type: 'noted' }
  | { readonly type: 'taken' }
  | { readonly type: 'failed'; readonly message: string };

export type Tried = Exclude<Noted, { type: 'taken' }>;

/** Takes the claim for this worker (F1). */
export function noteWorker(folder: string, note: WorkerNote): Noted {
  try {
    beginNote(attemptNote(folder), lineOf(note), isBrief(note));
    return { type: 'noted' };
  } catch (cause) {
    return codeOf(cause) === 'EEXIST' ? { type: 'taken' } : failed(cause);
  }
}

/** Turns and what is done in a sandbox last longer than making a file does. */
const isBrief = ({ assignment }: WorkerNote): boolean =>
  assignment?.work.type === 'command' && assignment.sandbox === undefined;

/** What is to be kept of a claim that has come to its end. */
export interface Ending {
  readonly worker: WorkerNote;
  readonly outcome: OutcomeNote;
}

/**
 * Adds the outcome to the note (F2), and keeps trying when the disk will not have it: the outcome exists nowhere else. False
 * when it gave up.
 */
export async function keepOutcome(folder: string, ending: Ending): Promise<boolean> {
  if (addOutcome(folder, ending).type === 'noted') return true;
  for (let tries = 1; ; tries += 1) {
    // The note may be torn by now, gone, or no file any more, so it is put there anew.
    const kept = replaceFile(attemptNote(folder), `${lineOf(ending.worker)}${lineOf(ending.outcome)}`);
    if (kept.type === 'noted') return true;
    if (tries === 1) complain(`The outcome in ${attemptNote(folder)} cannot be written, trying on: ${kept.message}\n`);
    if (tries === OUTCOME_TRIES_MAX) return false;
    await setTimeout(OUTCOME_RETRY_MS);
  }
}

function addOutcome(folder: string, { outcome }: Ending): Tried {
  try {
    addToNote(attemptNote(folder), lineOf(outcome));
    return { type: 'noted' };
  } catch (cause) {
    return failed(cause);
  }
}

/** Where this goes stands on the same disk, and a worker that may not say what is wrong goes on all the same. */
function complain(sentence: string): Tried {
  try {
    writeSync(STANDARD_ERROR, sentence);
    return { type: 'noted' };
  } catch (cause) {
    return failed(cause);
  }
}

const STANDARD_ERROR = 2;

/** What could not be noted is noted with the next change. */
export const noteLive = (folder: string, note: LiveNote): Tried =>
  replaceFile(join(folder, ATTEMPT_FILES.live), JSON.stringify(note));

export const noteTurn = (folder: string, note: TurnNote): Tried =>
  replaceFile(join(folder, ATTEMPT_FILES.turn), JSON.stringify(note));

/** Shows that this worker lives; when it cannot be shown, the next beat tries again. */
export function beat(folder: string): Tried {
  const file = join(folder, ATTEMPT_FILES.beat);
  const now = new Date();
  try {
    utimesSync(file, now, now);
    return { type: 'noted' };
  } catch {
    return touch(file);
  }
}

function touch(file: string): Tried {
  try {
    inFolder(file, (path) => appendFileSync(path, ''));
    return { type: 'noted' };
  } catch (cause) {
    return failed(cause);
  }
}

function replaceFile(file: string, text: string): Tried {
  // The number of the process, because nobody else may be writing the same file under the same name.
  const partial = `${file}.${process.pid}`;
  try {
    inFolder(partial, (path) => writeFileSync(path, text));
    renameSync(partial, file);
    return { type: 'noted' };
  } catch (cause) {
    return failed(cause);
  }
}

const lineOf = (note: WorkerNote | OutcomeNote): string => `${JSON.stringify(note)}\n`;

const codeOf = (cause: unknown): unknown => (cause instanceof Error && 'code' in cause ? cause.code : undefined);
const failed = (cause: unknown): Extract<Noted, { type: 'failed' }> => ({
  type: 'failed',
  message: cause instanceof Error ? cause.message : String(cause),
});
