// Takes from files what would give other users of the machine the rights of the user who started the run: setuid and setgid,
// with the sticky bit, and devices. Mounts ignore them inside; on the disk they would stay.
import { existsSync } from 'node:fs';
import { runProgram } from './run-program.ts';

const TIME_MAX_MS = 600_000;

/** An overlay marks a deleted file by a character device 0:0, which opens nothing. */
const DROP = `find "$@" -xdev ! -type l -perm /7000 -exec chmod ug-s,-t {} +
find "$@" -xdev -type b -exec rm -f {} +
find "$@" -xdev -type c -exec sh -c 'for one; do [ "$(stat -c %t:%T "$one")" = 0:0 ] || rm -f "$one"; done' sh {} +`;

/**
 * Called when no program is left that could put them back. Links are not followed. Folders that their owner may not enter
 * are passed by: nobody else may either.
 */
export async function dropSpecialBits(folders: readonly string[]): Promise<void> {
  const there = folders.filter((folder) => existsSync(folder));
  if (there.length === 0 || process.platform !== 'linux') return;
  const request = { cwd: '/', environment: process.env, input: undefined, limitMs: TIME_MAX_MS };
  await runProgram(['sh', '-c', DROP, 'heddle', ...there], request);
}
