import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/shell/store/open-store.ts';
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

test('a store in a folder that cannot be written is read, and writing is refused', () => {
  const { home, run } = givenStore();
  chmodSync(join(home, 'store.sqlite'), 0o444);
  chmodSync(home, 0o555);
  onTestFinished(() => chmodSync(home, 0o755));
  asAnyone(() => {
    const store = opened(home, 'read');
    expect(store.eventsFrom(run, 0)).toMatchObject({ position: 2, failure: undefined });
    store.close();
    const failure = { code: 'read-only', file: join(home, 'store.sqlite') };
    expect(openStore(home, { mode: 'write', clock })).toEqual({ type: 'failed', failure });
  });
});

test('a folder in which no store can be made is read-only', () => {
  const { home } = givenStore();
  chmodSync(dirname(home), 0o555);
  onTestFinished(() => chmodSync(dirname(home), 0o755));
  const elsewhere = join(dirname(home), 'other', '.heddle');
  const answer = asAnyone(() => openStore(elsewhere, { mode: 'write', clock }));
  expect(answer).toEqual({ type: 'failed', failure: { code: 'read-only', file: join(elsewhere, 'store.sqlite') } });
});

const runs = ([program = '', ...words]: readonly string[]): boolean =>
  spawnSync(program, words, { stdio: 'ignore' }).status === 0;

interface Disk {
  readonly folder: string;
  /** Where this user may not mount a small disk, it is as large as any. */
  readonly isSmall: boolean;
}

function givenDisk(): Disk {
  const folder = dirname(givenFolder());
  const isSmall = runs(['mount', '-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder]);
  if (isSmall) onTestFinished(() => void runs(['umount', '-l', folder]));
  return { folder, isSmall };
}

/** Writes a file until there is no room, or enough. */
function fill(file: string): void {
  try {
    for (let count = 0; count < 256; count += 1) appendFileSync(file, Buffer.alloc(4096));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  }
}

test('a full disk is reported, nothing is lost, and work continues when there is room', () => {
  const { folder, isSmall } = givenDisk();
  const home = join(folder, '.heddle');
  const ballast = join(folder, 'ballast');
  const store = opened(home);
  onTestFinished(() => store.close());
  const run = createdRun(store);
  const log = ownedLog(store, run);
  fill(ballast);
  let count = 0;
  while (count < 1000 && log.append([opening(count)], []).type === 'appended') count += 1;
  const full = { type: 'failed', failure: { code: 'full', file: join(home, 'store.sqlite') } };
  // On a large disk the test of a store without room, beside the code, says the same of SQLite alone.
  if (isSmall) expect(log.append([opening(count)], [])).toEqual(full);
  rmSync(ballast);
  expect(log.append([opening(count)], [])).toEqual({ type: 'appended' });
  const { events, failure } = store.eventsFrom(run, 0);
  expect(failure).toBeUndefined();
  expect(events.slice(1, count + 1)).toEqual(Array.from({ length: count }, (_, index) => opening(index)));
});

test('a store on a full disk can be read', () => {
  const { folder, isSmall } = givenDisk();
  const home = join(folder, '.heddle');
  const store = opened(home);
  const run = createdRun(store);
  store.close();
  if (isSmall) fill(join(folder, 'ballast'));
  const reader = opened(home, 'read');
  expect(reader.eventsFrom(run, 0)).toMatchObject({ position: 1, failure: undefined });
  reader.close();
});
