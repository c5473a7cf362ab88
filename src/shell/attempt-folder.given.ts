// An attempt's note as tests look at it.
import { existsSync, readFileSync } from 'node:fs';
import { attemptNote } from './attempt-folder.ts';

export interface NoteSeen {
  /** Whose the claim is. */
  readonly worker: unknown;
  /** Undefined until it is there, whole. */
  readonly outcome: unknown;
}

/** Undefined when nobody has the claim. */
export function seeNote(folder: string): NoteSeen | undefined {
  const file = attemptNote(folder);
  if (!existsSync(file)) return undefined;
  // What stands after the last end of a line is still being written.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const [worker, outcome] = lines.map((line): unknown => JSON.parse(line));
  return { worker, outcome };
}

/** Of a worker that has a claim. */
export function pidInNote(folder: string): number {
  const worker = seeNote(folder)?.worker;
  return typeof worker === 'object' && worker !== null && 'pid' in worker ? Number(worker.pid) : 0;
}
