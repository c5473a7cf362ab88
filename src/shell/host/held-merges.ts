// The merges that a host holds. Its merge queue carries them out, in the host's own process: a host that dies leaves none
// of them running, and the next one is offered them again.
//
// host/M1. A merge is listed as held from the reply that assigned it to its outcome, like every claim, and reported once.
import { claimKey, type Assignment, type ClaimRef } from '../../core/protocol/assignment.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import type { MergeQueue, MergeRequest, OpenMergeQueue } from '../ports/merge-request.ts';

export interface HeldMerges {
  readonly canMerge: boolean;
  readonly claims: () => readonly ClaimRef[];
  /** Returns whether the merge is news to this host. */
  readonly accept: (assignment: Assignment) => boolean;
  /** Returns whether the merge was not already ending; a merge that is not held is the business of another host. */
  readonly stop: (claim: ClaimRef) => boolean;
  readonly close: () => Promise<void>;
}

/** The queue is opened with the first merge. */
export function openHeldMerges(
  open: OpenMergeQueue | undefined,
  onOutcomes: (outcomes: readonly WorkOutcome[]) => void,
): HeldMerges {
  const requests = new Map<string, MergeRequest>();
  let queue: MergeQueue | undefined;
  const update = (): void => queue?.want([...requests.values()]);
  const report = (outcomes: readonly WorkOutcome[]): void => {
    for (const outcome of outcomes) requests.delete(claimKey(outcome));
    update();
    onOutcomes(outcomes);
  };
  return {
    canMerge: open !== undefined,
    claims: () => [...requests.values()].map(({ work, task, step, attempt }) => ({ work, task, step, attempt })),
    accept: ({ claim, work, limits }) => {
      if (open === undefined || work.type !== 'merge' || requests.has(claimKey(claim))) return false;
      const { type: _, ...request } = work;
      requests.set(claimKey(claim), { ...claim, ...request, limits, isToStop: false });
      queue ??= open(report);
      update();
      return true;
    },
    stop: (claim) => {
      const request = requests.get(claimKey(claim));
      if (request === undefined || request.isToStop) return false;
      requests.set(claimKey(claim), { ...request, isToStop: true });
      update();
      return true;
    },
    close: async () => queue?.close(),
  };
}
