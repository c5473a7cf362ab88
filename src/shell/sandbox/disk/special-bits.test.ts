import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { need, skipUnless } from '../../../../test/needs.given.ts';
import { dropSpecialBits } from './files.ts';

skipUnless({ name: 'other', missing: process.platform === 'linux' ? undefined : 'the find of Linux is needed' });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-bits-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const modeOf = (path: string): string => (lstatSync(path).mode & 0o7777).toString(8);

test('setuid, setgid and sticky go from files and folders, and all other permissions stay', async () => {
  const inner = join(folder, 'deep', '-odd\nname');
  mkdirSync(inner, { recursive: true });
  const file = join(inner, 'program');
  const outside = mkdtempSync(join(tmpdir(), 'heddle-bits-'));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  symlinkSync(outside, join(folder, 'link'));
  writeFileSync(file, '');
  chmodSync(file, 0o6751);
  chmodSync(inner, 0o3750);
  chmodSync(outside, 0o1777);
  await dropSpecialBits([folder, join(folder, 'missing')]);
  expect([modeOf(file), modeOf(inner), modeOf(outside)]).toEqual(['751', '750', '1777']);
});

test('devices go, and what marks a deleted file in an overlay stays', async (context) => {
  const made = [
    ['disk', 'b', '7', '250'],
    ['null', 'c', '1', '3'],
    ['deleted', 'c', '0', '0'],
  ].map(([name = '', ...words]) => spawnSync('mknod', [join(folder, name), ...words]).status);
  const isRoot = made.every((status) => status === 0);
  need(context, { name: 'other', missing: isRoot ? undefined : 'only root makes devices' });
  await dropSpecialBits([folder]);
  expect(readdirSync(folder)).toEqual(['deleted']);
});

test('capabilities of a program go, and its owner stays', async (context) => {
  const program = join(folder, 'program');
  writeFileSync(program, '');
  chmodSync(program, 0o755);
  const isOwned = spawnSync('chown', ['4321:4321', program]).status === 0;
  const isGiven = spawnSync('setcap', ['cap_net_raw+ep', program]).status === 0;
  need(context, { name: 'other', missing: isOwned && isGiven ? undefined : 'root and the program setcap are needed' });
  await dropSpecialBits([folder]);
  expect(spawnSync('getcap', [program], { encoding: 'utf8' }).stdout).toBe('');
  expect(lstatSync(program)).toMatchObject({ uid: 4321, gid: 4321 });
});
