// How many processes and threads a program and all that it started are, and how much memory they take. In a process
// namespace of their own none of them can leave its parents, so all are found from the first.
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessTree {
  /** Threads count one each. */
  readonly tasks: number;
  /** Bytes; memory that several share counts for each. */
  readonly memory: number;
  readonly pids: readonly number[];
}

/** Stops counting when it has found more than `tasksMax`. */
export function processTreeOf(pid: number, tasksMax: number): ProcessTree {
  const waiting = [pid];
  const pids: number[] = [];
  let tasks = 0;
  let memory = 0;
  for (let next = waiting.pop(); next !== undefined && tasks <= tasksMax; next = waiting.pop()) {
    const threads = threadsOf(next);
    pids.push(next);
    tasks += threads.length;
    memory += residentOf(next);
    for (const thread of threads) waiting.push(...childrenOf(next, thread));
  }
  return { tasks, memory, pids };
}

/** Exact, and dearer: of what several share each has its part. */
export const proportionalMemoryOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + KILOBYTE * numberIn(read(`/proc/${pid}/smaps_rollup`), /^Pss:\s+(\d+)/m), 0);

const KILOBYTE = 1024;

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    // It has ended while we looked.
    return [];
  }
}

const childrenOf = (pid: number, thread: string): readonly number[] =>
  read(`/proc/${pid}/task/${thread}/children`)
    .split(' ')
    .filter((one) => one !== '')
    .map(Number);

const residentOf = (pid: number): number => KILOBYTE * numberIn(read(`/proc/${pid}/status`), /^VmRSS:\s+(\d+)/m);

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended while we looked.
    return '';
  }
}
