// Runs every file in test/, or those whose name has the given word in it. No packages are needed.
import { readdirSync } from 'node:fs';

const word = process.argv[2] ?? '';
const names = readdirSync(new URL('test/', import.meta.url)).filter((name) => name.includes(word));
let failures = 0;
for (const name of names) {
  try {
    await import(new URL(`test/${name}`, import.meta.url).href);
    console.log(`ok    ${name}`);
  } catch (error) {
    failures += 1;
    console.log(`FAIL  ${name}: ${error.message}`);
  }
}
if (names.length === 0) console.log(`There is no test with ${word} in its name.`);
process.exitCode = failures > 0 || names.length === 0 ? 1 : 0;
