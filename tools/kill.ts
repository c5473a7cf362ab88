// `npm run kill`: many kills of real processes. With the word `sandbox` among its words it kills what works on sandboxes
// and git, otherwise coordinators and workers of runs.
import { argv } from 'node:process';

await (argv.includes('sandbox') ? import('../test/e2e/sandbox/main.ts') : import('../test/e2e/kill/main.ts'));
