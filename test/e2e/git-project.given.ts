// A user's repository in a folder of its own, written to by plain git as a user would.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openRepository } from '../../src/shell/git/repository.ts';
import type { Repository } from '../../src/shell/git/repository.ts';

/** Content, a link's aim, something executable, or nothing any more. */
export type File = string | { readonly link: string } | { readonly script: string } | undefined;
export type Files = Readonly<Record<string, File>>;

export interface Project {
  readonly folder: string;
  readonly git: (...args: readonly string[]) => string;
  /** Commits files on top of what is checked out. */
  readonly commit: (files: Files, message?: string) => string;
  /** A branch off a commit with files changed; what was checked out is checked out again. */
  readonly branch: (from: string, files: Files) => string;
  readonly open: () => Promise<Repository>;
}

/** The date of every commit that tests make, so that ids are the same in every run. */
export const AT = 1_700_000_000_000;

const ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'User',
  GIT_AUTHOR_EMAIL: 'user@localhost',
  GIT_COMMITTER_NAME: 'User',
  GIT_COMMITTER_EMAIL: 'user@localhost',
  GIT_AUTHOR_DATE: '@1700000000 +0000',
  GIT_COMMITTER_DATE: '@1700000000 +0000',
};

export function gitIn(folder: string, ...args: readonly string[]): string {
  const settings = ['-c', 'protocol.file.allow=always', '-c', 'gc.auto=0'];
  return execFileSync('git', [...settings, ...args], {
    cwd: folder,
    env: ENVIRONMENT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 30,
  }).replace(/\n$/, '');
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-git-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function makeProject(files: Files = { 'read me.txt': 'hello\n' }): Project {
  const folder = join(temporaryFolder(), 'project');
  mkdirSync(folder);
  gitIn(folder, 'init', '--quiet', '--initial-branch=main');
  const project = projectIn(folder);
  project.commit(files, 'base');
  return project;
}

export function projectIn(folder: string): Project {
  const git = (...args: readonly string[]): string => gitIn(folder, ...args);
  const commit = (files: Files, message = 'change'): string => {
    writeFiles(folder, files);
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', message);
    return git('rev-parse', 'HEAD');
  };
  return {
    folder,
    git,
    commit,
    branch: (from, files) => {
      const before = git('symbolic-ref', '--short', 'HEAD');
      git('checkout', '--quiet', '--detach', from);
      const made = commit(files);
      git('checkout', '--quiet', before);
      return made;
    },
    open: async () => {
      const opened = await openRepository({ home: homeOf(folder), project: folder, repairs: true });
      if (opened.type === 'refused') throw new Error(opened.failure.code);
      return opened.repository;
    },
  };
}

/** Beside the project, so that its bytes are all the user's. */
export const homeOf = (project: string): string => join(dirname(project), 'home');

export function writeFiles(folder: string, files: Files): void {
  for (const [name, file] of Object.entries(files)) {
    const path = join(folder, name);
    rmSync(path, { recursive: true, force: true });
    if (file === undefined) continue;
    mkdirSync(dirname(path), { recursive: true });
    if (typeof file === 'string') writeFileSync(path, file);
    else if ('link' in file) symlinkSync(file.link, path);
    else {
      writeFileSync(path, file.script);
      chmodSync(path, 0o755);
    }
  }
}

/** Everything in a folder as one number, but for what is ours in a user's repository. */
export function fingerprintOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (/(^|\/)(refs\/heddle|info\/exclude)(\/|$)/.test(name)) continue;
    const path = join(folder, name);
    const found = lstatSync(path);
    hash.update(`${name} ${found.mode}\0`);
    if (found.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (found.isFile()) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}
