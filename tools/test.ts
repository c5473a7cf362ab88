// `npm test`: everything CI asks for. The checks of form come first, then every test in one run with coverage.
// The last line is `N passed, N failed`, with `, N skipped` when there are any: the tests that vitest counted, and
// each check that failed besides.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHILDREN, judgeCoverage } from './coverage.ts';
import { failedNames, formSteps, runSteps, showTime } from './steps.ts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** vitest speaks for itself on the terminal and writes its counts to a file. */
const runTests = (countsFile: string): Promise<number> =>
  new Promise((resolve) => {
    const args = ['run', '--coverage', '--reporter=default', '--reporter=json', `--outputFile.json=${countsFile}`];
    const child = spawn('vitest', args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    });
    child.on('error', (error) => {
      console.error(`Could not start vitest: ${error.message}`);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });

const numberAt = (values: object, key: string): number => Number(new Map(Object.entries(values)).get(key) ?? 0);

/** Undefined when vitest ended before it could write its counts. */
const readCounts = (countsFile: string): Counts | undefined => {
  try {
    const values: unknown = JSON.parse(readFileSync(countsFile, 'utf8'));
    if (typeof values !== 'object' || values === null) return undefined;
    return {
      passed: numberAt(values, 'numPassedTests'),
      failed: numberAt(values, 'numFailedTests'),
      skipped: numberAt(values, 'numPendingTests') + numberAt(values, 'numTodoTests'),
    };
  } catch (error) {
    console.error(`vitest wrote no counts: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
};

/** What went wrong in the test run, each as one entry; failing tests are counted on their own. */
const troublesOf = (exitCode: number, counts: Counts | undefined): readonly string[] => {
  if (counts === undefined) return ['the tests did not finish'];
  if (exitCode === 0 || counts.failed > 0) return [];
  return ['a test file that could not run, or an error outside the tests'];
};

const from = performance.now();
const formFailures = failedNames(await runSteps(formSteps));
const folder = mkdtempSync(join(tmpdir(), 'heddle-test-'));
const countsFile = join(folder, 'counts.json');
rmSync(CHILDREN, { recursive: true, force: true });
const exitCode = await runTests(countsFile);
const counts = readCounts(countsFile);
rmSync(folder, { recursive: true, force: true });

const uncovered = judgeCoverage();
const troubles = [...formFailures, ...troublesOf(exitCode, counts), ...(uncovered === undefined ? [] : [uncovered])];
const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
const allFailed = failed + troubles.length;
if (troubles.length > 0) console.log(`Failed besides the tests: ${troubles.join('; ')}. What they said is above.`);
console.log(`Took ${showTime(performance.now() - from)}.`);
console.log(`${passed} passed, ${allFailed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = allFailed === 0 && exitCode === 0 ? 0 : 1;
