// Where the program is, and how it starts fast. Built, it is a few files instead of hundreds, which is most of a start;
// and what Node made of a file when it first read it is kept and used again.
import { existsSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BUILT, builtFrom, describeSources } from './sources.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * A published package has only what was built. A clone runs what was built of exactly the sources that it holds now, and
 * the sources themselves otherwise; also when somebody measures which of their lines run.
 */
function isBuilt() {
  if (process.argv[2] === BUILT || !existsSync(join(root, 'src'))) return true;
  const stamp = builtFrom(root);
  if (process.env.NODE_V8_COVERAGE !== undefined || !existsSync(stamp)) return false;
  return readFileSync(stamp, 'utf8') === describeSources(root);
}

/**
 * Loads one of the two programs, `cli/main` or `app/worker-main`.
 * @param {string} source
 */
export async function enter(source) {
  // Beside what it was made from, so that whoever can change the one can change the other and nobody else can. Where
  // that cannot be written the start merely takes longer.
  enableCompileCache(join(root, 'node_modules', '.cache', 'heddle'));
  const file = isBuilt() ? join(root, 'dist', 'node', `${basename(source)}.js`) : join(root, 'src', `${source}.ts`);
  await import(pathToFileURL(file).href);
}
