// Starts a program that people are told by, with a limit on its time, and ends all that it started when that is over.
//
// Q1. It does not outlive us either: whoever is killed keeps no limit, so a process beside the program waits for our end.
import { spawn, type ChildProcess } from 'node:child_process';
import { Writable } from 'node:stream';
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

/**
 * A shell becomes the program, and leaves behind itself one that reads what only we can write. Word that the program is
 * over ends it; no word, because we are no more, ends the whole group.
 */
const BESIDE = '{ read -r word <&3; [ "$word" = over ] || kill -9 0; } >/dev/null 2>&1 & exec 3<&-; exec "$@"';
const OVER = 'over\n';

export function startProgram(order: ProgramOrder): Promise<Told> {
  const { argv, cwd, environment, input, limitMs, signal } = order;
  return new Promise((resolve) => {
    // A group of its own, so that whatever it starts ends with it.
    const child = spawn('/bin/sh', ['-c', BESIDE, 'sh', ...argv], {
      cwd,
      env: environment,
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const [, , , beside] = child.stdio;
    let complaint = '';
    const end = (told: Told): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      child.stderr?.destroy();
      if (beside instanceof Writable) beside.end(OVER);
      resolve(told);
    };
    const cut = (message: string): void => {
      killGroup(child);
      end({ type: 'failed', message });
    };
    const giveUp = (): void => cut('was ended, because the run is over and it was not.');
    const timer = setTimeout(() => cut(`was ended: it took longer than ${limitMs / 1000} s.`), limitMs);
    signal.addEventListener('abort', giveUp, { once: true });
    child.stderr?.on(
      'data',
      (chunk: Buffer) => (complaint = `${complaint}${chunk.toString('utf8')}`.slice(-COMPLAINT_MAX)),
    );
    // A program that does not read what it is told is no trouble of ours.
    for (const stream of [child.stdin, beside]) stream?.on('error', () => undefined);
    child.on('error', ({ message }) => end({ type: 'failed', message: `could not be started: ${message}.` }));
    child.on('exit', (code, killedBy) => end(endOf(code, killedBy, complaint)));
    child.stdin?.end(input);
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
