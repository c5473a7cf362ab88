// The project of the demo: the files of `examples/demo` in a folder of their own, as a git repository with one commit.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { captureNow } from '../../shell/exec/capture-now.ts';
import { Refused } from '../refusal.ts';
import { PACKAGE_ROOT } from '../package-root.ts';

export interface DemoProject {
  readonly folder: string;
  /** How many files it begins with. */
  readonly files: number;
}

/** In the folder named, or in one of its own among the temporary ones. */
export function makeDemoProject(named: string | undefined): DemoProject {
  const folder = named === undefined ? mkdtempSync(join(realpathSync(tmpdir()), 'heddle-demo-')) : emptyFolder(named);
  cpSync(join(PACKAGE_ROOT, 'examples', 'demo'), folder, { recursive: true });
  git(folder, 'init', '--quiet', '--initial-branch=main', '--template=');
  git(folder, 'add', '--all');
  git(folder, ...AS_US, 'commit', '--quiet', '--message', 'A loom, with one thread');
  return { folder, files: git(folder, 'ls-files').trim().split('\n').length };
}

/** One by one: Node itself tries for ever where the system says of a folder that is there that it is not, as below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

function emptyFolder(named: string): string {
  const folder = resolve(named);
  try {
    makeFolder(folder);
    if (readdirSync(folder).length === 0) return realpathSync(folder);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Refused({ code: 'folder-unusable', folder, message }, { cause });
  }
  throw new Refused({ code: 'folder-not-empty', folder });
}

/** Whoever has no name for git, signs commits or has hooks for all repositories sees the demo all the same. */
const AS_US = [
  ['user.name', 'Heddle'],
  ['user.email', 'heddle@localhost'],
  ['commit.gpgSign', 'false'],
  ['core.hooksPath', '/dev/null'],
].flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** What git says in a folder, whatever repository the environment names. */
export function git(folder: string, ...words: readonly string[]): string {
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const options = { cwd: folder, environment: Object.fromEntries(environment) };
  const { code, stdout, stderr, error } = captureNow(['git', ...words], options);
  if (code !== 0) throw new Error(`git ${words.join(' ')} failed: ${error ?? stderr}`);
  return stdout;
}
