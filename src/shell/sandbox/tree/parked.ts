// Checkouts that wait for reuse. Each has the index with which it was made, which no agent could write to.
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxContext } from './sandbox-context.ts';
import type { PlacePaths } from './place-paths.ts';
import { dropSpecialBits } from '../disk/special-bits.ts';
import { asideName, entriesOf, moveIfThere, throwAway } from '../disk/files.ts';

/** At most this many wait; more are deleted. */
const PARKED_MAX = 8;

/** The first process to rename it has it. */
export async function claimParked(context: SandboxContext, place: PlacePaths): Promise<boolean> {
  for (const name of await entriesOf(context.folders.parked)) {
    const claimed = join(place.root, 'claimed');
    if (name.startsWith('aside-') || !(await moveIfThere(join(context.folders.parked, name), claimed))) continue;
    await rename(join(claimed, 'index'), place.index);
    await rename(join(claimed, 'tree'), place.tree);
    await throwAway(context.folders.trash, [claimed]);
    return true;
  }
  return false;
}

export async function park(context: SandboxContext, place: PlacePaths): Promise<void> {
  const { parked, trash } = context.folders;
  const isWhole = existsSync(place.index) && existsSync(place.tree);
  const count = (await entriesOf(parked)).length;
  if (!isWhole || count >= PARKED_MAX) return throwAway(trash, [place.tree]);
  const aside = join(parked, asideName());
  await mkdir(aside, { recursive: true });
  await rename(place.index, join(aside, 'index'));
  await rename(place.tree, join(aside, 'tree'));
  await dropSpecialBits([join(aside, 'tree')]);
  await rename(aside, join(parked, asideName().replace('aside', 'tree')));
}
