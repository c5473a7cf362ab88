// Refs of the user's that block Heddle's: git allows no ref below the name of another.
import type { Git } from '../run/git.ts';

const OURS_BELOW = ['refs/heads/heddle', 'refs/heddle'] as const;

/** The remedy, in a sentence; undefined without an obstacle. */
export async function refInTheWay(users: Git): Promise<string | undefined> {
  const listed = await users.line(['for-each-ref', '--format=%(refname)', ...OURS_BELOW]);
  const found = OURS_BELOW.find((ref) => listed.split('\n').includes(ref));
  if (found === undefined) return undefined;
  const [what, how] = found.startsWith('refs/heads/')
    ? ['branch heddle', 'git branch -m heddle ANOTHER-NAME']
    : [`ref ${found}`, `git update-ref -d ${found}`];
  return `There is a ${what} here, and git can have no heddle/RUN beside it; give it another name first (\`${how}\`).`;
}

/** Ids that a run cannot have, because the user has a branch of that name or below it. */
export async function takenRuns(users: Git): Promise<ReadonlySet<string>> {
  const listed = await users.line(['for-each-ref', '--format=%(refname:lstrip=3)', 'refs/heads/heddle/']);
  return new Set(listed.split('\n').map((name) => name.split('/')[0] ?? ''));
}
