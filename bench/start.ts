// How long the program takes to start and answer, beside a Node that starts and does nothing. All are called in turn, so
// that what else the machine does meets all alike, and the first round is thrown away: what Node keeps of the code that it
// compiled is there for people too.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeProject, planHead } from './run/heddle.ts';

export interface StartFigure {
  readonly call: string;
  /** The median, and the fastest, which other work on the machine disturbs least. */
  readonly ms: number;
  readonly fastestMs: number;
  /** How many times as long as Node alone in the same round, the median. */
  readonly ratio: number;
}

const ROUNDS = 15;
const TASKS = 12;
/** The claim for every call. */
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
  const calls = [['-e', '0'], ...CALLS.map((words) => [PROGRAM, ...words])];
  const round = (): readonly number[] => calls.map((args) => start(args, cwd));
  round();
  const rounds = Array.from({ length: ROUNDS }, round);
  return calls.map(([program = '', ...words], at) => {
    const times = rounds.map((one) => one[at] ?? Number.NaN);
    const ratios = rounds.map((one) => (one[at] ?? Number.NaN) / (one[0] ?? Number.NaN));
    const call = `${program === PROGRAM ? 'heddle' : `node ${program}`} ${words.join(' ')}`;
    return { call, ms: medianOf(times), fastestMs: Math.min(...times), ratio: medianOf(ratios) };
  });
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

function start(args: readonly string[], cwd: string): number {
  const from = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  const ms = performance.now() - from;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${String(status)}: ${stderr}`);
  return ms;
}

export function printStart(figures: readonly StartFigure[]): void {
  const isBuilt = existsSync(join(ROOT, 'dist', 'built-from.txt'));
  console.log(`\nStarting, ${ROUNDS} rounds${isBuilt ? '' : '; not built, so from the sources'}`);
  console.table(
    figures.map(({ call, ms, fastestMs, ratio }) => ({
      call,
      ms: Number(ms.toFixed(0)),
      'fastest ms': Number(fastestMs.toFixed(0)),
      'times node -e 0': Number(ratio.toFixed(1)),
      [`under ${BOUND_MS} ms`]: ms < BOUND_MS ? 'yes' : 'NO',
    })),
  );
}
