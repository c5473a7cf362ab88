// Carries commits of ours into the user's object store. No ref moves: what was carried is unreachable until one does,
// and git keeps what is unreachable and fresh.
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
  const { code, complaint } = await users.ask([...ARGS, '--end-of-options', ourGitDir, commit], { settings });
  if (code === 0) return;
  throw new GitError(`${commit} could not be carried into ${users.gitDir}: ${complaint.trim()}`);
}
