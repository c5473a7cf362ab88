// How long the program takes to start and answer, beside a Node that starts and does nothing. The median of several starts
// after one that is thrown away, so that what Node keeps of the code it compiled is there, as it is for people.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeProject, planHead } from './run/heddle.ts';

export interface StartFigure {
  readonly call: string;
  readonly ms: number;
  /** How many times as long as Node alone. */
  readonly ratio: number;
}

const STARTS = 15;
const TASKS = 12;
/** What is claimed of every call. */
const BOUND_MS = 150;

const ROOT = join(import.meta.dirname, '..');
const PROGRAM = join(ROOT, 'bin', 'heddle.js');

const CALLS: readonly (readonly string[])[] = [
  ['--version'],
  ['--help'],
  ['help', 'run'],
  ['status'],
  ['explain', 't1'],
  ['complete', '--', 'logs', ''],
];

/** `status` and completion are asked in a project that has a run of a dozen tasks. */
export function benchStart(): readonly StartFigure[] {
  const tasks = Array.from({ length: TASKS }, (_, at) => `  t${at}: { run: "true" }\n`);
  const cwd = makeProject(planHead(4) + tasks.join(''));
  start([PROGRAM, 'run', '--no-git'], cwd);
  const alone = medianMs(['-e', '0'], cwd);
  const figures = CALLS.map((words) => {
    const ms = medianMs([PROGRAM, ...words], cwd);
    return { call: `heddle ${words.join(' ')}`, ms, ratio: ms / alone };
  });
  return [{ call: 'node -e 0', ms: alone, ratio: 1 }, ...figures];
}

function medianMs(args: readonly string[], cwd: string): number {
  start(args, cwd);
  const times = Array.from({ length: STARTS }, () => start(args, cwd)).toSorted((one, other) => one - other);
  return times[Math.floor(STARTS / 2)] ?? 0;
}

function start(args: readonly string[], cwd: string): number {
  const from = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  const ms = performance.now() - from;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${String(status)}: ${stderr}`);
  return ms;
}

export function printStart(figures: readonly StartFigure[]): void {
  const isBuilt = existsSync(join(ROOT, 'dist', 'built-from.txt'));
  console.log(`\nStarting, the median of ${STARTS}${isBuilt ? '' : '; not built, so from the sources'}`);
  console.table(
    figures.map(({ call, ms, ratio }) => ({
      call,
      ms: Number(ms.toFixed(0)),
      'times node -e 0': Number(ratio.toFixed(1)),
      [`under ${BOUND_MS} ms`]: ms < BOUND_MS ? 'yes' : 'NO',
    })),
  );
}
