// `npm test`: everything CI asks for. The checks of form come first and, beside them, the laws, which try so many cases that
// counting their lines would take twice to three times as long; then every other test in one run with coverage. Neither form
// nor laws need anything of the machine, so CI installs programs beside them (`HEDDLE_REQUIRE=-`, .ci/run). At the end
// come the reasons for which tests were skipped, and the last line is `N passed, N failed, N skipped`: the tests that vitest
// counted, and each check that failed besides.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { COVERAGE, judgeCoverage } from './coverage.ts';
import { buildStep, failedNames, formSteps, runSteps, showTime } from './steps.ts';
import type { Skipped, Tally } from './tally-reporter.ts';

interface TestRun {
  readonly exitCode: number;
  /** Undefined when vitest ended before it could write it. */
  readonly tally: Tally | undefined;
}

const folder = mkdtempSync(join(tmpdir(), 'heddle-test-'));

/** vitest prints to the terminal, immediately or at its end, and writes its tally to a file. */
const runTests = (name: string, args: readonly string[], { isQuiet }: { readonly isQuiet: boolean }) =>
  new Promise<TestRun>((resolve) => {
    const tallyFile = join(folder, `${name}.json`);
    const child = spawn('vitest', ['run', ...args], {
      stdio: ['ignore', isQuiet ? 'pipe' : 'inherit', isQuiet ? 'pipe' : 'inherit'],
      shell: process.platform === 'win32',
      env: { ...process.env, HEDDLE_TALLY: tallyFile },
    });
    const said: Buffer[] = [];
    child.stdout?.on('data', (part: Buffer) => said.push(part));
    child.stderr?.on('data', (part: Buffer) => said.push(part));
    child.on('error', (error) => {
      console.error(`Could not start vitest: ${error.message}`);
      resolve({ exitCode: 1, tally: undefined });
    });
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(said));
      resolve({ exitCode: code ?? 1, tally: readTally(tallyFile) });
    });
  });

const readTally = (file: string): Tally | undefined => {
  try {
    // The reporter beside this file has written it.
    return JSON.parse(readFileSync(file, 'utf8')) as Tally;
  } catch (error) {
    console.error(`vitest wrote no tally: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
};

/** What must not be skipped (test/needs.given.ts). `-` stands for what standard input says, when all of it is installed. */
const readRequired = async (): Promise<string> => {
  const required = process.env['HEDDLE_REQUIRE'] ?? '';
  if (required !== '-') return required;
  const said = (await text(process.stdin)).trim();
  if (said === '') throw new Error('HEDDLE_REQUIRE is -, and standard input did not say what is required.');
  return said;
};

/** Errors of the test run, one entry each; failing tests are counted separately. */
const troublesOf = ({ exitCode, tally }: TestRun): readonly string[] => {
  if (tally === undefined) return ['the tests did not finish'];
  if (exitCode === 0 || tally.failed > 0) return [];
  return ['a test file that could not run, or an error outside the tests'];
};

const NAMED_MAX = 3;

/** Each reason with how many tests it took, most first, and some of their names. */
function printSkipped(skipped: readonly Skipped[]): void {
  if (skipped.length === 0) return;
  const byReason = Map.groupBy(skipped, ({ reason }) => reason);
  console.log('Skipped:');
  for (const [reason, tests] of [...byReason].toSorted(([, one], [, other]) => other.length - one.length)) {
    console.log(`  ${tests.length} because ${reason}`);
    for (const { name } of tests.slice(0, NAMED_MAX)) console.log(`      ${name}`);
    if (tests.length > NAMED_MAX) console.log(`      and ${tests.length - NAMED_MAX} more`);
  }
}

const from = performance.now();
const [laws, form, required] = await Promise.all([
  runTests('laws', ['--project', 'law'], { isQuiet: true }),
  runSteps([...formSteps, buildStep]),
  readRequired(),
]);
process.env['HEDDLE_REQUIRE'] = required;
// Coverage of an earlier run does not count.
rmSync(COVERAGE, { recursive: true, force: true });
const covered = await runTests('covered', ['--project', '!law', '--coverage'], { isQuiet: false });
rmSync(folder, { recursive: true, force: true });

const runs = [laws, covered];
const skipped = runs.flatMap(({ tally }) => tally?.skipped ?? []);
const uncovered = judgeCoverage();
const troubles = [...failedNames(form), ...runs.flatMap(troublesOf), ...(uncovered === undefined ? [] : [uncovered])];
const sum = (of: 'passed' | 'failed'): number => runs.reduce((total, { tally }) => total + (tally?.[of] ?? 0), 0);
const failed = sum('failed') + troubles.length;
printSkipped(skipped);
if (troubles.length > 0) console.log(`Failed besides the tests: ${troubles.join('; ')}. What they said is above.`);
console.log(`Took ${showTime(performance.now() - from)}.`);
console.log(`${sum('passed')} passed, ${failed} failed, ${skipped.length} skipped`);
process.exitCode = failed === 0 && runs.every(({ exitCode }) => exitCode === 0) ? 0 : 1;
