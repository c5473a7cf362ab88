// Where the files lie that come with the program. The sources are deeper than what is built of them, so it is looked for.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const PACKAGE_ROOT = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  const above = dirname(folder);
  return existsSync(join(folder, 'package.json')) || above === folder ? folder : rootAbove(above);
}
