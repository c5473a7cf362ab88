// The git directory of a place that nobody has worked in yet, and the file in the tree that points to it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ground } from '../ground.ts';
import type { PlacePaths } from '../place/place.ts';
import { ageIndex } from '../world/git-index.ts';
import type { Trouble } from '../world/mounts.ts';
import type { FillOrder } from './tree.ts';

/** A file to copy, or what is made of one. */
export type IndexSource = string | { readonly of: string; readonly content: Buffer };

export async function makeGitDir(ground: Ground, order: FillOrder, index: IndexSource | undefined): Promise<Trouble> {
  const { place, commit, branch, layer } = order;
  const copied = typeof index === 'string' ? index : undefined;
  const made = await ground.repository.privateGitDir({ folder: place.git, head: commit, branch, index: copied });
  if (made.type === 'failed') return made.message;
  if (typeof index === 'string') await ageIndex(index, join(place.git, 'index'));
  else if (index !== undefined) await writeIndexes(order, index);
  await writeExcludes(ground, place.git, layer?.excludes ?? []);
  return undefined;
}

/** As old as what they were made of; what is committed from later starts with the second. */
async function writeIndexes({ place, isForWork }: FillOrder, index: Exclude<IndexSource, string>): Promise<void> {
  for (const file of [join(place.git, 'index'), ...(isForWork ? [place.index] : [])]) {
    writeFileSync(file, index.content);
    await ageIndex(index.of, file);
  }
}

/** What the user's own repository leaves out is left out here too, and so is what set-up and `include` bring. */
export async function writeExcludes(ground: Ground, gitDir: string, excludes: readonly string[]): Promise<void> {
  const users = join(ground.repository.user.commonDir, 'info', 'exclude');
  const lines = [...(existsSync(users) ? [readFileSync(users, 'utf8')] : []), ...excludes];
  if (lines.length > 0) writeFileSync(join(gitDir, 'info', 'exclude'), `${lines.join('\n')}\n`);
}

/** The flag refuses whatever is there, a link too, so nothing is written anywhere else. */
export async function pointToGit(folder: string, place: PlacePaths): Promise<void> {
  writeFileSync(join(folder, '.git'), pointerTo(place), { flag: 'wx' });
}

export const pointerTo = (place: PlacePaths): string => `gitdir: ${place.git}\n`;
