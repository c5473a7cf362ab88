import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { skipUnless } from '../../../test/needs.given.ts';

const isLinux = process.platform === 'linux';
skipUnless({ name: 'other', missing: isLinux ? undefined : 'only Linux has pipes that can be opened by name' });

/** Leaves room for so many files, tries to open two pipes, and prints how often they are left open. */
const program = (room: number): string => `
import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { openPipes, preparePipes } from ${JSON.stringify(join(import.meta.dirname, 'pipes.ts'))};
preparePipes();
const files = [];
try { for (;;) files.push(openSync('/dev/null', 'r')); } catch {}
files.splice(0, ${room}).forEach((file) => closeSync(file));
let error;
try { openPipes(2); } catch (cause) { error = cause.code; }
files.forEach((file) => closeSync(file));
const nameOf = (file) => { try { return readlinkSync('/proc/self/fd/' + file); } catch { return ''; } };
const open = () => readdirSync('/proc/self/fd').filter((file) => nameOf(file).includes('heddle-pipes-'));
setTimeout(() => console.log(error, open().length), 50);
`;

test.each([1, 2, 3])('pipes for which there is no room leave neither end open, with room for %d', (room) => {
  const args = ['-c', 'ulimit -n 60; exec "$0" --input-type=module -e "$1"', process.execPath];
  // Each of the two is kept by its place.
  expect(spawnSync('sh', [...args, program(room)], { encoding: 'utf8' }).stdout).toBe('EMFILE 2\n');
});
