// The intent of a landing, written down before it begins, so that a killed landing can be repaired.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Process } from '../../ports/log.ts';
import { thisProcess } from '../../exec/process.ts';
import { asideOf } from '../store/leftovers.ts';

export interface LandingNote {
  readonly by: Process;
  /** The branch that moves, with `refs/heads/`. */
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  /** The checkout that is updated too; undefined when the branch is not checked out. */
  readonly folder: string | undefined;
}

/** One file for each branch. */
const fileOf = (home: string, ref: string): string =>
  join(home, `landing-${createHash('sha256').update(ref).digest('hex').slice(0, 16)}.json`);

/** Synced to the disk when this returns. */
export async function writeLandingNote(home: string, note: Omit<LandingNote, 'by'>): Promise<void> {
  const file = fileOf(home, note.ref);
  const aside = asideOf(file);
  const handle = await open(aside, 'w');
  await handle.writeFile(JSON.stringify({ ...note, by: thisProcess() }));
  await handle.sync();
  await handle.close();
  await rename(aside, file);
}

export const removeLandingNote = (home: string, ref: string): Promise<void> => rm(fileOf(home, ref), { force: true });

/** Undefined when no landing on this branch is in progress or was interrupted. */
export function readLandingNote(home: string, ref: string): LandingNote | undefined {
  const file = fileOf(home, ref);
  if (!existsSync(file)) return undefined;
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return isNote(value) ? { ...value, folder: value.folder ?? undefined } : undefined;
}

function isNote(value: unknown): value is LandingNote {
  return typeof value === 'object' && value !== null && 'by' in value && 'ref' in value && 'from' in value;
}
