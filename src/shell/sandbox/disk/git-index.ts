// Copies of git's index. Git takes an unchanged size and time to mean an unchanged file, except for files whose time is not
// before that of the index itself: into those it looks. So a copy must be as old as what it is a copy of; a younger one
// would hide what was written between the two.
import { constants, statSync, utimesSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';

export async function copyIndex(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await ageIndex(from, to);
}

/** Makes a copy as old as what it was made from; older by a fraction of a second does no harm. */
export async function ageIndex(from: string, to: string): Promise<void> {
  const seconds = Math.floor(statSync(from).mtimeMs) / 1000;
  utimesSync(to, seconds, seconds);
}
