// Excludes the store from git through the repository's own exclude file, which is never committed.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { captureNow } from '../shell/exec/capture-now.ts';
import type { Project } from './project.ts';

/** A team shares `config.yaml` in it with one `git add -f`; git continues to track a file that it already tracks. */
const LINE = '/.heddle/';

/** A failure of git is harmless: the store then shows up as untracked. */
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
