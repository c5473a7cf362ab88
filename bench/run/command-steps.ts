// What steps cost. First a run as people have it: short commands that each change a file of a git repository, in a
// sandbox each, committed, and merged onto the run branch. Then the bare machinery: a thousand `true` in place under the
// same cap, by us and by `xargs -P`, in turn, so that a busy machine disturbs both alike; and where our time goes. Nobody
// runs a thousand `true`: that figure shows what the program itself takes for each step, and is bounded by no promise.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../git/sample-project.ts';
import { makeProject, median, planOf, runHeddle, runProgram, startHeddle, type Cost } from './heddle.ts';
import { measureParts, type Part } from './parts.ts';

export interface StepsFigure {
  readonly inGit: Cost;
  readonly steps: number;
  readonly rounds: number;
  readonly ours: Cost;
  readonly reference: Cost;
  readonly version: Cost;
  readonly oneStep: Cost;
  readonly shares: Shares;
  readonly parts: readonly Part[];
}

/** Processor time of one more run, by process. */
export interface Shares {
  readonly coordinatorMs: number;
  readonly workersMs: number;
  readonly workers: number;
}

const STEPS = 1_000;
const CAP = 8;
const ROUNDS = 7;
const GIT_TASKS = 32;
const GIT_ROUNDS = 5;

export async function benchSteps(): Promise<StepsFigure> {
  const plan = planOf(
    CAP,
    Array.from({ length: STEPS }, () => 'true'),
  );
  const inGit: Cost[] = [];
  for (let round = 0; round < GIT_ROUNDS; round += 1) inGit.push(await runHeddle(['run'], makeRepository()));
  const ours: Cost[] = [];
  const reference: Cost[] = [];
  const version: Cost[] = [];
  const oneStep: Cost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    reference.push(await runXargs());
    ours.push(await runHeddle(['run', '--no-git'], makeProject(plan)));
    version.push(await runHeddle(['--version'], makeProject(plan)));
    oneStep.push(await runHeddle(['run', '--no-git'], makeProject(planOf(CAP, ['true']))));
  }
  return {
    inGit: medianCost(inGit),
    steps: STEPS,
    rounds: ROUNDS,
    ours: medianCost(ours),
    reference: medianCost(reference),
    version: medianCost(version),
    oneStep: medianCost(oneStep),
    shares: await measureShares(plan),
    parts: await measureParts(),
  };
}

/** A small repository and a plan whose tasks change a file each. */
function makeRepository(): string {
  const commands = Array.from({ length: GIT_TASKS }, (_, index) => `echo done > file-${index}`);
  const tasks = commands.map((command, index) => `  task-${index}: { run: ${JSON.stringify(command)} }\n`);
  const folder = makeProject(`heddle: 1\nname: bench\nmax_parallel: ${CAP}\ntasks:\n${tasks.join('')}`);
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'base');
  return folder;
}

const runXargs = (): Promise<Cost> =>
  runProgram('sh', ['-c', `seq ${STEPS} | xargs -P ${CAP} -n 1 sh -c true`], makeProject(''));

const medianCost = (costs: readonly Cost[]): Cost => ({
  wallMs: median(costs.map(({ wallMs }) => wallMs)),
  processorMs: median(costs.map(({ processorMs }) => processorMs)),
});

/** In a run of its own, because asking costs something too. */
async function measureShares(plan: string): Promise<Shares> {
  const cwd = makeProject(plan);
  const file = join(cwd, 'usage');
  const environment = {
    HEDDLE_BENCH_USAGE: file,
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'note-usage.js')}`,
  };
  await startHeddle({ words: ['run', '--no-git'], cwd, environment }).ended;
  const notes = readFileSync(file, 'utf8').trim().split('\n').map(readNote);
  const isWorker = ({ program }: Note): boolean => program.includes('worker');
  const sum = (some: readonly Note[]): number => some.reduce((total, note) => total + note.processorMs, 0);
  const workers = notes.filter(isWorker);
  const ofNode = sum(notes);
  return {
    coordinatorMs: ofNode - sum(workers),
    workersMs: sum(workers),
    workers: workers.length,
  };
}

interface Note {
  readonly program: string;
  readonly processorMs: number;
}

// `note-usage.js` writes these lines.
const readNote = (line: string): Note => JSON.parse(line) as Note;

export function printSteps(figure: StepsFigure): void {
  const { inGit, steps, rounds, ours, reference, version, oneStep, shares, parts } = figure;
  console.log(`\n${GIT_TASKS} short tasks in a git repository at cap ${CAP} (medians of ${GIT_ROUNDS})`);
  console.table([{ what: 'heddle run', ...shown(inGit) }]);
  console.log(`\n${steps} steps \`true\` at cap ${CAP} beside \`xargs -P ${CAP}\` (medians of ${rounds}, in turn)`);
  console.table([
    { what: 'heddle run', ...shown(ours) },
    { what: 'xargs', ...shown(reference) },
    { what: 'ratio', 'wall ms': ratio(ours.wallMs / reference.wallMs) },
  ]);
  console.log('Where it goes (what the steps themselves cost shows in the line of xargs)');
  console.table([
    { what: 'start of the program (heddle --version)', ...shown(version) },
    { what: 'a run of one step, its worker included', ...shown(oneStep) },
    { what: 'coordinator of the whole run', 'processor ms': Math.round(shares.coordinatorMs) },
    { what: `${shares.workers} workers`, 'processor ms': Math.round(shares.workersMs) },
    ...parts.map(({ name, wallMs }) => ({ what: `each step: ${name}`, 'wall ms': Number(wallMs.toFixed(3)) })),
  ]);
}

const shown = ({ wallMs, processorMs }: Cost) => ({
  'wall ms': Math.round(wallMs),
  'processor ms': Math.round(processorMs),
});

const ratio = (value: number): number => Number(value.toFixed(2));
