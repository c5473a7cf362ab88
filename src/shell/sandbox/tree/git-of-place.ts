// The git directory of a place that nobody has worked in yet, and the file in the tree that points to it.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ground } from '../ground.ts';
import type { PlacePaths } from '../place/place.ts';
import { ageIndex } from '../world/git-index.ts';
import type { Trouble } from '../world/mounts.ts';
import type { FillOrder } from './tree.ts';

export async function makeGitDir(ground: Ground, order: FillOrder, index: string | undefined): Promise<Trouble> {
  const { place, commit, branch, layer } = order;
  const made = await ground.repository.privateGitDir({ folder: place.git, head: commit, branch, index });
  if (made.type === 'failed') return made.message;
  if (index !== undefined) await ageIndex(index, join(place.git, 'index'));
  await writeExcludes(ground, place.git, layer?.excludes ?? []);
  return undefined;
}

/** What the user's own repository leaves out is left out here too, and so is what set-up and `include` bring. */
export async function writeExcludes(ground: Ground, gitDir: string, excludes: readonly string[]): Promise<void> {
  const users = join(ground.repository.user.commonDir, 'info', 'exclude');
  const lines = [...(existsSync(users) ? [await readFile(users, 'utf8')] : []), ...excludes];
  if (lines.length > 0) await writeFile(join(gitDir, 'info', 'exclude'), `${lines.join('\n')}\n`);
}

/** The flag refuses whatever is there, a link too, so nothing is written anywhere else. */
export const pointToGit = (folder: string, place: PlacePaths): Promise<void> =>
  writeFile(join(folder, '.git'), pointerTo(place), { flag: 'wx' });

export const pointerTo = (place: PlacePaths): string => `gitdir: ${place.git}\n`;
