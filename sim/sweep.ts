// Plays many seeds, in as many processes as there is use for, and sums up what happened.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Violation } from './invariants/open-observer.ts';
import { sumOf } from './world/counts.ts';

export interface Failure {
  readonly seed: number;
  readonly violation: Violation;
}

/** What a process is to play, and what it says of it. */
export interface Batch {
  readonly from: number;
  readonly count: number;
}
export interface BatchPlayed {
  readonly played: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly failures: readonly Failure[];
}

export interface Sweep {
  readonly played: number;
  readonly tookMs: number;
  readonly counts: Readonly<Record<string, number>>;
  /** By seed. */
  readonly failures: readonly Failure[];
}

export interface Sweeping extends Batch {
  readonly processes: number;
  /** Whether to go on after a failure. */
  readonly isThorough: boolean;
  readonly onProgress: (sweep: Sweep) => void;
}

const BATCH = 50;

export async function sweep({ from, count, processes, isThorough, onProgress }: Sweeping): Promise<Sweep> {
  const startedAt = performance.now();
  const end = from + count;
  let next = from;
  let sum: Sweep = { played: 0, tookMs: 0, counts: {}, failures: [] };
  const take = (): Batch | undefined => {
    if (next >= end || (!isThorough && sum.failures.length > 0)) return undefined;
    const batch = { from: next, count: Math.min(BATCH, end - next) };
    next += batch.count;
    return batch;
  };
  const add = ({ played, counts, failures }: BatchPlayed): void => {
    sum = {
      played: sum.played + played,
      tookMs: performance.now() - startedAt,
      counts: sumOf([sum.counts, counts]),
      failures: [...sum.failures, ...failures].sort((one, other) => one.seed - other.seed),
    };
    onProgress(sum);
  };
  await Promise.all(Array.from({ length: processes }, () => runProcess(take, add)));
  return sum;
}

const CHILD = fileURLToPath(new URL('./sweep-child.ts', import.meta.url));

function runProcess(take: () => Batch | undefined, add: (played: BatchPlayed) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(CHILD, [], { execArgv: [] });
    const give = (): void => {
      const batch = take();
      if (batch === undefined) child.disconnect();
      else child.send(batch);
    };
    child.on('message', (played: BatchPlayed) => {
      add(played);
      give();
    });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`A process of the sweep ended with ${code}.`)),
    );
    give();
  });
}
