// One of Heddle's own programs in a process group of its own, with its three streams in the hands of the caller.
//
// exec/V1. The caller reads as fast as it likes: a program that prints faster waits.
// exec/V2. `exited` settles once, when no member of the group is alive any more.
// exec/V3. When Heddle's own process exits, the group does not outlive it, unless Heddle was killed.
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { ProcessGroup } from './process-group.ts';

export interface StreamedOptions {
  readonly cwd: string;
  /** The whole environment of the program. */
  readonly environment: Readonly<Record<string, string>>;
}

export type StreamedEnd =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'killed'; readonly signal: string };

export type StreamedStarted =
  | { readonly type: 'started'; readonly process: StreamedProcess }
  | { readonly type: 'unstarted'; readonly message: string };

export interface StreamedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<StreamedEnd>;
  /** Ends the whole group. */
  readonly end: (graceMs: number) => void;
}

export async function startStreamed(
  [program = '', ...args]: readonly string[],
  { cwd, environment }: StreamedOptions,
): Promise<StreamedStarted> {
  try {
    const child = spawn(program, args, { cwd, env: environment, detached: true, stdio: 'pipe' });
    const { pid, stdin, stdout, stderr } = child;
    if (pid === undefined) throw await new Promise<Error>((resolve) => child.once('error', resolve));
    const group = new ProcessGroup(pid);
    const killGroup = (): void => group.kill();
    process.once('exit', killGroup);
    // A program that reads no more is judged by its exit.
    stdin.on('error', () => undefined);
    const end = new Promise<StreamedEnd>((resolve) =>
      child.once('exit', (code, signal) =>
        resolve(signal === null ? { type: 'exited', code: code ?? 0 } : { type: 'killed', signal }),
      ),
    );
    const exited = end.then(async (ended) => {
      await group.emptied();
      process.off('exit', killGroup);
      return ended;
    });
    return { type: 'started', process: { stdin, stdout, stderr, exited, end: (graceMs) => group.end(graceMs) } };
  } catch (cause) {
    return { type: 'unstarted', message: cause instanceof Error ? cause.message : String(cause) };
  }
}
