import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ifUnlocked, withLock, withSharedLock } from './lock.ts';

const NAME = { family: 'sandbox', name: 'r/t' } as const;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const isFree = async (): Promise<boolean> => (await ifUnlocked(folder, NAME, async () => true)) === true;

test('a lock is held by one at a time, and those who wait get it in turn', async () => {
  const seen: string[] = [];
  const action = (name: string) => async () => {
    seen.push(`${name} begins`);
    expect(await isFree()).toBe(false);
    seen.push(`${name} ends`);
  };
  await Promise.all(['a', 'b', 'c'].map((name) => withLock(folder, NAME, action(name))));
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(await isFree()).toBe(true);
});

test('those who share a lock hold it together and keep others out', async () => {
  await withSharedLock(folder, NAME, async () => {
    expect(await withSharedLock(folder, NAME, async () => 'shared')).toBe('shared');
    expect(await isFree()).toBe(false);
  });
  expect(await isFree()).toBe(true);
});

test('an action that fails gives its lock back', async () => {
  await expect(withLock(folder, NAME, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await isFree()).toBe(true);
});

test('the lock of a process that was killed is free at once', async () => {
  const lock = join(import.meta.dirname, 'lock.ts');
  const program = `import { withLock } from ${JSON.stringify(lock)};
    await withLock(${JSON.stringify(folder)}, ${JSON.stringify(NAME)}, () => { console.log('held'); return new Promise(() => setInterval(() => 0, 1000)); });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  expect(await isFree()).toBe(false);
  child.kill('SIGKILL');
  await ended;
  expect(await isFree()).toBe(true);
});

test('a lock writes nothing, so that a sandbox can be closed on a full disk', () => {
  const lock = join(import.meta.dirname, 'lock.ts');
  const program = `import { withLock } from ${JSON.stringify(lock)};
    await withLock(${JSON.stringify(folder)}, ${JSON.stringify(NAME)}, async () => console.log('held'));`;
  // No file may grow by a single byte.
  const limited = ['-c', 'trap "" XFSZ; ulimit -f 0; exec "$0" --input-type=module -e "$1"', process.execPath, program];
  expect(spawnSync('/bin/sh', limited, { encoding: 'utf8' })).toMatchObject({ status: 0, stdout: 'held\n' });
});
