// The run branch on a remote that several coordinators share.
//
// shared-branch/B1. It moves only from the value that the log gave, by one push that the remote compares: a coordinator
//     that wakes from a long sleep moves nothing.
// shared-branch/B2. It moves forward only, so no commit becomes unreachable (P4).
import type { Objects } from '../store/objects.ts';
import { REFS } from '../store/ref-names.ts';
import type { GitRemote, RemoteMoved } from './git-remote.ts';

export interface BranchMove {
  readonly run: string;
  /** The value that the log gave; undefined when there is no branch yet. */
  readonly from: string | undefined;
  readonly to: string;
}

export async function moveSharedBranch(
  remote: GitRemote,
  objects: Pick<Objects, 'isAncestor'>,
  { run, from, to }: BranchMove,
): Promise<RemoteMoved> {
  const ref = REFS.runBranch(run);
  const isForward = from === undefined || (await objects.isAncestor(from, to));
  if (isForward) return remote.move([{ ref, from, to }]);
  return { type: 'failed', failure: { code: 'git-here', failure: { code: 'only-ref', ref, commit: from } } };
}
