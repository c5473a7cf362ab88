import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, type TestContext } from 'vitest';
import { need } from '../../../../test/needs.given.ts';
import { layoutIn, makeCgroup, type Cgroup, type CgroupLimits } from './cgroup.ts';

/** The group, and its folders. */
function givenCgroup(context: TestContext, limits: Partial<CgroupLimits>): { cgroup: Cgroup; folders: string[] } {
  const cgroup = makeCgroup({ memory: 1e9, processes: 1_000, ...limits });
  need(context, { name: 'other', missing: cgroup === undefined ? 'this user may make no control group' : undefined });
  if (cgroup === undefined) throw new Error('a test that cannot run is skipped');
  onTestFinished(() => cgroup.remove());
  return { cgroup, folders: cgroup.enter([]).filter((word) => word.startsWith('/sys/')) };
}

const start = (argv: readonly string[]) => {
  const [program = '', ...args] = argv;
  return spawnSync(program, args, { encoding: 'utf8' });
};

test('a program that takes more memory than its group may is killed, and that is told', (context) => {
  const { cgroup } = givenCgroup(context, { memory: 100_000_000 });
  const eat = ['-e', 'const a = []; for (let i = 0; i < 40; i += 1) a.push(Buffer.alloc(1e7, 1))'];
  expect(start(cgroup.enter([process.execPath, ...eat])).status).not.toBe(0);
  expect(cgroup.exceeded()).toBe('memory');
});

test('no more processes than the group may have are started, and that is told', (context) => {
  const { cgroup } = givenCgroup(context, { processes: 8 });
  const script = 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 0.2 & done; wait';
  expect(start(cgroup.enter(['sh', '-c', script])).stderr).not.toBe('');
  expect(cgroup.exceeded()).toBe('processes');
});

test('a program that keeps to its limits is not told of, and its group is gone afterwards', async (context) => {
  const { cgroup, folders } = givenCgroup(context, {});
  expect(start(cgroup.enter(['sh', '-c', 'cat /proc/self/cgroup'])).stdout).toContain('heddle-');
  expect(cgroup.exceeded()).toBeUndefined();
  expect(folders.map((folder) => existsSync(folder))).toEqual([true, true]);
  await cgroup.remove();
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, false]);
});

test('a group that a killed process left is removed by the next', (context) => {
  const { folders } = givenCgroup(context, {});
  const parent = dirname(folders[0] ?? '');
  const module = JSON.stringify(new URL('cgroup.ts', import.meta.url).pathname);
  const program = `import { makeCgroup } from ${module}; console.log(makeCgroup({ memory: 1e9, processes: 9 }).enter([])[4]);`;
  const left = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).trim();
  expect(dirname(left)).toBe(parent);
  expect(existsSync(left)).toBe(true);
  givenCgroup(context, {});
  expect(existsSync(left)).toBe(false);
});

test('groups are made beside that of this process in version 2, and below it in each tree of version 1', () => {
  const root = mkdtempSync(join(tmpdir(), 'heddle-cgroup-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const first = new Map([
    ['memory', '/user'],
    ['pids', '/'],
  ]);
  expect(layoutIn(root, first)).toMatchObject({
    memory: { parent: join(root, 'memory/user'), limit: 'memory.limit_in_bytes' },
    processes: { parent: join(root, 'pids/'), limit: 'pids.max' },
  });
  expect(layoutIn(root, new Map([['', '/user.slice/a.scope']]))).toBeUndefined();
  writeFileSync(join(root, 'cgroup.controllers'), 'memory pids');
  expect(layoutIn(root, new Map([['', '/user.slice/a.scope']]))).toEqual({
    memory: { parent: join(root, 'user.slice'), limit: 'memory.max', events: 'memory.events' },
    processes: { parent: join(root, 'user.slice'), limit: 'pids.max', events: 'pids.events' },
  });
});
