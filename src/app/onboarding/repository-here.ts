// Whether a folder is ready for sandboxes, which are made of commits.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Sentences when it is not, with the remedy. */
export function troubleWithRepository(root: string): string | undefined {
  if (!existsSync(join(root, '.git')))
    return 'This is no git repository, and sandboxes are made of commits: git init && git add . && git commit -m start. Or run in place, without sandboxes: heddle run --no-git.';
  try {
    execFileSync('git', ['rev-parse', '--verify', '--quiet', 'HEAD'], { cwd: root, stdio: 'ignore' });
    return undefined;
  } catch {
    return 'This repository has no commit yet, and sandboxes are made of commits: git add . && git commit -m start.';
  }
}
