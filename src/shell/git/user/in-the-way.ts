// Refs of the user's that block Heddle's: git allows no ref below the name of another.
import type { GitFailure } from '../../../core/protocol/git-failure.ts';
import type { Git } from '../run/git.ts';

const OURS_BELOW = ['refs/heads/heddle', 'refs/heddle'] as const;

/** Undefined without an obstacle. */
export async function refInTheWay(users: Git): Promise<GitFailure | undefined> {
  const listed = await users.line(['for-each-ref', '--format=%(refname)', ...OURS_BELOW]);
  const ref = OURS_BELOW.find((each) => listed.split('\n').includes(each));
  return ref === undefined ? undefined : { code: 'ref-in-the-way', ref };
}

/** Ids that a run cannot have, because the user has a branch of that name or below it. */
export async function takenRuns(users: Git): Promise<ReadonlySet<string>> {
  const listed = await users.line(['for-each-ref', '--format=%(refname:lstrip=3)', 'refs/heads/heddle/']);
  return new Set(listed.split('\n').map((name) => name.split('/')[0] ?? ''));
}
