// `npm test`: everything CI asks for. The checks of form come first and, beside them, the laws, which try so many cases that
// counting their lines would take twice to three times as long; then every other test in one run with coverage. The last line
// is `N passed, N failed`, with `, N skipped` when there are any: the tests that vitest counted, and each check that failed
// besides.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHILDREN, judgeCoverage } from './coverage.ts';
import { buildStep, failedNames, formSteps, runSteps, showTime } from './steps.ts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface TestRun {
  readonly exitCode: number;
  readonly counts: Counts | undefined;
}

const folder = mkdtempSync(join(tmpdir(), 'heddle-test-'));

/** vitest speaks for itself on the terminal, at once or when it is done, and writes its counts to a file. */
const runTests = (name: string, args: readonly string[], { isQuiet }: { readonly isQuiet: boolean }) =>
  new Promise<TestRun>((resolve) => {
    const countsFile = join(folder, `${name}.json`);
    const all = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${countsFile}`, ...args];
    const child = spawn('vitest', all, {
      stdio: ['ignore', isQuiet ? 'pipe' : 'inherit', isQuiet ? 'pipe' : 'inherit'],
      shell: process.platform === 'win32',
    });
    const said: Buffer[] = [];
    child.stdout?.on('data', (part: Buffer) => said.push(part));
    child.stderr?.on('data', (part: Buffer) => said.push(part));
    child.on('error', (error) => {
      console.error(`Could not start vitest: ${error.message}`);
      resolve({ exitCode: 1, counts: undefined });
    });
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(said));
      resolve({ exitCode: code ?? 1, counts: readCounts(countsFile) });
    });
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
const troublesOf = ({ exitCode, counts }: TestRun): readonly string[] => {
  if (counts === undefined) return ['the tests did not finish'];
  if (exitCode === 0 || counts.failed > 0) return [];
  return ['a test file that could not run, or an error outside the tests'];
};

const from = performance.now();
const [laws, form] = await Promise.all([
  runTests('laws', ['--project', 'law'], { isQuiet: true }),
  runSteps([...formSteps, buildStep]),
]);
rmSync(CHILDREN, { recursive: true, force: true });
const covered = await runTests('covered', ['--project', '!law', '--coverage'], { isQuiet: false });
rmSync(folder, { recursive: true, force: true });

const uncovered = judgeCoverage();
const runs = [laws, covered];
const troubles = [...failedNames(form), ...runs.flatMap(troublesOf), ...(uncovered === undefined ? [] : [uncovered])];
const sum = (of: keyof Counts): number => runs.reduce((total, { counts }) => total + (counts?.[of] ?? 0), 0);
const allFailed = sum('failed') + troubles.length;
const skipped = sum('skipped');
if (troubles.length > 0) console.log(`Failed besides the tests: ${troubles.join('; ')}. What they said is above.`);
console.log(`Took ${showTime(performance.now() - from)}.`);
console.log(`${sum('passed')} passed, ${allFailed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = allFailed === 0 && runs.every(({ exitCode }) => exitCode === 0) ? 0 : 1;
