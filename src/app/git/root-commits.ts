// The first commits of a repository's history: clones have them in common, and other repositories have others.
import { describeUser, type UserRepository } from '../../shell/git/user/describe-user.ts';
import { gitAt } from '../../shell/git/run/git.ts';

/** Those of what is checked out; empty before the first commit. */
export async function rootsOf({
  commonDir,
  head,
}: Pick<UserRepository, 'commonDir' | 'head'>): Promise<readonly string[]> {
  if (head === undefined) return [];
  const listed = await gitAt(commonDir).line(['rev-list', '--max-parents=0', head]);
  return listed.split('\n');
}

/** Empty where nothing can be said: without a repository or a commit. A shallow clone does not know where its history begins. */
export async function rootsAt(folder: string): Promise<readonly string[] | 'shallow'> {
  const user = await describeUser(folder);
  if (user.type !== 'repository') return [];
  return user.isShallow ? 'shallow' : await rootsOf(user);
}
