import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/shell/log/open-store.ts';
import { givenFolder } from './store-processes.given.ts';
import { clock, createdRun, opened, opening, ownedLog } from './store-program.given.ts';

const NOBODY = 65_534;

/** Permissions do not hold for root, so as root this is done as somebody else. */
function asAnyone<Value>(work: () => Value): Value {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}

/** A store with one run of two events, closed, in a folder that others may look into. */
function givenStore(): { readonly home: string; readonly run: string } {
  const home = givenFolder();
  chmodSync(dirname(home), 0o755);
  const store = opened(home);
  const run = createdRun(store);
  ownedLog(store, run).append([opening(1)], []);
  store.close();
  return { home, run };
}

test('a store in a folder that cannot be written is read, and writing is refused in words', () => {
  const { home, run } = givenStore();
  chmodSync(join(home, 'store.sqlite'), 0o444);
  chmodSync(home, 0o555);
  onTestFinished(() => chmodSync(home, 0o755));
  asAnyone(() => {
    const store = opened(home, 'read');
    expect(store.eventsFrom(run, 0)).toMatchObject({ position: 2, trouble: undefined });
    store.close();
    const words = `The store ${join(home, 'store.sqlite')} cannot be written. Make the file and its folder ${home} writable`;
    expect(openStore(home, { mode: 'write', clock })).toEqual({
      type: 'failed',
      message: expect.stringContaining(words),
    });
  });
});

test('a folder in which no store can be made is told of in words', () => {
  const { home } = givenStore();
  chmodSync(dirname(home), 0o555);
  onTestFinished(() => chmodSync(dirname(home), 0o755));
  const elsewhere = join(dirname(home), 'other', '.heddle');
  const answer = asAnyone(() => openStore(elsewhere, { mode: 'write', clock }));
  expect(answer).toEqual({
    type: 'failed',
    message: expect.stringContaining('cannot be written. Make the file and its folder'),
  });
});

/** A disk of its own, half a megabyte large; undefined where this user may not mount one. */
function givenSmallDisk(): string | undefined {
  const disk = dirname(givenFolder());
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', disk], { stdio: 'ignore' });
  if (status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['-l', disk]));
  return disk;
}

test('a disk that is full is told of in words, nothing is lost, and the work goes on when there is room', () => {
  // Where no disk can be mounted, the test of a store without room beside the code says the same of SQLite alone.
  const disk = givenSmallDisk() ?? dirname(givenFolder());
  const isSmall = spawnSync('mountpoint', ['-q', disk]).status === 0;
  const home = join(disk, '.heddle');
  mkdirSync(disk, { recursive: true });
  writeFileSync(join(disk, 'ballast'), Buffer.alloc(100_000));
  const store = opened(home);
  onTestFinished(() => store.close());
  const run = createdRun(store);
  const log = ownedLog(store, run);
  let count = 0;
  let answer = log.append([opening(count)], []);
  while (answer.type === 'appended' && count < 3000) {
    count += 1;
    answer = log.append([opening(count)], []);
  }
  if (isSmall) {
    expect(answer).toEqual({
      type: 'failed',
      message: expect.stringContaining('The disk is full, so nothing was written'),
    });
    expect(log.append([opening(count)], [])).toMatchObject({ type: 'failed' });
  }
  rmSync(join(disk, 'ballast'));
  expect(log.append([opening(count)], [])).toEqual({ type: 'appended' });
  const { events, trouble } = store.eventsFrom(run, 0);
  expect(trouble).toBeUndefined();
  expect(events.slice(1, count + 1)).toEqual(Array.from({ length: count }, (_, index) => opening(index)));
  expect(readFileSync(join(home, 'store.sqlite')).length).toBeGreaterThan(0);
});

test('a store on a full disk can be opened and read', () => {
  const disk = givenSmallDisk() ?? dirname(givenFolder());
  const isSmall = spawnSync('mountpoint', ['-q', disk]).status === 0;
  const home = join(disk, '.heddle');
  mkdirSync(disk, { recursive: true });
  const store = opened(home);
  const run = createdRun(store);
  store.close();
  if (isSmall) spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'ballast')}`, 'bs=4k'], { stdio: 'ignore' });
  const answer = openStore(home, { mode: 'read', clock });
  if (answer.type === 'opened') {
    expect(answer.store.eventsFrom(run, 0)).toMatchObject({ position: 1, trouble: undefined });
    answer.store.close();
  } else {
    expect(answer.message).toContain('disk is full');
  }
});
