// Copies Heddle's commits into the user's object store. No ref moves: the copies are unreachable until one does, and
// git keeps recent unreachable objects.
import { GitError } from '../run/git-error.ts';
import type { Git } from '../run/git.ts';
import { DURABLE } from '../store/refs.ts';

const ARGS = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
  '--update-shallow',
];

export async function carryOver(users: Git, ourGitDir: string, commit: string): Promise<void> {
  const settings = [...DURABLE, 'fetch.writeCommitGraph=false', 'transfer.fsckObjects=false'];
  const { code, stderr } = await users.ask([...ARGS, '--end-of-options', ourGitDir, commit], { settings });
  if (code === 0) return;
  throw new GitError({ code: 'commit-not-copied', commit, gitDir: users.gitDir, stderr: stderr.trim() });
}
