// The fence of the run branch: a ref that the latest merge queue of a run has moved to a commit of its own.
//
// branch-fence/B1. A queue takes the fence before it looks at the run branch, and moves the branch only in a transaction in
//     which the fence is still its own. So no other queue moves the branch any more: neither one on a host that was
//     declared lost, nor one in a process that was suspended.
import { randomUUID } from 'node:crypto';
import { GitError } from '../git/run/git-error.ts';
import { REFS } from '../git/store/ref-names.ts';
import type { Ref } from '../git/store/refs.ts';
import type { MergeQueueRepository } from './merge-history.ts';

/** Two queues that take the fence at once disturb each other once each. */
const TRIES_MAX = 5;

export interface Fencing {
  readonly run: string;
  /** The base commit of the run. */
  readonly base: string;
  readonly now: number;
}

/** Each fence is a child of the one before, so that nothing becomes unreachable. */
export async function takeFence(repository: MergeQueueRepository, { run, base, now }: Fencing): Promise<Ref> {
  const ref = REFS.mergeFence(run);
  const tree = await repository.treeOf(base);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const from = await repository.read(ref);
    const parents = from === undefined ? [] : [from];
    const message = `Merge queue of ${run}: ${randomUUID()}`;
    const commit = await repository.commitTree({ tree, parents, message, at: now });
    const swapped = await repository.swap({ ref, from, to: commit });
    if (swapped.type === 'swapped') return { ref, commit };
    if (swapped.type === 'refused' || swapped.type === 'failed') throw new GitError(swapped.failure);
  }
  throw new GitError({ code: 'queues-compete', run, ref });
}
