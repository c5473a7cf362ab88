import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeHostProject } from '../git/remote/host-project.ts';
import { openRepository } from '../git/repository.ts';
import { REFS } from '../git/store/ref-names.ts';
import {
  AT,
  git,
  givenProject,
  givenSandboxes,
  inside,
  removeProject,
  type GivenRepository,
} from './sandboxes.given.ts';

let project: GivenRepository;
beforeEach(async () => {
  project = await givenProject();
});
afterEach(async () => removeProject(project));

test('a host has sandboxes over a bare project, and their work is committed beside it', async () => {
  const home = join(project.root, 'host');
  const made = await makeHostProject({ home, objectFormat: 'sha1' });
  if (made.type === 'failed') throw new Error(made.failure.code);
  git(made.project, 'fetch', '-q', project.folder, `${project.base}:${REFS.brought('night-1', project.base)}`);
  const opened = await openRepository({ home, project: made.project, repairs: true });
  if (opened.type === 'refused') throw new Error(opened.failure.code);
  const { repository } = opened;
  expect(repository.user).toMatchObject({ workTree: undefined, head: undefined, hooks: [] });
  const sandboxes = await givenSandboxes({ ...project, home, folder: made.project, repository }, 'checkout');
  const sandbox = await sandboxes.open({ run: 'night-1', task: 'a', base: project.base, from: undefined, at: AT });
  if (sandbox.type === 'failed') throw new Error(sandbox.failure.code);
  expect(inside(sandbox.sandbox, 'cat src/a.txt; echo more >> src/a.txt')).toBe('a\n');
  const ref = REFS.checkpoint('night-1', { task: 'a', step: 'code', attempt: 1 });
  const checkpoint = await sandbox.sandbox.checkpoint({ message: 'a: code', at: AT, ref });
  expect(checkpoint).toMatchObject({ type: 'committed' });
  expect(git(repository.gitDir, 'show', `${ref}:src/a.txt`)).toBe('a\nmore');
});

test('what killed fetches left in the project of a host is removed with the next start, and nothing younger', async () => {
  const options = { home: join(project.root, 'host'), objectFormat: 'sha1' };
  const made = await makeHostProject(options);
  if (made.type === 'failed') throw new Error(made.failure.code);
  const packs = join(made.project, 'objects', 'pack');
  for (const name of ['tmp_pack_old', 'tmp_pack_young', 'pack-1.pack']) writeFileSync(join(packs, name), '');
  for (const name of ['tmp_pack_old', 'pack-1.pack']) utimesSync(join(packs, name), 0, 0);
  expect(await makeHostProject(options)).toEqual(made);
  expect(readdirSync(packs).toSorted()).toEqual(['pack-1.pack', 'tmp_pack_young']);
});
