// A project in a git repository of its own: three files in src, and a plan beside them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { endProjectsAfterEach, givenProject } from './world/given-project.given.ts';
import type { Project } from './world/project.given.ts';

export type RepositoryProject = Project & { readonly git: (...words: readonly string[]) => string };

const folders: string[] = [];

export function endRepositoriesAfterEach(): void {
  // Registered first, so that it comes last: what is mounted is gone before its folder is removed.
  endProjectsAfterEach();
  afterEach(() => {
    for (const folder of folders.splice(0)) {
      const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
      const inside = mounts.flatMap((line) => line.split(' ')[4] ?? []).filter((at) => at.startsWith(`${folder}/`));
      for (const at of inside.toReversed()) execFileSync('umount', [at]);
    }
  });
}

const HEAD = 'heddle: 1\nname: world\nmax_parallel: 4\n';

/** One attempt a step, unless the plan says otherwise. */
export function givenRepository(plan: string): RepositoryProject {
  const attempts = /^attempts:/m.test(plan) ? '' : 'attempts: 1\n';
  const project = givenProject(`${HEAD}${attempts}${plan}`);
  folders.push(project.folder);
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: project.folder, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'someone');
  git('config', 'user.email', 'someone@localhost');
  mkdirSync(join(project.folder, 'src'));
  for (const name of ['one', 'two', 'shared']) writeFileSync(project.file(`src/${name}.txt`), `${name}\n`);
  git('add', 'src');
  git('commit', '-qm', 'start');
  return { ...project, git };
}
