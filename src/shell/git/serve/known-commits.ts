// Commits that a sender may have as well as we: it leaves out what they contain.
import { gitAt } from '../run/git.ts';
import type { Repository } from '../repository.ts';
import { REFS } from '../store/ref-names.ts';

/** Each is a line of every answer, and the latest say the most. */
const KNOWN_MAX = 500;

/** Of a run: what its hosts were given to start from. */
export async function knownOfRun(repository: Repository, run: string): Promise<readonly string[]> {
  const { gitDir } = repository;
  return latest(gitDir, [`refs/heddle/${run}/`, REFS.runBranch(run)]);
}

/** Of the project: its branches, and what was sent before. */
export async function knownOfProject({ gitDir, user }: Repository): Promise<readonly string[]> {
  const ofUser = await latest(user.commonDir, ['refs/heads', 'refs/remotes', 'refs/heddle']);
  return [...ofUser, ...(await latest(gitDir, [REFS.sentBases]))];
}

async function latest(gitDir: string, patterns: readonly string[]): Promise<readonly string[]> {
  const options = ['--sort=-committerdate', `--count=${KNOWN_MAX}`, '--format=%(objecttype) %(objectname)'];
  const lines = await gitAt(gitDir).line(['for-each-ref', ...options, ...patterns]);
  const commits = lines.split('\n').flatMap((line) => /^commit (\S+)$/.exec(line)?.[1] ?? []);
  return [...new Set(commits)];
}
