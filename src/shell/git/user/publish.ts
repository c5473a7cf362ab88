// Publishes a run branch in the user's repository.
import { errorAsValue, refusedBy } from '../run/git-error.ts';
import { readRef, swapRef } from '../store/refs.ts';
import type { Swapped } from '../store/refs.ts';
import type { Objects } from '../store/objects.ts';
import { carryOver } from './carry-over-changes.ts';
import { checkoutsOf } from './checkouts.ts';
import type { Both } from './pin.ts';

interface World extends Both {
  readonly objects: Objects;
}

export interface Publication {
  readonly ref: string;
  /** The end of the published history. */
  readonly to: string;
}

export const publishBranch = async (world: World, publication: Publication): Promise<Swapped> =>
  errorAsValue(async () => publish(world, publication));

async function publish({ ours, users, objects }: World, { ref, to }: Publication): Promise<Swapped> {
  const from = await readRef(users, ref);
  if (from === to) return { type: 'swapped' };
  if (from !== undefined && !(await objects.isAncestor(from, to)))
    return refusedBy({ code: 'branch-ahead', ref, commit: from });
  const shown = (await checkoutsOf(users)).find(({ branch }) => branch === ref);
  if (shown !== undefined) return refusedBy({ code: 'branch-checked-out', ref, folder: shown.folder });
  await carryOver(users, ours.gitDir, to);
  return swapRef(users, { ref, from, to });
}
