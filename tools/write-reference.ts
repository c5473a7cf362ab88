// `npm run reference`: writes the pages of the reference that are made from the program itself. With --check it writes
// nothing and says which of them are not current.
import { writeFileSync } from 'node:fs';
import { stalePages } from './reference/stale-pages.ts';

const isChecking = process.argv.includes('--check');

for (const [file, text] of stalePages()) {
  if (!isChecking) writeFileSync(file, text);
  console.log(`${file} ${isChecking ? 'is not current: npm run reference makes it so' : 'is written'}`);
  process.exitCode = isChecking ? 1 : 0;
}
