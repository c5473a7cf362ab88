// `node tools/reference.ts`: writes the pages of the reference that are made from the program itself. With --check it writes
// nothing and says which of them are not current.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsPage } from './reference/commands-page.ts';
import { keysPage } from './reference/keys-page.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'reference');

/** Every page that is made, by its file. */
const pages = (): ReadonlyMap<string, string> =>
  new Map([
    [join(folder, 'commands.md'), commandsPage()],
    [join(folder, 'keys.md'), keysPage()],
  ]);

export const stalePages = (): readonly string[] =>
  [...pages()].filter(([file, text]) => read(file) !== text).map(([file]) => file);

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

if (import.meta.main) {
  const isChecking = process.argv.includes('--check');
  const old = stalePages();
  if (!isChecking) for (const [file, text] of pages()) writeFileSync(file, text);
  for (const file of old)
    console.log(`${file} ${isChecking ? 'is not current: run node tools/reference.ts' : 'written'}`);
  process.exitCode = isChecking && old.length > 0 ? 1 : 0;
}
