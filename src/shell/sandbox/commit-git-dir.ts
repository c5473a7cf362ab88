// The git directory from which Heddle commits a tree. Agents never see it: whatever an agent did to its own git
// directory, index or branches, the content of the tree is committed.
import { existsSync, lstatSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { readUses } from './tree/place-paths.ts';
import type { PlaceNote, PlacePaths } from './tree/place-paths.ts';
import { findLayer } from './tree/layers.ts';
import { ageIndex, writeExcludes } from './tree/make-git-dir.ts';
import { asideName } from './disk/files.ts';
import type { Trouble } from './disk/mounts.ts';
import type { TreeContext } from './fill-place.ts';

/** Moves away what an agent put in its place. */
async function ensureFolder(folder: string): Promise<void> {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory()) await rename(folder, `${folder}-${asideName()}`);
  await mkdir(folder, { recursive: true });
}

/** Created on first use; its index is the one with which the tree was filled. */
export async function ensureCommitGitDir(
  { context }: TreeContext,
  place: PlacePaths,
  note: PlaceNote,
): Promise<Trouble> {
  // An agent may have removed what programs inside are given to write to.
  for (const folder of [place.git, place.temporary]) await ensureFolder(folder);
  if (existsSync(join(place.keep, 'info', 'exclude.made'))) return undefined;
  const { template, layer } = readUses(place);
  const index = existsSync(place.index) ? place.index : join(context.folders.templates, template ?? '', 'index');
  const made = await context.repository.privateGitDir({ folder: place.keep, head: note.head, branch: 'keep', index });
  if (made.type === 'failed') return made.failure;
  await ageIndex(index, join(place.keep, 'index'));
  const found = layer === undefined ? undefined : await findLayer(context, layer);
  await writeExcludes(context, place.keep, found?.excludes ?? []);
  await mkdir(join(place.keep, 'info', 'exclude.made'), { recursive: true });
  return undefined;
}
