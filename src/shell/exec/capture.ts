// Runs one short command to its end and captures its output. It never rejects: a failure to start is one of its
// results.
//
// exec/R1. A process that the command left behind may hold its streams open for ever, and is not waited for.
// exec/R2. A command with a process group of its own is ended with the whole group on timeout or abort.
import { spawn, type ChildProcess } from 'node:child_process';
import { Writable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { OnMessage } from './child.ts';
import { signalGroup } from './process.ts';

export interface CaptureOptions {
  readonly cwd: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Written to standard input, which is then closed; or the standard input of this process. */
  readonly input?: string | Buffer | { readonly type: 'inherit' } | undefined;
  readonly timeoutMs: number;
  /** Only the last bytes of each stream are kept, at most this many. */
  readonly keptBytesMax?: number;
  /** A separate process group, and the handling of the rest of the group when the command exits. */
  readonly group?: 'end' | 'leave' | undefined;
  /** Whether the command is ended when this process is killed; only with a group. */
  readonly isTied?: boolean;
  readonly signal?: AbortSignal;
  /** Called with the pid and a function that kills the command. */
  readonly onStarted?: ((pid: number, kill: () => void) => void) | undefined;
  /** Opens a channel on which the command can send messages and sockets; not for a tied command. */
  readonly onMessage?: OnMessage | undefined;
}

export interface Captured {
  readonly end: CaptureEnd;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

export type CaptureEnd =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'killed'; readonly signal: string }
  | { readonly type: 'timeout' }
  | { readonly type: 'aborted' }
  | { readonly type: 'unstarted'; readonly message: string };

/**
 * A shell becomes the program, and leaves behind a process that reads a pipe which only this process can write to. The
 * word `over` ends that process; the end of the pipe, when this process was killed, makes it kill the whole group.
 */
const TIE = '{ read -r word <&3; [ "$word" = over ] || kill -9 0; } >/dev/null 2>&1 & exec 3<&-; exec "$@"';

/** From SIGTERM to SIGKILL, for a command without a group. */
const GRACE_MS = 2_000;
/** After this long without output, the output of a command that has exited counts as complete. */
const QUIET_MS = 500;
const DRAIN_MAX_MS = 10_000;

export async function capture(argv: readonly string[], options: CaptureOptions): Promise<Captured> {
  const child = start(argv, options);
  const stdout = gather(child.stdout, options.keptBytesMax);
  const stderr = gather(child.stderr, options.keptBytesMax);
  const closed = new Promise((resolve) => child.once('close', resolve));
  const exit = exitOf(child);
  const ending = terminator(child, options);
  if (child.pid !== undefined) options.onStarted?.(child.pid, ending.kill);
  if (options.onMessage !== undefined) child.on('message', options.onMessage);
  feed(child, options.input);
  const end = await exit;
  ending.stop();
  if (end.type !== 'unstarted') await Promise.race([closed, quiet(() => stdout.count() + stderr.count())]);
  for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  return { end: ending.reason() ?? end, stdout: stdout.all(), stderr: stderr.all() };
}

function start(argv: readonly string[], options: CaptureOptions): ChildProcess {
  const { cwd, environment, input, group, isTied = false, onMessage } = options;
  const channel = onMessage === undefined ? [] : (['ipc'] as const);
  const [program = '', ...args] = isTied ? ['/bin/sh', '-c', TIE, 'sh', ...argv] : argv;
  const stdin = input === undefined ? 'ignore' : isInherited(input) ? 'inherit' : 'pipe';
  return spawn(program, args, {
    cwd,
    ...(environment === undefined ? {} : { env: environment }),
    stdio: isTied ? [stdin, 'pipe', 'pipe', 'pipe'] : [stdin, 'pipe', 'pipe', ...channel],
    detached: group !== undefined,
  });
}

const isInherited = (input: CaptureOptions['input']): input is { readonly type: 'inherit' } =>
  typeof input === 'object' && 'type' in input;

/** The extra stream of a tied command. Where the system had no descriptor left, Node makes no streams at all. */
const tieOf = ({ stdio }: { readonly stdio?: ChildProcess['stdio'] }): ChildProcess['stdio'][3] => stdio?.[3];

function feed(child: ChildProcess, input: CaptureOptions['input']): void {
  const { stdin } = child;
  // A command that exits before it has read its input reports the reason itself.
  for (const stream of [stdin, tieOf(child)]) stream?.on('error', () => undefined);
  if (input !== undefined && !isInherited(input)) stdin?.end(input);
}

export interface Terminator {
  readonly kill: () => void;
  /** The command has exited. */
  readonly stop: () => void;
  readonly reason: () => CaptureEnd | undefined;
}

type Endings = Pick<CaptureOptions, 'group' | 'timeoutMs' | 'signal'>;

/** Ends the command on timeout or abort. */
export function terminator(child: ChildProcess, { group, timeoutMs, signal }: Endings): Terminator {
  let reason: CaptureEnd | undefined;
  let late: NodeJS.Timeout | undefined;
  const kill = (): void => {
    if (child.pid === undefined) return;
    if (group !== undefined) signalGroup(child.pid, 'SIGKILL');
    else if (child.kill('SIGTERM')) late = globalThis.setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  };
  const terminate = (type: 'timeout' | 'aborted'): void => {
    reason ??= { type };
    kill();
  };
  const timer = globalThis.setTimeout(() => terminate('timeout'), timeoutMs);
  const abort = (): void => terminate('aborted');
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  return {
    kill,
    reason: () => reason,
    stop: () => {
      for (const each of [timer, late]) clearTimeout(each);
      signal?.removeEventListener('abort', abort);
      if (group === 'end' && child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      const tie = tieOf(child);
      if (tie instanceof Writable) tie.end('over\n');
    },
  };
}

export const exitOf = (child: ChildProcess): Promise<CaptureEnd> =>
  new Promise((resolve) => {
    child.once('error', ({ message }) => {
      if (child.pid === undefined) resolve({ type: 'unstarted', message });
    });
    child.once('exit', (code, signal) =>
      resolve(signal === null ? { type: 'exited', code: code ?? 0 } : { type: 'killed', signal }),
    );
  });

async function quiet(heardNow: () => number): Promise<void> {
  const until = performance.now() + DRAIN_MAX_MS;
  for (let heard = -1; heard !== heardNow() && performance.now() < until;) {
    heard = heardNow();
    await setTimeout(QUIET_MS, undefined, { ref: false });
    // A timer may fire before readable data is delivered; after this, the data has been read.
    await setImmediate();
  }
}

interface Gathered {
  readonly all: () => Buffer;
  /** The number of chunks that have come. */
  readonly count: () => number;
}

function gather(stream: NodeJS.ReadableStream | null, keptBytesMax = Infinity): Gathered {
  const parts: Buffer[] = [];
  let size = 0;
  let count = 0;
  stream?.on('data', (part: Buffer) => {
    parts.push(part);
    size += part.length;
    count += 1;
    while (size > keptBytesMax && parts.length > 1) size -= parts.shift()?.length ?? 0;
  });
  return { all: () => Buffer.concat(parts), count: () => count };
}
