// Where the program is, and how it starts fast: what Node made of a file when it first read it is kept and used again,
// which for a clone, whose files are TypeScript, is most of a start.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

// A clone runs its sources, which are always current; a published package has only dist.
const isClone = existsSync(join(root, 'src'));

/**
 * Loads one of the two programs, `main` or `worker-main`.
 * @param {string} name
 */
export async function enter(name) {
  // Node lets the room for what lives shortly grow to a hundred megabytes and more, and gives none of it back.
  setFlagsFromString('--semi-space-growth-factor=1');
  // Beside what it was made from, so that whoever can change the one can change the other and nobody else can. Where
  // that cannot be written the start merely takes longer.
  enableCompileCache(join(root, 'node_modules', '.cache', 'heddle'));
  const file = isClone ? join(root, 'src', 'cli', `${name}.ts`) : join(root, 'dist', 'cli', `${name}.js`);
  await import(pathToFileURL(file).href);
}
