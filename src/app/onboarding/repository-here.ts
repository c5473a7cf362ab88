// Whether a folder is ready for sandboxes, which are made of commits.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { captureNow } from '../../shell/exec/capture-now.ts';

/** Sentences when it is not, with the remedy. */
export function troubleWithRepository(root: string): string | undefined {
  if (!existsSync(join(root, '.git')))
    return 'This is no git repository, and sandboxes are made of commits: git init && git add . && git commit -m start. Or run in place, without sandboxes: heddle run --no-git.';
  const { code } = captureNow(['git', 'rev-parse', '--verify', '--quiet', 'HEAD'], { cwd: root });
  if (code === 0) return undefined;
  return 'This repository has no commit yet, and sandboxes are made of commits: git add . && git commit -m start.';
}
