// The pages of the reference that are made from the program itself.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsPage } from './commands-page.ts';
import { keysPage } from './keys-page.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'reference');

/** Those whose files are not as they would be made now: by their file, what each is to hold. */
export function stalePages(): ReadonlyMap<string, string> {
  const made: readonly (readonly [string, string])[] = [
    [join(folder, 'commands.md'), commandsPage()],
    [join(folder, 'keys.md'), keysPage()],
  ];
  return new Map(made.filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text));
}
