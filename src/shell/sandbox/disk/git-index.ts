// Copies of git's index. Git takes an unchanged size and time to mean an unchanged file, except for files that are not
// older than the index itself: it reads those. So a copy must be as old as its original; a younger copy would hide
// changes made between the two.
import { constants, statSync, utimesSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';

export async function copyIndex(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await ageIndex(from, to);
}

/** Gives a copy the time of its original; a fraction of a second older is harmless. */
export async function ageIndex(from: string, to: string): Promise<void> {
  const seconds = Math.floor(statSync(from).mtimeMs) / 1000;
  utimesSync(to, seconds, seconds);
}
