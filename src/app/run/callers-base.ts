// The commit from which a run starts that is ordered from another machine: what is checked out there, which may have to be
// sent first.
import { COMMIT_REPLIES, type FarCheckout } from '../../core/protocol/remote-command.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { Repository } from '../../shell/git/repository.ts';
import { REFS } from '../../shell/git/store/ref-names.ts';
import { rootsOf } from '../git/root-commits.ts';
import { Refused } from '../refused.ts';

/** Somebody who calls out of a repository on another machine. */
export interface CallingRepository {
  readonly checkout: FarCheckout;
  /** Has a commit sent to this repository, if the histories have one of these roots in common. */
  readonly sendCommit: (commit: string, roots: readonly string[]) => Promise<string | undefined>;
}

/** Undefined without such a caller, and for a plan that names its base. The branch is one that is here too. */
export async function callersBase(
  repository: Repository,
  { base }: Plan,
  caller: CallingRepository | undefined,
): Promise<FarCheckout | undefined> {
  if (caller === undefined || base !== 'HEAD') return undefined;
  const { commit, branch, author } = caller.checkout;
  if (!(await isHere(repository, commit))) {
    const reply = await caller.sendCommit(commit, await rootsOf(repository.user));
    if (reply === COMMIT_REPLIES.unrelated) throw new Refused({ code: 'base-unrelated', commit });
    if (!(await isHere(repository, commit))) throw new Refused({ code: 'base-not-sent', commit });
  }
  const isBranchHere = branch !== undefined && (await repository.baseOf(`refs/heads/${branch}`)) !== undefined;
  return { commit, branch: isBranchHere ? branch : undefined, author };
}

const isHere = async (repository: Repository, commit: string): Promise<boolean> =>
  (await repository.baseOf(commit)) !== undefined || (await repository.read(REFS.sentBase(commit))) === commit;
