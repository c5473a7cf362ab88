// Whether steps really are at work together, as they themselves see it: each waits at a barrier until enough of them
// are there, so a run that ends has reached the lower bound; and each counts whom it meets, so more would be seen.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeProject, planOf, runHeddle } from './heddle.ts';

export interface OverlapFigure {
  readonly steps: number;
  readonly cap: number;
  /** This many ran in parallel, as the barrier proves. */
  readonly barrier: number;
  /** The most that any step met, itself included. */
  readonly peak: number;
  readonly wallMs: number;
}

const TRIALS = [
  { steps: 32, cap: 32 },
  { steps: 15, cap: 10 },
] as const;

export async function benchOverlap(): Promise<readonly OverlapFigure[]> {
  const figures: OverlapFigure[] = [];
  for (const { steps, cap } of TRIALS) figures.push(await measure(steps, cap));
  return figures;
}

async function measure(steps: number, cap: number): Promise<OverlapFigure> {
  const barrier = Math.min(steps, cap);
  const commands = Array.from({ length: steps }, (_, step) => command(step, barrier));
  const project = makeProject(planOf(cap, commands));
  for (const folder of ['came', 'here', 'met']) mkdirSync(join(project, folder));
  const { wallMs } = await runHeddle(['run', '--no-git'], project);
  const met = readdirSync(join(project, 'met')).map((name) => Number(readFileSync(join(project, 'met', name), 'utf8')));
  return { steps, cap, barrier, peak: Math.max(...met), wallMs };
}

/** After the barrier it stays a while, so that one too many would have the time to come. */
const command = (step: number, barrier: number): string =>
  [
    `mkdir here/${step} came/${step}`,
    `until set -- came/*; [ $# -ge ${barrier} ]; do sleep 0.1; done`,
    'sleep 0.3',
    `set -- here/*; echo $# > met/${step}`,
    'sleep 0.3',
    `rmdir here/${step}`,
  ].join(' && ');

export function printOverlap(figures: readonly OverlapFigure[]): void {
  console.log('\nSteps at work together, as they count themselves');
  console.table(
    figures.map(({ steps, cap, barrier, peak, wallMs }) => ({
      steps,
      max_parallel: cap,
      'barrier of': barrier,
      'met at most': peak,
      'exactly the cap': peak === Math.min(steps, cap) ? 'yes' : 'NO',
      s: Number((wallMs / 1000).toFixed(1)),
    })),
  );
}
