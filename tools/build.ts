// `npm run build`: compiles into an empty dist, so that nothing from an earlier build is ever packed.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { failedNames, runSteps } from './steps.ts';

rmSync(join(import.meta.dirname, '..', 'dist'), { recursive: true, force: true });
const failed = failedNames(await runSteps([{ name: 'build', commands: [['tsc', '-b', 'src/cli']] }]));
process.exitCode = failed.length === 0 ? 0 : 1;
