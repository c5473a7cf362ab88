// Plays many seeds, on as many threads as there is use for, and sums up what happened.
import { Worker } from 'node:worker_threads';
import type { Violation } from './invariants/witness.ts';
import { sumOf } from './world/counts.ts';

export interface Failure {
  readonly seed: number;
  readonly violation: Violation;
}

/** What a thread is to play, and what it says of it. */
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
  readonly threads: number;
  /** Whether to go on after a failure. */
  readonly isThorough: boolean;
  readonly onProgress: (sweep: Sweep) => void;
}

const BATCH = 50;

export async function sweep({ from, count, threads, isThorough, onProgress }: Sweeping): Promise<Sweep> {
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
  await Promise.all(Array.from({ length: threads }, () => runThread(take, add)));
  return sum;
}

function runThread(take: () => Batch | undefined, add: (played: BatchPlayed) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./sweep-thread.ts', import.meta.url));
    const give = (): void => {
      const batch = take();
      if (batch === undefined) void thread.terminate().then(() => resolve());
      else thread.postMessage(batch);
    };
    thread.on('message', (played: BatchPlayed) => {
      add(played);
      give();
    });
    thread.on('error', reject);
    give();
  });
}
