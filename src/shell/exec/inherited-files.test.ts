import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { need } from '../../../test/needs.given.ts';

const FILE = join(import.meta.dirname, 'inherited-files.ts');
const OPEN = 'exec 3</ 12</ 20</ 300</ && exec "$@"';
const PROGRAM = `const { closeInheritedFiles } = await import(process.argv[1]);
const { spawnSync } = await import('node:child_process');
if (process.argv[2] === 'closing') closeInheritedFiles();
process.stdout.write(spawnSync('/bin/ls', ['/proc/self/fd']).stdout);`;

test.for([
  ['closing', [20, 300], false],
  ['keeping', [20, 300], true],
] as const)(
  'what this process inherited open is not passed on, while it does so by itself: %s',
  ([how, high, arePassedOn], context) => {
    const isThere = process.platform === 'linux' && spawnSync('bash', ['-c', 'true']).status === 0;
    need(context, { name: 'other', missing: isThere ? undefined : 'this is not Linux, or has no bash' });
    const start = [process.execPath, '--input-type=module', '-e', PROGRAM, FILE, how];
    const { stdout, status } = spawnSync('bash', ['-c', OPEN, 'bash', ...start], { encoding: 'utf8' });
    expect(status).toBe(0);
    const open = stdout.trim().split('\n').map(Number);
    expect(open).toEqual(expect.arrayContaining([0, 1, 2]));
    expect(high.every((descriptor) => open.includes(descriptor))).toBe(arePassedOn);
    expect(open).not.toContain(12);
  },
);
