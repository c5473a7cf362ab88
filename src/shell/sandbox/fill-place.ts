// Empties and fills a place; shared by the operations in this folder.
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import type { SandboxContext } from './tree/sandbox-context.ts';
import { placeAt, type PlacePaths } from './tree/place-paths.ts';
import type { FillRequest, Tree } from './tree/tree.ts';
import { entriesOf, throwAway } from './disk/files.ts';
import type { MaybeFailure } from './disk/mounts.ts';
import { join } from 'node:path';

export interface TreeContext {
  readonly context: SandboxContext;
  readonly tree: Tree;
}

/** Parts of a place that describe it, rather than hold files. */
const NOTES = new Set(['note.json', 'owner.json', 'uses.json']);

/** Removes everything but the notes and `kept`. Only for places whose content is safe elsewhere. */
async function emptyPlace({ context, tree }: TreeContext, place: PlacePaths, kept?: string): Promise<void> {
  await tree.retire(place);
  const parts = (await entriesOf(place.root))
    .filter((name) => !NOTES.has(name))
    .map((name) => join(place.root, name))
    .filter((path) => path !== kept);
  if (parts.length > 0) await throwAway(context.folders.trash, parts);
}

/** Forgets the conversations of a sandbox: its task begins anew. */
export const removeHomes = async ({ context }: TreeContext, { homes }: PlacePaths): Promise<void> => {
  if (existsSync(homes)) await throwAway(context.folders.trash, [homes]);
};

/** Takes the conversations of a place that was moved aside to where it was: what is made there goes on with them. */
export async function returnHomes(aside: string, { root, homes }: PlacePaths): Promise<void> {
  const left = placeAt(aside).homes;
  if (!existsSync(left)) return;
  await mkdir(root, { recursive: true });
  await rename(left, homes);
}

export async function removePlace({ context, tree }: TreeContext, place: PlacePaths): Promise<void> {
  if (!existsSync(place.root)) return;
  await tree.retire(place);
  await throwAway(context.folders.trash, [place.root]);
}

/** Removes all previous files. Agents keep their conversations in the homes of a sandbox, and go on with them. */
export async function fillPlace(treeContext: TreeContext, request: FillRequest): Promise<MaybeFailure> {
  const { place, isForWork } = request;
  const isFresh = (await mkdir(place.root, { recursive: true })) !== undefined;
  if (!isFresh) await emptyPlace(treeContext, place, isForWork ? place.homes : undefined);
  return treeContext.tree.populate(request);
}
