// The launcher of this processor is run; of the other one its form is read. e2e shows that the keyring is fresh.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { need } from '../../../../test/needs.given.ts';
import { keyringLauncher } from './keyring-launcher.ts';

let file: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-launcher-'));
  file = join(folder, 'launcher');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

test('the launcher becomes the program that it is given, with its arguments and its environment', (context) => {
  const launcher = process.platform === 'linux' ? keyringLauncher(process.arch) : undefined;
  need(context, {
    name: 'other',
    missing: launcher === undefined ? 'there is no launcher for this system' : undefined,
  });
  writeFileSync(file, launcher ?? '', { mode: 0o755 });
  const run = (...args: readonly string[]) => spawnSync(file, args, { encoding: 'utf8', env: { NAME: 'value' } });
  expect(run('/bin/sh', '-c', 'echo "$NAME $1 $2"; exit 3', 'sh', 'a b', '')).toMatchObject({
    stdout: 'value a b \n',
    status: 3,
  });
  const NOT_FOUND = 2;
  expect(run('/there/is/no/such/program').status).toBe(NOT_FOUND);
});

test('what nobody on the way to the program has opened is closed for it', (context) => {
  const launcher = process.platform === 'linux' ? keyringLauncher(process.arch) : undefined;
  const bash = spawnSync('bash', ['-c', 'true']).status === 0;
  need(context, {
    name: 'other',
    missing: launcher === undefined || !bash ? 'there is no launcher for this system, or no bash' : undefined,
  });
  writeFileSync(file, launcher ?? '', { mode: 0o755 });
  const open = 'exec 3</ 8</ 10</ 20</ 300</; exec "$@"';
  const { stdout } = spawnSync('bash', ['-c', open, 'bash', file, '/bin/ls', '/proc/self/fd'], { encoding: 'utf8' });
  // 4 is the folder that is listed.
  expect(stdout.trim().split('\n').map(Number)).toEqual([0, 1, 2, 3, 4, 8]);
});

test.each([
  ['x64', 62],
  ['arm64', 183],
])('the launcher for %s is a whole ELF file for that processor', (architecture, machine) => {
  const launcher = keyringLauncher(architecture);
  expect(launcher?.subarray(0, 4).toString('latin1')).toBe('\x7fELF');
  expect(launcher?.readUInt16LE(18)).toBe(machine);
  const [segments, loadedBytes] = [launcher?.readUInt16LE(56), launcher?.readBigUInt64LE(64 + 32)];
  expect({ segments, loadedBytes }).toEqual({ segments: 2, loadedBytes: BigInt(launcher?.length ?? 0) });
});

test('there is no launcher for a processor whose instructions are not known', () => {
  expect(keyringLauncher('riscv64')).toBeUndefined();
});
