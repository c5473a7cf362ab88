// An attempt's note as tests look at it.
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { ClaimRef } from '../core/protocol/assignment.ts';
import { attemptFolder, attemptNote } from './attempt-folder.ts';

export interface NoteSeen {
  /** Whose the claim is. */
  readonly worker: { readonly pid: number; readonly startedAt: string } | undefined;
  /** Undefined until it is there, whole. */
  readonly outcome: unknown;
}

/** Undefined when nobody has the claim. */
export function seeNote(folder: string): NoteSeen | undefined {
  const file = attemptNote(folder);
  if (!existsSync(file)) return undefined;
  // What stands after the last end of a line is still being written.
  const whole = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  // Workers write nothing else into these lines.
  const lines = whole.map((line) => JSON.parse(line) as Line).filter((line) => isOf(folder, line.claim ?? line));
  return {
    worker: lines.find(({ claim }) => claim !== undefined),
    outcome: lines.find(({ claim }) => claim === undefined),
  };
}

/** Folders that tests name themselves end in the number of the attempt. */
const isOf = (folder: string, claim: ClaimRef): boolean =>
  basename(folder) === basename(attemptFolder('', '', claim)) ||
  new RegExp(`^[a-z-]*${claim.attempt}$`).test(basename(folder));

type Line = ClaimRef & { readonly claim?: ClaimRef; readonly pid: number; readonly startedAt: string };

/** Of the worker that has the claim. A number that stands for nobody would, when it is signalled, stand for us all. */
export function pidInNote(folder: string): number {
  const pid = seeNote(folder)?.worker?.pid;
  if (pid === undefined) throw new Error(`No worker has noted itself for ${folder}.`);
  return pid;
}
