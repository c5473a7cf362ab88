import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi, type TestContext } from 'vitest';
import { need } from '../../../../test/needs.given.ts';
import { PATIENCE_MS } from '../../../../test/patience.given.ts';
import { mountedAlone, mountedTogether, type Mounter, type OverlayMount } from './mounts.ts';

const MOUNTERS: readonly Mounter[] = ['root', 'user'];

interface Overlay {
  readonly home: string;
  /** Each time with a work folder of its own. */
  readonly mount: () => OverlayMount;
  readonly prefix: string;
}

function givenOverlay(as: Mounter, context: TestContext): Overlay {
  const home = mkdtempSync(join(tmpdir(), 'heddle mounts #,:\\'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const [lower, upper, at] = ['lower', 'upper', 'tree'].map((name) => join(home, name));
  if (lower === undefined || upper === undefined || at === undefined) throw new Error('there are three');
  for (const folder of [lower, upper, at]) mkdirSync(folder);
  writeFileSync(join(lower, 'file'), 'from below');
  let count = 0;
  const mount = (): OverlayMount => {
    count += 1;
    const work = join(home, `work-${count}`);
    mkdirSync(work);
    return { as, home, layers: { lower: [lower], upper, work, at } };
  };
  const [program = '', ...args] = mountedAlone(mount(), ['true']);
  const works = spawnSync(program, args).status === 0;
  need(context, { name: 'other', missing: works ? undefined : 'overlays cannot be mounted here' });
  return { home, mount, prefix: join(home, 'mount') };
}

const run = (argv: readonly string[]): string => {
  const [program = '', ...args] = argv;
  return execFileSync(program, args, { encoding: 'utf8' });
};

const waitUntil = (holds: () => boolean): Promise<boolean> =>
  vi.waitUntil(holds, { timeout: PATIENCE_MS, interval: 20 });

/** By the end of its name, because the list escapes the rest. */
const mountsIn = (folder: string): readonly string[] =>
  readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.includes(folder.slice(-6)));

test.for(MOUNTERS)('a program sees the overlay that it mounts as %s, and nobody else does', (as, context) => {
  const { home, mount } = givenOverlay(as, context);
  const script = `cat file; echo changed > file; id -u; grep ' overlay ' /proc/self/mounts | grep -c nosuid,nodev`;
  expect(run(mountedAlone(mount(), ['sh', '-c', script]))).toBe(`from below${process.getuid?.()}\n1\n`);
  expect(readFileSync(join(home, 'upper', 'file'), 'utf8')).toBe('changed\n');
  expect(readFileSync(join(home, 'lower', 'file'), 'utf8')).toBe('from below');
  expect(existsSync(join(home, 'tree', 'file'))).toBe(false);
  expect(mountsIn(home)).toEqual([]);
});

test.for(MOUNTERS)('programs in one overlay share one mount of %s, which ends with the last', async (as, context) => {
  const { home, mount, prefix } = givenOverlay(as, context);
  const together = (script: string): readonly string[] => mountedTogether(mount(), prefix, ['sh', '-c', script]);
  // The first looks for what the second makes, so it would go on not seeing it in a mount of its own.
  const waits = 'test ! -e second; readlink /proc/self/ns/mnt > first; until [ -s second ]; do sleep 0.02; done';
  const [program = '', ...args] = together(`${waits}; cat second > seen`);
  const first = spawn(program, args, { stdio: 'ignore' });
  const ended = new Promise((resolve) => first.once('exit', resolve));
  await waitUntil(() => existsSync(join(home, 'upper', 'first')));
  expect(run(together('cat first; readlink /proc/self/ns/mnt | tee second')).split('\n')).toHaveLength(3);
  expect(await ended).toBe(0);
  const [one, two, seen] = ['first', 'second', 'seen'].map((name) => readFileSync(join(home, 'upper', name), 'utf8'));
  expect([two, seen]).toEqual([one, one]);
  expect(mountsIn(home)).toEqual([]);
  const [holder = ''] = readFileSync(`${prefix}.holder`, 'utf8').split(' ');
  await waitUntil(() => !existsSync(`/proc/${holder}/ns`) || namespaceOf(holder) !== one?.trim());
  expect(run(together('cat second')), 'it is mounted again').toBe(two);
});

const namespaceOf = (pid: string): string | undefined => {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`);
  } catch {
    // It has ended.
    return undefined;
  }
};

const processesOf = (folder: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
    } catch {
      // It has ended.
      return false;
    }
  });

test.for(MOUNTERS)('nothing is left of programs of %s that are killed, at whatever moment', async (as, context) => {
  const { home, mount, prefix } = givenOverlay(as, context);
  for (let afterMs = 0; afterMs < 60; afterMs += 3) {
    const [program = '', ...args] = mountedTogether(mount(), prefix, ['sleep', '600']);
    const child = spawn(program, args, { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await setTimeout(afterMs);
    child.kill('SIGKILL');
    await ended;
  }
  await waitUntil(() => processesOf(home).length === 0);
  expect(run(mountedTogether(mount(), prefix, ['cat', 'file']))).toBe('from below');
});

test.for(MOUNTERS)('an overlay that %s cannot mount says why, and starts nothing', (as, context) => {
  const { home, mount, prefix } = givenOverlay(as, context);
  rmSync(join(home, 'upper'), { recursive: true });
  for (const argv of [mountedAlone(mount(), ['touch', 'x']), mountedTogether(mount(), prefix, ['touch', 'x'])]) {
    const [program = '', ...args] = argv;
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    expect(status).not.toBe(0);
    expect(stderr).toContain('mount');
  }
  expect(existsSync(join(home, 'tree', 'x'))).toBe(false);
});
