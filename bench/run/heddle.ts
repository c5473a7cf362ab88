// The program as people start it, in a process of its own, and what it cost: wall time, and the processor time of it and
// of everything that it started and waited for.
//
// Folders are made afresh and removed when the bench ends and not between two runs: on some file systems making a file
// is slow for a while after many others were removed, and that is not what is measured.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'heddle.js');

export interface Cost {
  readonly wallMs: number;
  /** User and system time together. */
  readonly processorMs: number;
}

/** A line of `--json`, as far as benches read it. */
export interface Line {
  readonly type: string;
  readonly work: string | undefined;
  readonly at: number;
  readonly task: string | undefined;
}

const folders: string[] = [];
process.once('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A project of its own that holds this plan. */
export function makeProject(plan: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
  folders.push(folder);
  writeFileSync(join(folder, 'plan.yaml'), plan);
  return folder;
}

export const planHead = (cap: number): string =>
  `heddle: 1\nname: bench\nmax_parallel: ${cap}\nsandbox: { tree: none }\ntasks:\n`;

/** A plan of tasks that need nothing of each other. */
export const planOf = (cap: number, commands: readonly string[]): string =>
  planHead(cap) + commands.map((command, index) => `  task-${index}: { run: ${JSON.stringify(command)} }\n`).join('');

export interface Going {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Resolves with all lines when the program has ended; rejects when it did not end well, unless it was killed. */
  readonly ended: Promise<Ended>;
}

export interface Ended extends Cost {
  readonly lines: readonly Line[];
  /** When the process was started, by the system's clock. */
  readonly startedAt: number;
}

interface Start {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly onLine?: (line: Line) => void;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts the program and reads its lines. Processor time is right only when nothing else of ours ends meanwhile. */
export function startHeddle({ words, cwd, onLine, environment = {} }: Start): Going {
  const startedAt = Date.now();
  const from = startMeasure();
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: Line[] = [];
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  if (words.includes('--json')) {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = readLine(text);
      lines.push(line);
      onLine?.(line);
    });
  } else child.stdout.resume();
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve({ ...from(), lines, startedAt });
      else reject(new Error(`heddle ${words.join(' ')} ended with ${code ?? signal}: ${said}`));
    });
  });
  return { child, pid: child.pid ?? 0, ended };
}

export const runHeddle = (words: readonly string[], cwd: string): Promise<Ended> => startHeddle({ words, cwd }).ended;

// Our own program writes these lines, and a bench may trust it.
const readLine = (text: string): Line => JSON.parse(text) as Line;

/** Any other program, to its end. */
export async function runProgram(program: string, words: readonly string[], cwd: string): Promise<Cost> {
  const from = startMeasure();
  const child = spawn(program, words, { cwd, stdio: 'ignore' });
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}.`);
  return from();
}

function startMeasure(): () => Cost {
  const begin = performance.now();
  const before = processorMsOfEnded();
  return () => ({ wallMs: performance.now() - begin, processorMs: processorMsOfEnded() - before });
}

const TICK_MS = 10;

/** Of all exited children, with their own; NaN where the system has no figure. */
function processorMsOfEnded(): number {
  const fields = statOf(process.pid);
  return fields === undefined ? Number.NaN : (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

/** Of one process that lives, without its children. */
export function processorMsOf(pid: number): number {
  const fields = statOf(pid);
  return fields === undefined ? Number.NaN : (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Fields of `/proc/PID/stat` after the name, which may hold anything. */
function statOf(pid: number): readonly string[] | undefined {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Polls, because the condition depends on other processes. */
export async function until(isTrue: () => boolean, what: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!isTrue()) {
    if (performance.now() > end) throw new Error(`Waited in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const PATIENCE_MS = 600_000;
const POLL_MS = 20;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
