// `npm run kill`: many kills of real processes. `npm run kill -- sandbox` kills what works on sandboxes, without a word it
// kills coordinators and workers of runs.
import { argv } from 'node:process';

await (argv[2] === 'sandbox' ? import('../test/e2e/sandbox/main.ts') : import('../test/e2e/kill/main.ts'));
