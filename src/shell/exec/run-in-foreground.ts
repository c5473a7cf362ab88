// Runs a program on our own terminal and streams: a pager, an editor, a shell for a person.
import { spawn } from 'node:child_process';

export interface ForegroundOptions {
  readonly cwd?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Its output goes to standard error, and it gets no input. */
  readonly isOnStderr?: boolean;
}

export type ForegroundEnd =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'killed'; readonly signal: string }
  | { readonly type: 'unstarted'; readonly message: string };

const STDERR = 2;

export function runInForeground(
  [program = '', ...args]: readonly string[],
  { cwd, environment, isOnStderr = false }: ForegroundOptions = {},
): Promise<ForegroundEnd> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      ...(cwd === undefined ? {} : { cwd }),
      ...(environment === undefined ? {} : { env: environment }),
      stdio: isOnStderr ? ['ignore', STDERR, STDERR] : 'inherit',
    });
    child.once('error', ({ message }) => resolve({ type: 'unstarted', message }));
    child.once('exit', (code, signal) =>
      resolve(signal === null ? { type: 'exited', code: code ?? 0 } : { type: 'killed', signal }),
    );
  });
}
