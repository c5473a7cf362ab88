import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeHostProject } from '../git/remote/host-project.ts';
import { openRepository, type Repository } from '../git/repository.ts';
import { REFS } from '../git/store/ref-names.ts';
import type { Sandboxes } from './sandboxes.ts';
import type { SandboxSettings } from './tree/sandbox-context.ts';
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

interface GivenHost {
  readonly home: string;
  readonly repository: Repository;
  readonly sandboxes: (settings?: Partial<SandboxSettings>) => Promise<Sandboxes>;
}

/** A host with the base commit of a run. */
async function givenHost(): Promise<GivenHost> {
  const home = join(project.root, 'host');
  const made = await makeHostProject({ home, objectFormat: 'sha1' });
  if (made.type === 'failed') throw new Error(made.failure.code);
  git(made.project, 'fetch', '-q', project.folder, `${project.base}:${REFS.brought('night-1', project.base)}`);
  const opened = await openRepository({ home, project: made.project, repairs: true });
  if (opened.type === 'refused') throw new Error(opened.failure.code);
  const { repository } = opened;
  const there = { ...project, home, folder: made.project, repository };
  return { home, repository, sandboxes: (settings) => givenSandboxes(there, 'checkout', settings) };
}

test('a host has sandboxes over a bare project, and their work is committed beside it', async () => {
  const host = await givenHost();
  const { repository } = host;
  expect(repository.user).toMatchObject({ workTree: undefined, head: undefined, hooks: [] });
  const sandboxes = await host.sandboxes();
  const sandbox = await sandboxes.open({ run: 'night-1', task: 'a', base: project.base, from: undefined, at: AT });
  if (sandbox.type === 'failed') throw new Error(sandbox.failure.code);
  expect(inside(sandbox.sandbox, 'cat src/a.txt; echo more >> src/a.txt')).toBe('a\n');
  const ref = REFS.checkpoint('night-1', { task: 'a', step: 'code', attempt: 1 });
  const checkpoint = await sandbox.sandbox.checkpoint({ message: 'a: code', at: AT, ref });
  expect(checkpoint).toMatchObject({ type: 'committed' });
  expect(git(repository.gitDir, 'show', `${ref}:src/a.txt`)).toBe('a\nmore');
});

test('a host takes files that git does not track from its own folder for them, and refuses a claim while it has none', async () => {
  const { home, sandboxes } = await givenHost();
  const open = async (task: string) =>
    (await sandboxes({ include: ['.env'], link: ['cache'] })).open({
      run: 'night-1',
      task,
      base: project.base,
      from: undefined,
      at: AT,
    });
  expect(await open('a')).toMatchObject({ failure: { code: 'files-missing', include: '.env' } });
  mkdirSync(join(home, 'files', 'cache'), { recursive: true });
  writeFileSync(join(home, 'files', '.env'), 'KEY=of this host');
  writeFileSync(join(home, 'files', 'cache', 'kept'), 'kept');
  const opened = await open('b');
  if (opened.type === 'failed') throw new Error(opened.failure.code);
  expect(inside(opened.sandbox, 'cat .env cache/kept')).toBe('KEY=of this hostkept');
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
