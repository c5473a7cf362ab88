// What a worker and an earlier host left of an attempt besides the outcome.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isSameClaim, type ClaimRef } from '../../../core/engine/hosts/assignment.ts';
import type { Spend } from '../../../core/engine/event.ts';
import { ATTEMPT_FILES, attemptNote, type WorkerNote } from '../../attempt-folder.ts';
import { isAmount, isFields, readJson, readJsonLines } from './read-json.ts';

export type ReadWorkerNote =
  | { readonly type: 'note'; readonly note: Omit<WorkerNote, 'assignment'> }
  | { readonly type: 'none' }
  /** Its worker may be about to write it, or was killed while it did. */
  | { readonly type: 'damaged' };

export function readWorkerNote(folder: string, claim: ClaimRef): ReadWorkerNote {
  const read = readJsonLines(attemptNote(folder));
  if (read.type !== 'lines') return { type: read.type };
  const [value] = read.values;
  if (!isFields(value) || !isOf(value['claim'], claim)) return { type: 'damaged' };
  const { pid, startedAt, at } = value;
  // A number below two is no process of ours, and signals to it would go to many.
  if (!isAmount(pid) || pid < 2 || typeof startedAt !== 'string' || !isAmount(at)) return { type: 'damaged' };
  return { type: 'note', note: { pid, startedAt, claim, at } };
}

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
export function readTimeoutMs(folder: string): number | undefined {
  const read = readJsonLines(attemptNote(folder));
  const note = read.type === 'lines' ? read.values[0] : undefined;
  const given = isFields(note) ? note['assignment'] : undefined;
  const limits = isFields(given) ? given['limits'] : undefined;
  return isFields(limits) && isAmount(limits['timeoutMs']) ? limits['timeoutMs'] : undefined;
}

/** When the worker last showed that it lives, by the system's clock. */
export function lastBeatAt(folder: string): number | undefined {
  return statSync(join(folder, ATTEMPT_FILES.beat), { throwIfNoEntry: false })?.mtimeMs;
}
