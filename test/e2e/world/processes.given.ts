// The processes of a project, found from outside: coordinators, workers, and all that carries the marks of a step.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export interface Found {
  readonly pid: number;
  readonly parent: number;
  readonly type: 'coordinator' | 'worker' | 'step';
  /** Of a step: the program that its worker started, and not what that started in turn. */
  readonly isLeader: boolean;
  readonly command: string;
}

/** The living processes of the project in a folder; zombies do not count. */
export function processesOf(folder: string): readonly Found[] {
  const mark = Buffer.from(`HEDDLE_HOME=${join(folder, '.heddle')}\0`);
  return readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) ? (foundAt(Number(name), folder, mark) ?? []) : [],
  );
}

function foundAt(pid: number, folder: string, mark: Buffer): Found | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    const isMarked = readFileSync(`/proc/${pid}/environ`).includes(mark);
    if (command === '') return undefined;
    const { parent, group } = kinOf(pid);
    if (isMarked) return { pid, parent, type: 'step', isLeader: group === pid, command };
    const isWorker = command.includes('worker-main');
    if (!isWorker && !command.includes('heddle.js')) return undefined;
    const cwd = readlinkSync(`/proc/${pid}/cwd`);
    if (cwd !== folder && !cwd.startsWith(`${folder}/`)) return undefined;
    return { pid, parent, type: isWorker ? 'worker' : 'coordinator', isLeader: true, command };
  } catch (cause) {
    // It ended while we looked, or it is somebody else's.
    if (cause instanceof Error) return undefined;
    throw cause;
  }
}

function kinOf(pid: number): { readonly parent: number; readonly group: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name stands in parentheses and may hold anything, so fields are counted from the last one.
  const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(parent), group: Number(group) };
}

/** Whether there was anybody to signal. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (cause) {
    return !(cause instanceof Error);
  }
}

const ROUNDS_MAX = 200;
const LOOK_EVERY_MS = 10;

/** Kills everything of a project, those too that are started meanwhile. */
export async function endProcesses(folder: string): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const found = processesOf(folder);
    if (found.length === 0) return;
    for (const { pid } of found) signal(pid, 'SIGKILL');
    await setTimeout(LOOK_EVERY_MS);
  }
  throw new Error(`Some processes of ${folder} could not be ended.`);
}

/** What is still there after a while that is long enough for all that is about to go. */
export async function leftRunning(folder: string, boundMs = 10_000): Promise<readonly Found[]> {
  const end = performance.now() + boundMs;
  for (;;) {
    const found = processesOf(folder);
    if (found.length === 0 || performance.now() > end) return found;
    await setTimeout(LOOK_EVERY_MS);
  }
}
