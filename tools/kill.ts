// `npm run kill`: many kills of real processes. With the word `sandbox` among its words it kills what works on sandboxes
// and git, with the word `cluster` the parts of a cluster, otherwise coordinators and workers of runs.
import { argv } from 'node:process';

await (argv.includes('cluster')
  ? import('../test/e2e/cluster/main.ts')
  : argv.includes('sandbox')
    ? import('../test/e2e/sandbox/main.ts')
    : import('../test/e2e/kill/main.ts'));
