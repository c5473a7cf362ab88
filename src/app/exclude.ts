// Keeps the store out of git's sight through the repository's own exclude file, which is nobody's to commit.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { captureNow } from '../shell/exec/capture-now.ts';
import type { Project } from './project.ts';

/** A team that wants to share `config.yaml` in it adds that once with `git add -f`; what git knows it goes on to see. */
const LINE = '/.heddle/';

/** Where git is not there or says no, the store is merely seen by it, which harms nobody. */
export function excludeFromGit({ root }: Project): void {
  if (!existsSync(join(root, '.git'))) return;
  try {
    const { code, stdout } = captureNow(['git', 'rev-parse', '--git-path', 'info/exclude'], { cwd: root });
    if (code !== 0) return;
    const file = resolve(root, stdout.trim());
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (text.split('\n').includes(LINE)) return;
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${LINE}\n`);
  } catch {
    return;
  }
}
