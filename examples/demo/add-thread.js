// Lists threads in src/threads.js. Lines that another task added at the same place are kept, conflict markers are not.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('src/threads.js', import.meta.url);
const wanted = process.argv.slice(2).map((name) => `export { ${name} } from './threads/${name}.js';`);
const kept = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !/^[<|=>]{7}/.test(line));
writeFileSync(file, `${[...new Set([...kept, ...wanted])].join('\n')}\n`);
