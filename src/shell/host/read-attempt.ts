// Reads the files that a worker or an earlier host left in an attempt's folder, except the outcome.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isAmount } from '../../core/plan/json-fields.ts';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import { isOfClaim, parseSpend } from '../../core/protocol/parse-outcome.ts';
import type { Spend } from '../../core/protocol/result.ts';
import { ATTEMPT_FILES, attemptFile, type AttemptRecord } from './attempt-folder.ts';
import { readJson } from './read-json.ts';
import { isObject } from '../../core/plan/json-fields.ts';

export type ReadAttempt =
  /** The assignment and the outcome are not validated. */
  | { readonly type: 'attempt'; readonly attempt: Unchecked }
  | { readonly type: 'none' }
  /** The worker may still be writing the file, or was killed while writing. */
  | { readonly type: 'damaged'; readonly message: string };

type Unchecked = Omit<AttemptRecord, 'assignment' | 'outcome'> & {
  readonly assignment: unknown;
  readonly outcome: unknown;
};

export function readAttempt(folder: string, claim: ClaimRef): ReadAttempt {
  const path = attemptFile(folder);
  const read = readJson(path);
  if (read.type !== 'value') return read;
  const damaged = { type: 'damaged', message: `${path} does not say who works on this attempt` } as const;
  if (!isObject(read.value) || !isOfClaim(read.value['claim'], claim)) return damaged;
  const { pid, startedAt, at, assignment, outcome } = read.value;
  // A pid below two is not a worker's, and a signal to it would reach many processes.
  if (!isAmount(pid) || pid < 2 || typeof startedAt !== 'string' || !isAmount(at)) return damaged;
  return { type: 'attempt', attempt: { pid, startedAt, claim, at, assignment, outcome } };
}

/** The spend so far, when the worker has written one. */
export function readLiveSpend(folder: string): Spend | undefined {
  const read = readJson(join(folder, ATTEMPT_FILES.live));
  return read.type === 'value' && isObject(read.value) ? parseSpend(read.value['spend']) : undefined;
}

/** The time limit in an assignment that an earlier host wrote, when it can still be read. */
export function timeoutIn(assignment: unknown): number | undefined {
  const limits = isObject(assignment) ? assignment['limits'] : undefined;
  return isObject(limits) && isAmount(limits['timeoutMs']) ? limits['timeoutMs'] : undefined;
}

/** The worker's latest heartbeat, by the system's clock. */
export function lastHeartbeatAt(folder: string): number | undefined {
  return statSync(join(folder, ATTEMPT_FILES.heartbeat), { throwIfNoEntry: false })?.mtimeMs;
}
