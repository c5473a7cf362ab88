// The repository out of which a person gives commands to a server: what is checked out, and transfers of commits.
import type { FarCheckout } from '../../core/protocol/remote-command.ts';
import {
  fetchRunBranch,
  sendCommit,
  type BranchFetched,
  type CommitSent,
  type Sending,
} from '../../shell/git/remote/caller-transfers.ts';
import { httpAccess, type HttpFarSideOptions } from '../../shell/git/remote/http-far-side.ts';
import { describeUser, type UserRepository } from '../../shell/git/user/describe-user.ts';
import { repositoryNotes, userChanges } from '../../shell/git/user/user-changes.ts';
import type { UserNotes } from '../sandbox-parts.ts';

export type { BranchFetched, Sending } from '../../shell/git/remote/caller-transfers.ts';

export interface CallersRepository {
  /** Undefined while there is no commit. */
  readonly checkout: FarCheckout | undefined;
  readonly notes: () => Promise<UserNotes>;
  readonly fetchBranch: (far: HttpFarSideOptions, run: string) => Promise<BranchFetched>;
  readonly sendCommit: (far: HttpFarSideOptions, sending: Sending) => Promise<CommitSent>;
}

/** Undefined outside of every repository. */
export async function callersRepository(folder: string = process.cwd()): Promise<CallersRepository | undefined> {
  const user = await describeUser(folder);
  if (user.type === 'refused') return undefined;
  return {
    checkout: checkoutOf(user),
    notes: async () => ({ remarks: repositoryNotes(user), ...(await userChanges(user)) }),
    fetchBranch: (far, run) => fetchRunBranch(user, httpAccess(far), run),
    sendCommit: (far, sending) => sendCommit(user, httpAccess(far), sending),
  };
}

function checkoutOf({ head, branch, author }: UserRepository): FarCheckout | undefined {
  return head === undefined ? undefined : { commit: head, branch, author };
}
