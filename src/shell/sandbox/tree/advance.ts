// Brings a tree that nobody has worked in from the template's commit to the one that is wanted. Only what differs is read
// and written; the rest is taken from the index, which is right because the files are.
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ground } from '../ground.ts';
import type { OverlayLayers, Trouble } from '../world/mounts.ts';
import { runInside } from './inside.ts';
import type { FillOrder } from './tree.ts';

export interface AdvanceOrder {
  readonly order: FillOrder;
  /** The tree that the files and the index are of. */
  readonly from: string;
  readonly overlay: OverlayLayers | undefined;
}

export const GIT_INSIDE = 'd=$1; t=$2; shift 2; exec git --git-dir="$d" --work-tree="$t" "$@"';

export async function advance(ground: Ground, { order, from, overlay }: AdvanceOrder): Promise<Trouble> {
  if (from === order.tree) return undefined;
  const { place, commit } = order;
  const args = [place.git, place.tree, 'read-tree', '-m', '-u', from, commit];
  const ending = await runInside(
    ground,
    { place, overlay, writable: [], readable: [], environment: {} },
    { text: GIT_INSIDE, args, input: undefined },
  );
  if (ending.code !== 0) return `${commit} could not be put into ${place.tree}: ${ending.complaint}`;
  // What is committed from later starts with this index and not with the template's.
  await copyFile(join(place.git, 'index'), place.index);
  return undefined;
}
