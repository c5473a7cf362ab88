// What a worker and an earlier host left of an attempt besides the outcome.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isSameClaim, type ClaimRef } from '../../../core/protocol/assignment.ts';
import type { Spend } from '../../../core/protocol/result.ts';
import { ATTEMPT_FILES, attemptNote, type WorkerNote } from '../../attempt-folder.ts';
import { isAmount, isFields, readJson, readJsonLines, type Fields } from './read-json.ts';

export type ReadWorkerNote =
  /** What it was to do is as somebody wrote it. */
  | { readonly type: 'note'; readonly note: Omit<WorkerNote, 'assignment'> & { readonly assignment: unknown } }
  | { readonly type: 'none' }
  /** Its worker may be about to write it, or was killed while it did. */
  | { readonly type: 'damaged' };

export function readWorkerNote(folder: string, claim: ClaimRef): ReadWorkerNote {
  const read = readNote(folder, claim);
  if (read.type !== 'note') return { type: read.type };
  const { pid, startedAt, at, assignment } = read.worker;
  // A number below two is no process of ours, and signals to it would go to many.
  if (!isAmount(pid) || pid < 2 || typeof startedAt !== 'string' || !isAmount(at)) return { type: 'damaged' };
  return { type: 'note', note: { pid, startedAt, claim, at, assignment } };
}

export type ReadNote =
  /** `after` is what its worker wrote next, undefined in the place of what is no JSON. */
  | { readonly type: 'note'; readonly worker: Fields; readonly after: readonly unknown[] }
  | { readonly type: 'none' }
  | { readonly type: 'damaged'; readonly message: string };

/** The lines of this attempt: from the one that says whose it is to the next of that kind. */
export function readNote(folder: string, claim: ClaimRef): ReadNote {
  const path = attemptNote(folder);
  const read = readJsonLines(path);
  if (read.type !== 'lines') return read;
  const from = read.values.findIndex((value) => isWorker(value) && isOf(value['claim'], claim));
  const worker = read.values[from];
  if (!isWorker(worker)) return { type: 'damaged', message: `${path} does not say whose this attempt is` };
  const later = read.values.slice(from + 1);
  const next = later.findIndex(isWorker);
  return { type: 'note', worker, after: next === -1 ? later : later.slice(0, next) };
}

const isWorker = (value: unknown): value is Fields => isFields(value) && 'claim' in value;

export const isOf = (value: unknown, claim: ClaimRef): boolean => {
  if (!isFields(value)) return false;
  const { task, step, attempt } = value;
  if (typeof task !== 'string' || !isAmount(attempt)) return false;
  return (step === undefined || typeof step === 'string') && isSameClaim({ task, step, attempt }, claim);
};

/** What has been spent so far, when the worker has said. */
export function readLiveSpend(folder: string): Spend | undefined {
  const read = readJson(join(folder, ATTEMPT_FILES.live));
  return read.type === 'value' && isFields(read.value) ? parseSpend(read.value['spend']) : undefined;
}

export function parseSpend(value: unknown): Spend | undefined {
  if (!isFields(value)) return undefined;
  const { usd, tokens } = value;
  if (!isAmount(usd) && usd !== undefined) return undefined;
  if (!isAmount(tokens) && tokens !== undefined) return undefined;
  return { usd, tokens };
}

/** The time limit that an earlier host gave, when it can still be read. */
export function readTimeoutMs(folder: string, claim: ClaimRef): number | undefined {
  const read = readWorkerNote(folder, claim);
  const given = read.type === 'note' ? read.note.assignment : undefined;
  const limits = isFields(given) ? given['limits'] : undefined;
  return isFields(limits) && isAmount(limits['timeoutMs']) ? limits['timeoutMs'] : undefined;
}

/** When the worker last showed that it lives, by the system's clock. */
export function lastBeatAt(folder: string): number | undefined {
  return statSync(join(folder, ATTEMPT_FILES.beat), { throwIfNoEntry: false })?.mtimeMs;
}
