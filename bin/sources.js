// What a clone's program is made from, in words that differ when any of it does: names, sizes and times of change.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Told to a worker by the program that starts it, so that it need not look for itself and both are of one make. */
export const BUILT = 'built';

/** @param {string} root */
export const builtFrom = (root) => join(root, 'dist', 'built-from.txt');

/** @param {string} root */
export function describeSources(root) {
  const folder = join(root, 'src');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isOfProgram).sort();
  return names
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name));
      return `${name} ${size} ${mtimeMs}`;
    })
    .join('\n');
}

/** @param {string} name */
const isOfProgram = (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.given.ts');
