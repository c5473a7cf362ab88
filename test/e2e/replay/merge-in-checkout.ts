// What `git merge` says of a merge, in a checkout of its own.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** A tree, the paths that conflict, or why git would not merge at all. */
export type Verdict =
  | { readonly type: 'merged'; readonly tree: string }
  | { readonly type: 'conflict'; readonly paths: readonly string[] }
  | { readonly type: 'refused'; readonly message: string };

export const ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'User',
  GIT_AUTHOR_EMAIL: 'user@localhost',
  GIT_COMMITTER_NAME: 'User',
  GIT_COMMITTER_EMAIL: 'user@localhost',
  GIT_AUTHOR_DATE: '@1700000000 +0000',
  GIT_COMMITTER_DATE: '@1700000000 +0000',
  LC_ALL: 'C',
};

export function gitIn(folder: string, args: readonly string[], input: string | Buffer = ''): string {
  return execFileSync('git', ['-c', 'gc.auto=0', ...args], {
    cwd: folder,
    env: ENVIRONMENT,
    encoding: 'utf8',
    input,
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 2 ** 30,
  });
}

/** One shell for the whole of it, because starting programs is what takes the time. */
const SCRIPT = `
# A git that has crashed leaves its lock.
rm -f .git/index.lock
git reset -q --hard && git clean -fdxq && git checkout -q --force --detach "$1" || exit 3
said=$(git merge --no-ff --no-edit --quiet "$2" 2>&1); code=$?
if [ $code -eq 0 ]; then printf 'merged\\0'; git rev-parse 'HEAD^{tree}'
elif [ -n "$(git ls-files -u)" ] || printf '%s' "$said" | grep -q '^CONFLICT'; then
  printf 'conflict\\0'; git ls-files -u -z | sed -z 's/^[^\\t]*\\t//' | sort -zu
else printf 'refused\\0%s' "$said"; fi
`;

export function mergeInCheckout(checkout: string, onto: string, tip: string): Verdict {
  const printed = execFileSync('sh', ['-c', SCRIPT, 'sh', onto, tip], {
    cwd: checkout,
    env: ENVIRONMENT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 30,
  });
  const [type, ...rest] = printed.split('\0');
  if (type === 'merged') return { type, tree: (rest[0] ?? '').trim() };
  if (type === 'conflict') return { type, paths: rest.filter((path) => path !== '') };
  return { type: 'refused', message: rest.join(' ').trim() };
}

/** A checkout of its own that borrows the objects of a repository, which is only read. */
export function cloneTo(root: string, repository: string): string {
  const folder = join(root, 'project');
  gitIn(root, ['clone', '--quiet', '--shared', '--no-checkout', '--', repository, folder]);
  // Merges that are on no branch of the clone's are there all the same.
  gitIn(folder, ['fetch', '--quiet', '--no-auto-maintenance', 'origin', '+refs/*:refs/replayed/*']);
  return folder;
}
