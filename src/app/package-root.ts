// The folder of the program's own files. It is searched for, because sources lie deeper than the build.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const PACKAGE_ROOT = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  const above = dirname(folder);
  return existsSync(join(folder, 'package.json')) || above === folder ? folder : rootAbove(above);
}
