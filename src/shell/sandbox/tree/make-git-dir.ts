// The git directory of a place that nobody has worked in yet, and the file in the tree that points to it.
import { constants, existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxContext } from './sandbox-context.ts';
import type { PlacePaths } from './place-paths.ts';
import type { MaybeFailure } from '../disk/mounts.ts';
import type { FillRequest } from './tree.ts';

/** `index` is a file to copy. */
export async function makeGitDir(
  context: SandboxContext,
  request: FillRequest,
  index: string | undefined,
): Promise<MaybeFailure> {
  const { place, commit, branch, layer } = request;
  const made = await context.repository.privateGitDir({ folder: place.git, head: commit, branch, index });
  if (made.type === 'failed') return made.failure;
  if (index !== undefined) await ageIndex(index, join(place.git, 'index'));
  await writeExcludes(context, place.git, layer?.excludes ?? []);
  return undefined;
}

/** What the user's own repository leaves out is left out here too, and so is what set-up and `include` bring. */
export async function writeExcludes(
  context: SandboxContext,
  gitDir: string,
  excludes: readonly string[],
): Promise<void> {
  const users = join(context.repository.user.commonDir, 'info', 'exclude');
  const lines = [...(existsSync(users) ? [readFileSync(users, 'utf8')] : []), ...excludes];
  if (lines.length > 0) writeFileSync(join(gitDir, 'info', 'exclude'), `${lines.join('\n')}\n`);
}

/** The flag refuses whatever is there, a link too, so nothing is written anywhere else. */
export async function pointToGit(folder: string, place: PlacePaths): Promise<void> {
  writeFileSync(join(folder, '.git'), pointerTo(place), { flag: 'wx' });
}

export const pointerTo = (place: PlacePaths): string => `gitdir: ${place.git}\n`;

/**
 * Git takes an unchanged size and time to mean an unchanged file, except for files that are not older than the index itself:
 * it reads those. So a copy must be as old as its original; a younger copy would hide changes made between the two.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await ageIndex(from, to);
}

/** Gives a copy the time of its original; a fraction of a second older is harmless. */
export async function ageIndex(from: string, to: string): Promise<void> {
  const seconds = Math.floor(statSync(from).mtimeMs) / 1000;
  utimesSync(to, seconds, seconds);
}
