// The cost of a waiting run: the coordinator and its workers over some seconds, as a share of one core.
// Steps that sleep cost nothing, so all of it is ours.
import { readFileSync } from 'node:fs';
import { makeProject, planOf, processorMsOf, startHeddle, until } from './heddle.ts';

export interface IdleFigure {
  readonly workers: number;
  readonly seconds: number;
  readonly coordinatorShare: number;
  readonly workersShare: number;
}

const WORKERS = 32;
const WATCHED_MS = 20_000;
/** Time for the start-up, such as compiling hot code. */
const SETTLING_MS = 5_000;

export async function benchIdle(): Promise<IdleFigure> {
  const commands = Array.from({ length: WORKERS }, () => 'sleep 300');
  let claimed = 0;
  const project = makeProject(planOf(WORKERS, commands));
  const { child, pid, ended } = startHeddle({
    words: ['run', '--no-git', '--json'],
    cwd: project,
    onLine: ({ type, work }) => (claimed += work === 'step' && type === 'claim.made' ? 1 : 0),
  });
  try {
    await until(() => claimed === WORKERS && childrenOf(pid).flatMap(childrenOf).length === WORKERS, 'all are at work');
    await sleep(SETTLING_MS);
    const workers = childrenOf(pid);
    const before = [processorMsOf(pid), sum(workers.map(processorMsOf))] as const;
    const begin = performance.now();
    await sleep(WATCHED_MS);
    const passedMs = performance.now() - begin;
    const after = [processorMsOf(pid), sum(workers.map(processorMsOf))] as const;
    return {
      workers: workers.length,
      seconds: passedMs / 1000,
      coordinatorShare: (after[0] - before[0]) / passedMs,
      workersShare: (after[1] - before[1]) / passedMs,
    };
  } finally {
    // The first interrupt asks the steps to end; sleeping steps end immediately.
    child.kill('SIGINT');
    await ended.catch(() => undefined);
  }
}

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function printIdle({ workers, seconds, coordinatorShare, workersShare }: IdleFigure): void {
  const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
  const whole = coordinatorShare + workersShare;
  console.log(
    `\nA run with ${workers} waiting workers, over ${seconds.toFixed(0)} s, of one core: coordinator ` +
      `${percent(coordinatorShare)}, all workers ${percent(workersShare)}, together ${percent(whole)} (at most 1 %).`,
  );
}
