// `npm run check`: types, lint, format, dead code and tidy, in a few seconds.
import { failedNames, formSteps, runSteps, tidyStep } from './steps.ts';

const failed = failedNames(await runSteps([...formSteps, tidyStep]));
console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
