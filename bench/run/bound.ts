// Wall clock of real runs of real sleeping steps against what no run can beat, the longer of the critical path and the
// work divided by the cap; and the same steps in waves, each awaited whole, as most tools start them.
import { spawn } from 'node:child_process';
import { generateTaskGraph, type TaskGraphShape } from '../instances/generate-instance.ts';
import { lowerBounds } from '../../src/core/schedule/bounds.ts';
import type { Problem } from '../../src/core/schedule/problem.ts';
import { makeProject, planHead, startHeddle } from './heddle.ts';

export interface BoundFigure {
  readonly shape: string;
  readonly seed: number;
  readonly cap: number;
  readonly boundMs: number;
  /** A proven lower bound for every order of the steps; where it is higher, no schedule reaches the other bound. */
  readonly provedMs: number;
  /** From the first claim to the end of the run. */
  readonly runMs: number;
  /** From the start of the process to its end. */
  readonly processMs: number;
  readonly wavesMs: number;
}

const TASKS = 200;
const CAPS = [8, 16] as const;
const SEEDS = [1] as const;
const SHAPES = {
  'layers, 2 needs': { layered: true, predecessorsMean: 2, durations: 'uniform' },
  'wide, 1 need': { layered: false, predecessorsMean: 1, durations: 'uniform' },
  'tight, 3 needs': { layered: false, predecessorsMean: 3, durations: 'normal' },
} as const satisfies Readonly<Record<string, Omit<TaskGraphShape, 'tasks' | 'machines'>>>;
/** Generated durations are 1 to about 10. */
const UNIT_MS = 150;
const LONGEST_MS = 1_500;

export async function benchBound(): Promise<readonly BoundFigure[]> {
  const figures: BoundFigure[] = [];
  for (const [shape, how] of Object.entries(SHAPES))
    for (const seed of SEEDS)
      for (const cap of CAPS) {
        const graph = generateTaskGraph({ ...how, tasks: TASKS, machines: cap }, seed);
        figures.push({ shape, seed, cap, ...(await measure(graph, cap)) });
      }
  return figures;
}

async function measure(graph: Problem, cap: number): Promise<Omit<BoundFigure, 'shape' | 'seed' | 'cap'>> {
  const sleepsMs = Array.from(graph.durationMs, (units) => Math.min(units * UNIT_MS, LONGEST_MS));
  const { criticalPathMs, bestMs: provedMs } = lowerBounds({ ...graph, durationMs: Float64Array.from(sleepsMs) });
  const workMs = sleepsMs.reduce((sum, ms) => sum + ms, 0);
  const boundMs = Math.max(criticalPathMs, workMs / cap);
  const { lines, wallMs } = await startHeddle({
    words: ['run', '--no-git', '--json'],
    cwd: makeProject(planText(graph, sleepsMs, cap)),
  }).ended;
  const claimedAt = lines.find(({ type, work }) => work === 'step' && type === 'claim.made')?.at ?? 0;
  const endedAt = lines.find(({ type }) => type === 'run.ended')?.at ?? 0;
  const wavesMs = await runInWaves(graph, sleepsMs, cap);
  return { boundMs, provedMs, runMs: endedAt - claimedAt, processMs: wallMs, wavesMs };
}

const needsOf = ({ predecessors: { start, to } }: Problem, task: number): readonly number[] => [
  ...to.subarray(start[task] ?? 0, start[task + 1] ?? 0),
];

const sleepCommand = (ms: number): string => `sleep ${(ms / 1000).toFixed(3)}`;

function planText(graph: Problem, sleepsMs: readonly number[], cap: number): string {
  const tasks = sleepsMs.map((ms, task) => {
    const needs = needsOf(graph, task).map((need) => `task-${need}`);
    const needed = needs.length === 0 ? '' : `, needs: [${needs.join(', ')}]`;
    return `  task-${task}: { run: '${sleepCommand(ms)}', estimate: ${ms}ms${needed} }\n`;
  });
  return planHead(cap) + tasks.join('');
}

/** Every wave has the steps that need only earlier waves, and ends before the next begins. */
async function runInWaves(graph: Problem, sleepsMs: readonly number[], cap: number): Promise<number> {
  const begin = performance.now();
  const waveOf = new Int32Array(graph.count);
  for (const task of graph.topological)
    waveOf[task] = Math.max(0, ...needsOf(graph, task).map((need) => (waveOf[need] ?? 0) + 1));
  const waves = Math.max(...waveOf) + 1;
  for (let wave = 0; wave < waves; wave += 1) {
    const queue = sleepsMs.filter((_, task) => waveOf[task] === wave);
    const lane = async (): Promise<void> => {
      for (let ms = queue.shift(); ms !== undefined; ms = queue.shift()) await runShell(sleepCommand(ms));
    };
    await Promise.all(Array.from({ length: cap }, lane));
  }
  return performance.now() - begin;
}

const runShell = (command: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], { stdio: 'ignore' });
    child.on('error', reject);
    child.on('exit', () => resolve());
  });

export function printBound(figures: readonly BoundFigure[]): void {
  console.log(`\nRuns of ${TASKS} sleeping steps against the lower bound max(critical path, work / cap)`);
  console.table(
    figures.map(({ shape, seed, cap, boundMs, provedMs, runMs, processMs, wavesMs }) => ({
      shape,
      seed,
      cap,
      'bound s': seconds(boundMs),
      'run s': seconds(runMs),
      'run / bound': ratio(runMs / boundMs),
      'proved least / bound': ratio(provedMs / boundMs),
      'run / proved least': ratio(runMs / provedMs),
      'process / bound': ratio(processMs / boundMs),
      'waves / bound': ratio(wavesMs / boundMs),
    })),
  );
}

const seconds = (ms: number): number => Number((ms / 1000).toFixed(2));
const ratio = (value: number): number => Number(value.toFixed(3));
