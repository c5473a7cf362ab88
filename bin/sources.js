// A fingerprint of the sources of a clone, which changes with every change, addition and removal.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Passed to a worker by its parent, so that the worker skips the search and both run the same build. */
export const BUILT = 'built';

/** @param {string} root */
export const builtFrom = (root) => join(root, 'dist', 'built-from.txt');

/**
 * Looked up at every start, so it is made of numbers: how many files, how large, of which time.
 * @param {string} root
 */
export function describeSources(root) {
  const sum = { count: 0, size: 0, times: 0 };
  addFolder(`${root}/src`, sum);
  return `${sum.count} files, ${sum.size} bytes, ${sum.times} ms`;
}

/**
 * @param {string} folder
 * @param {{ count: number, size: number, times: number }} sum
 */
function addFolder(folder, sum) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry;
    if (entry.isDirectory()) addFolder(`${folder}/${name}`, sum);
    else if (isOfProgram(name)) {
      const { size, mtimeMs } = statSync(`${folder}/${name}`);
      sum.count += 1;
      sum.size += size;
      // In whole milliseconds, because a sum of fractions depends on the order.
      sum.times += Math.floor(mtimeMs);
    }
  }
}

/** @param {string} name */
const isOfProgram = (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.given.ts');
