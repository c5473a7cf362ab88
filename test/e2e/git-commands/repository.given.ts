// A project in a real repository, with a plan, and the program at work in it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProjectsAfterEach, givenProject } from '../world/given-project.given.ts';
import type { Project } from '../world/project.given.ts';

export interface InGit extends Project {
  readonly git: (...words: readonly string[]) => string;
  readonly write: (name: string, text: string) => void;
  readonly read: (name: string) => string;
}

const HEAD = 'heddle: 1\nname: world\nmax_parallel: 4\nattempts: 1\n';

/** To be called once in a file of tests. */
export const endRepositoriesAfterEach = endProjectsAfterEach;

/** On `main`, with `src/one.txt`, `src/two.txt` and `src/shared.txt` of one line each, and the plan. */
export function givenRepository(tasks: string, env: Readonly<Record<string, string>> = {}): InGit {
  const project = givenProject(tasks.startsWith('heddle:') ? tasks : `${HEAD}${tasks}`, env);
  const { folder } = project;
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'someone');
  git('config', 'user.email', 'someone@localhost');
  mkdirSync(join(folder, 'src'));
  for (const name of ['one', 'two', 'shared']) writeFileSync(join(folder, `src/${name}.txt`), `${name}\n`);
  git('add', '.');
  git('commit', '-qm', 'start');
  return {
    ...project,
    git,
    write: (name, text) => writeFileSync(join(folder, name), text),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
  };
}

/** Commits a file on what is checked out. */
export function commit(project: InGit, name: string, text: string): string {
  project.write(name, text);
  project.git('add', name);
  project.git('commit', '-qm', name);
  return project.git('rev-parse', 'HEAD');
}
