// An attempt file as tests read it.
import { existsSync, readFileSync } from 'node:fs';
import { attemptFile, type AttemptRecord } from './attempt-folder.ts';

export interface AttemptSeen {
  /** The worker that has the claim; undefined while the file is being written. */
  readonly worker: AttemptRecord | undefined;
  /** Undefined until the claim has ended. */
  readonly outcome: AttemptRecord['outcome'];
}

/** Undefined when no worker has the claim. */
export function seeAttempt(folder: string): AttemptSeen | undefined {
  const file = attemptFile(folder);
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  // A worker creates the file before it writes into it, and writes nothing but records.
  const worker = text === '' ? undefined : (JSON.parse(text) as AttemptRecord);
  return { worker, outcome: worker?.outcome };
}

/** Pid of the worker that has the claim. Throws when there is none: a signal to pid 0 would reach the test's own group. */
export function pidInAttempt(folder: string): number {
  const pid = seeAttempt(folder)?.worker?.pid;
  if (pid === undefined) throw new Error(`No worker has written an attempt file in ${folder}.`);
  return pid;
}
