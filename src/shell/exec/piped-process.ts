// A program between two streams: input goes to it and output is read from it as they come, without being kept.
//
// exec/P1. Its group ends as a whole: after the limit of time, on abort, and when the program itself has exited.
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { exitOf, terminator, type CaptureEnd } from './capture.ts';

export interface PipedOptions {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface PipedProcess {
  /** A program that has exited takes no more; what is written then is lost without an error. */
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** The end of what it printed for people. */
  readonly stderr: () => string;
  readonly kill: () => void;
  readonly ended: Promise<CaptureEnd>;
}

const STDERR_LENGTH_MAX = 4_000;

export function startPiped([program = '', ...args]: readonly string[], options: PipedOptions): PipedProcess {
  const { cwd, environment, timeoutMs, signal } = options;
  const child = spawn(program, args, { cwd, env: environment, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  let printed = '';
  child.stderr.on('data', (part: Buffer) => {
    printed = `${printed}${part.toString('utf8')}`.slice(-STDERR_LENGTH_MAX);
  });
  child.stdin.on('error', () => undefined);
  const ending = terminator(child, { group: 'end', timeoutMs, signal });
  const ended = exitOf(child).then((end) => {
    ending.stop();
    return ending.reason() ?? end;
  });
  return { stdin: child.stdin, stdout: child.stdout, stderr: () => printed, kill: ending.kill, ended };
}
