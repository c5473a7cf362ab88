// Keeps a run's base commit from garbage collection: by a ref in the integration repository, and one in the user's, the
// only thing of Heddle's there before a run is published (P5).
import { errorAsValue } from '../run/git-error.ts';
import type { Git } from '../run/git.ts';
import { readRef, swapRef } from '../store/refs.ts';
import type { Swapped } from '../store/refs.ts';

export interface Both {
  readonly ours: Git;
  readonly users: Git;
}

export const pinBase = async ({ ours, users }: Both, ref: string, commit: string): Promise<Swapped> =>
  errorAsValue(async () => {
    for (const git of [users, ours]) {
      const at = await readRef(git, ref);
      if (at === commit) continue;
      if (at !== undefined) return { type: 'moved', at };
      const swapped = await swapRef(git, { ref, from: undefined, to: commit });
      if (swapped.type !== 'swapped') return swapped;
    }
    return { type: 'swapped' };
  });
