// Starts a program that people are told by, with a limit on its time, and ends all that it started when that is over.
import { spawn, type ChildProcess } from 'node:child_process';
import type { Told } from './way.ts';

export interface ProgramOrder {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

const COMPLAINT_MAX = 2_000;
const COMPLAINT_SHOWN_MAX = 200;

export function startProgram(order: ProgramOrder): Promise<Told> {
  const { argv, cwd, environment, input, limitMs, signal } = order;
  const [program, ...args] = argv;
  return new Promise((resolve) => {
    // A group of its own, so that whatever it starts ends with it.
    const child = spawn(program, args, { cwd, env: environment, stdio: ['pipe', 'ignore', 'pipe'], detached: true });
    let complaint = '';
    const end = (told: Told): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      child.stderr.destroy();
      resolve(told);
    };
    const cut = (message: string): void => {
      killGroup(child);
      end({ type: 'failed', message });
    };
    const giveUp = (): void => cut('was ended, because the run is over and it was not.');
    const timer = setTimeout(() => cut(`was ended: it took longer than ${limitMs / 1000} s.`), limitMs);
    signal.addEventListener('abort', giveUp, { once: true });
    child.stderr.on(
      'data',
      (chunk: Buffer) => (complaint = `${complaint}${chunk.toString('utf8')}`.slice(-COMPLAINT_MAX)),
    );
    // A program that does not read what it is told is no trouble of ours.
    child.stdin.on('error', () => undefined);
    child.on('error', ({ message }) => end({ type: 'failed', message: `could not be started: ${message}.` }));
    child.on('exit', (code, killedBy) => end(endOf(code, killedBy, complaint)));
    child.stdin.end(input);
    if (signal.aborted) giveUp();
  });
}

function endOf(code: number | null, killedBy: string | null, complaint: string): Told {
  if (code === 0) return { type: 'told' };
  const how = killedBy === null ? `ended with exit code ${code}` : `was ended by ${killedBy}`;
  const said = complaint.trim().split('\n').at(-1)?.trim().slice(0, COMPLAINT_SHOWN_MAX) ?? '';
  return { type: 'failed', message: said === '' ? `${how}.` : `${how}: ${said}` };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended by itself.
  }
}
