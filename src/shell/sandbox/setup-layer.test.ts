import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SandboxSettings } from './tree/sandbox-context.ts';
import type { Sandbox } from './sandbox.ts';
import {
  AT,
  git,
  givenProject,
  givenSandboxes,
  inside,
  removeProject,
  needOf,
  WAYS,
  writeFiles,
  type GivenRepository,
} from './sandboxes.given.ts';
import { skipUnless } from '../../../test/needs.given.ts';
import type { Sandboxes } from './sandboxes.ts';

let project: GivenRepository;
beforeEach(async () => {
  project = await givenProject();
});
afterEach(async () => removeProject(project));

const open = async (sandboxes: Sandboxes, task: string, base = project.base): Promise<Sandbox> => {
  const opened = await sandboxes.open({ run: 'r', task, base, from: undefined, at: AT });
  if (opened.type === 'failed') throw new Error(opened.failure.code);
  return opened.sandbox;
};

const commit = (files: Readonly<Record<string, string>>): string => {
  writeFiles(project.folder, files);
  git(project.folder, 'add', '-A');
  git(project.folder, 'commit', '-qm', 'more');
  return git(project.folder, 'rev-parse', 'HEAD');
};

/** Counts how often it ran, outside of every sandbox. */
const counting = (): string =>
  `echo ran >> '${project.root}/runs'; mkdir -p node_modules/lib packages/p; cat .env > node_modules/lib/env 2>/dev/null || true;
   echo made > packages/p/generated; echo touched >> README.md`;
const runs = (): number => readFileSync(join(project.root, 'runs'), 'utf8').split('\n').length - 1;

/** One that is over may be listed until somebody asks how it ended. */
const isAtWork = (pid: string): boolean =>
  existsSync(`/proc/${pid}/stat`) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');

for (const way of WAYS)
  describe(`a sandbox of the kind ${way} can run the project`, async () => {
    skipUnless(await needOf(way));
    const given = (settings: Partial<SandboxSettings>) => givenSandboxes(project, way, settings);
    beforeEach(async () => {
      await removeProject(project);
      project = await givenProject(way);
    });

    test('set-up runs once, and again only when a lock file changes', async () => {
      const base = commit({ 'package-lock.json': '1' });
      const sandboxes = await given({ setup: counting() });
      const [one] = await Promise.all(['a', 'b', 'c'].map((task) => open(sandboxes, task, base)));
      if (one === undefined) throw new Error('there is none');
      expect(inside(one, 'cat packages/p/generated README.md; git status --porcelain')).toBe('made\none\n');
      expect(runs()).toBe(1);
      const other = await open(sandboxes, 'd', commit({ 'src/a.txt': 'changed\n' }));
      expect(inside(other, 'cat src/a.txt packages/p/generated; git status --porcelain')).toBe('changed\nmade\n');
      expect(runs()).toBe(1);
      await open(sandboxes, 'e', commit({ 'package-lock.json': '2' }));
      expect(runs()).toBe(2);
    });

    test('what set-up made is each sandbox’s own, comes back after a reset, and is no work', async () => {
      const sandboxes = await given({ setup: counting() });
      const one = await open(sandboxes, 'a');
      const other = await open(sandboxes, 'b');
      inside(one, 'echo spoilt > packages/p/generated; rm -r node_modules');
      expect(inside(other, 'cat packages/p/generated; ls node_modules')).toBe('made\nlib\n');
      expect(await one.checkpoint({ message: 'x', at: AT, ref: 'refs/heddle/r/c/a' })).toMatchObject({
        type: 'unchanged',
      });
      expect(await one.reset(project.base)).toMatchObject({ type: 'reset' });
      expect(inside(one, 'cat packages/p/generated; ls node_modules')).toBe('made\nlib\n');
      expect(runs()).toBe(1);
    });

    test('a commit that tracks what set-up makes gets a layer of its own', async () => {
      commit({ 'package-lock.json': '1' });
      const sandboxes = await given({ setup: counting() });
      await open(sandboxes, 'a', git(project.folder, 'rev-parse', 'HEAD'));
      const base = commit({ 'packages/p/generated': 'tracked\n' });
      expect(inside(await open(sandboxes, 'b', base), 'cat packages/p/generated; git status --porcelain')).toBe(
        'tracked\n',
      );
      expect(runs()).toBe(2);
    });

    test('set-up that fails is told with what it said', async () => {
      const sandboxes = await given({ setup: 'echo no network >&2; exit 3' });
      const opened = await sandboxes.open({ run: 'r', task: 'a', base: project.base, from: undefined, at: AT });
      expect(opened).toMatchObject({
        type: 'failed',
        failure: { code: 'setup-failed', exitCode: 3, output: 'no network' },
      });
      expect(readdirSync(join(project.home, 'scratch'))).toEqual([]);
    });

    test('what set-up leaves running ends with it, and is not waited for', async () => {
      const left = `sleep 300 & echo $! > '${project.root}/left'; echo made > made`;
      const sandboxes = await given({ setup: left });
      expect(inside(await open(sandboxes, 'a'), 'cat made')).toBe('made\n');
      expect(isAtWork(readFileSync(join(project.root, 'left'), 'utf8').trim())).toBe(false);
    });

    test('ignored files are brought along, and linked folders are shared', async () => {
      commit({ '.worktreeinclude': '*.local\n' });
      writeFiles(project.folder, {
        '.env': 'KEY=1\n',
        'conf/a.local': 'local\n',
        'cache/x': 'shared\n',
        ignored: 'no\n',
      });
      const sandboxes = await given({ include: ['.env'], link: ['cache'] });
      const sandbox = await open(sandboxes, 'a');
      expect(
        inside(sandbox, 'cat .env conf/a.local cache/x; ls ignored 2>/dev/null || true; git status --porcelain'),
      ).toBe('KEY=1\nlocal\nshared\n');
      inside(sandbox, 'echo two > cache/y; echo KEY=2 > .env');
      expect(readFileSync(join(project.folder, 'cache/y'), 'utf8')).toBe('two\n');
      expect(readFileSync(join(project.folder, '.env'), 'utf8')).toBe('KEY=1\n');
      expect(await sandbox.checkpoint({ message: 'x', at: AT, ref: 'refs/heddle/r/c/a' })).toMatchObject({
        type: 'unchanged',
      });
    });

    test('a link that is none is refused', async () => {
      for (const [link, code] of [
        ['../elsewhere', 'link-outside'],
        ['missing', 'link-missing'],
      ] as const) {
        const sandboxes = await given({ link: [link] });
        const opened = await sandboxes.open({ run: 'r', task: 'a', base: project.base, from: undefined, at: AT });
        expect(opened).toMatchObject({ type: 'failed', failure: { code, path: expect.stringContaining(link) } });
      }
    });
  });

test('each sandbox has ports and a name of its own, which are free again when it is gone', async () => {
  const sandboxes = await givenSandboxes(project, 'checkout', { ports: 2 });
  const all = await Promise.all(['a', 'b', 'c'].map((task) => open(sandboxes, task)));
  const ports = all.flatMap(({ environment }) => [environment['HEDDLE_PORT_0'], environment['HEDDLE_PORT_1']]);
  expect(new Set(ports).size).toBe(6);
  expect(new Set(all.map(({ environment }) => environment['HEDDLE_SANDBOX'])).size).toBe(3);
  expect((await open(sandboxes, 'a')).environment).toEqual(all[0]?.environment);
  await Promise.all(all.map((sandbox) => sandbox.destroy()));
  expect(readdirSync(join(project.home, 'ports'))).toEqual([]);
});

test('a sandbox of submodules and pointers has them as git has them', async () => {
  const inner = join(project.root, 'inner');
  mkdirSync(inner);
  git(inner, 'init', '-q', '-b', 'main');
  writeFiles(inner, { 'in.txt': 'inner\n' });
  git(inner, 'add', '-A');
  git(inner, 'commit', '-qm', 'inner');
  git(project.folder, 'submodule', '--quiet', 'add', inner, 'sub');
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n';
  const base = commit({ '.gitattributes': '*.bin filter=lfs\nsrc/*.txt text eol=crlf\n', 'a.bin': pointer });
  const sandbox = await open(await givenSandboxes(project, 'checkout'), 'a', base);
  expect(inside(sandbox, 'git status --porcelain; ls -A sub; cat a.bin')).toBe(pointer);
  inside(sandbox, 'printf "x\\r\\n" > src/a.txt; git mv README.md readme.md');
  const done = await sandbox.checkpoint({ message: 'x', at: AT, ref: 'refs/heddle/r/c/a' });
  expect(done).toMatchObject({ type: 'committed' });
  const made = done.type === 'failed' ? '' : done.commit;
  expect(git(project.repository.gitDir, 'ls-tree', made, '--', 'sub')).toContain('160000 commit');
  expect(git(project.repository.gitDir, 'show', `${made}:src/a.txt`)).toBe('x');
  expect(existsSync(join(sandbox.folder, 'readme.md'))).toBe(true);
});
