// Commits between a server and the repository of a person who gives it commands: the branch of a run comes, the commit that a
// run is to start from goes.
//
// caller-transfers/T1. Of the person's repository one branch moves, `heddle/<run>`, and only forward; no checkout, no index,
//     no setting and no other ref (P5).
import type { TransferFailure } from '../../../core/protocol/transfer-failure.ts';
import { gitAt, TRANSFER_TIME_MAX_MS, type GitExit, type Git } from '../run/git.ts';
import { objectsIn } from '../store/objects.ts';
import { REFS } from '../store/ref-names.ts';
import { DURABLE, readRef, swapRef } from '../store/refs.ts';
import { checkoutsOf } from '../user/checkouts.ts';
import type { UserRepository } from '../user/describe-user.ts';
import type { HttpAccess } from './http-far-side.ts';
import { FETCH, PUSH } from './host-transfers.ts';
import { transferFailureOf } from './transfer-error.ts';

export type BranchFetched =
  | { readonly type: 'fetched'; readonly branch: string; readonly commit: string; readonly isNew: boolean }
  /** The run has no branch there yet. */
  | { readonly type: 'none' }
  /** The branch of that name here has commits of its own, or a checkout shows it. */
  | { readonly type: 'ahead' | 'checked-out'; readonly branch: string }
  | { readonly type: 'failed'; readonly failure: TransferFailure };

export async function fetchRunBranch(user: UserRepository, access: HttpAccess, run: string): Promise<BranchFetched> {
  const users = gitAt(user.commonDir);
  const ref = REFS.runBranch(run);
  const place = access.pathOf('published');
  const listed = await asked({ git: users, access }, ['ls-remote', '--quiet', '--end-of-options', place, ref]);
  if (listed.type === 'failed') return listed;
  const [commit = '', name] = listed.output.trim().split('\t');
  if (name !== ref) return { type: 'none' };
  const branch = ref.replace('refs/heads/', '');
  const from = await readRef(users, ref);
  if (from === commit) return { type: 'fetched', branch, commit, isNew: false };
  if ((await checkoutsOf(users)).some((checkout) => checkout.branch === ref)) return { type: 'checked-out', branch };
  const fetched = await asked({ git: users, access }, [...FETCH, place, ref]);
  if (fetched.type === 'failed') return fetched;
  if (from !== undefined && !(await objectsIn(users).isAncestor(from, commit))) return { type: 'ahead', branch };
  const swapped = await swapRef(users, { ref, from, to: commit });
  if (swapped.type === 'swapped') return { type: 'fetched', branch, commit, isNew: true };
  if (swapped.type === 'moved') return { type: 'ahead', branch };
  return { type: 'failed', failure: { code: 'git-here', failure: swapped.failure } };
}

export type CommitSent =
  | { readonly type: 'sent' }
  /** The histories have nothing in common. */
  | { readonly type: 'unrelated' }
  | { readonly type: 'failed'; readonly failure: TransferFailure };

export interface Sending {
  readonly commit: string;
  /** The first commits of the history of the server. */
  readonly roots: readonly string[];
}

export async function sendCommit(
  user: UserRepository,
  access: HttpAccess,
  { commit, roots }: Sending,
): Promise<CommitSent> {
  const git = gitAt(user.commonDir);
  const objects = objectsIn(git);
  const known = await Promise.all(roots.map(async (root) => (await objects.commitOf(root)) !== undefined));
  if (!known.includes(true)) return { type: 'unrelated' };
  const ref = REFS.sentBase(commit);
  const sent = await asked({ git, access, ref }, [
    ...PUSH,
    '--end-of-options',
    access.pathOf('bases', commit),
    `${commit}:${ref}`,
  ]);
  return sent.type === 'failed' ? sent : { type: 'sent' };
}

interface Asking {
  readonly git: Git;
  readonly access: HttpAccess;
  readonly ref?: string;
}

type Asked =
  | { readonly type: 'done'; readonly output: string }
  | { readonly type: 'failed'; readonly failure: TransferFailure };

async function asked({ git, access, ref }: Asking, args: readonly string[]): Promise<Asked> {
  const { address, how } = access;
  const answer: GitExit = await git.ask(args, {
    environment: how.environment ?? {},
    settings: [...DURABLE, ...(how.settings ?? [])],
    timeoutMs: TRANSFER_TIME_MAX_MS,
  });
  if (answer.code === 0) return { type: 'done', output: answer.output.toString('utf8') };
  const failure = transferFailureOf({ address, whose: 'ours', gitDir: git.gitDir, args, answer, ref });
  return { type: 'failed', failure };
}
