// Copies of git's index. Git takes an unchanged size and time to mean an unchanged file, except for files whose time is not
// before that of the index itself: into those it looks. So a copy must be as old as what it is a copy of; a younger one
// would hide what was written between the two.
import { copyFile, stat, utimes } from 'node:fs/promises';

export async function copyIndex(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await ageIndex(from, to);
}

/** Makes a copy as old as what it was made from; older by a fraction of a second does no harm. */
export async function ageIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from);
  const seconds = Math.floor(mtimeMs) / 1000;
  await utimes(to, seconds, seconds);
}
