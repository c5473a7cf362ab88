// The leader of a supervised process group: how it is started, and how it ended.
//
// exec/C1. A start that failed for want of resources may be retried; a start that failed for another reason may not.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Launch } from '../ports/agents.ts';
import { openFollowedFile } from './followed-file.ts';
import { Streams } from './streams.ts';

export interface ChildStart {
  readonly launch: Launch;
  readonly cwd: string;
  /** Holds the input as a temporary file. */
  readonly folder: string;
  /** Opens a channel on which the program can send messages and sockets. */
  readonly onMessage?: OnMessage | undefined;
}

export type OnMessage = (message: unknown, handle: unknown) => void;

export type ChildEnd =
  | { readonly type: 'exited'; readonly code: number }
  /** By a signal, of Heddle or of another process. */
  | { readonly type: 'killed'; readonly signal: string }
  | Unstarted;

/** The program was not started; `isFinal` when a retry would fail as well. */
interface Unstarted {
  readonly type: 'unstarted';
  readonly message: string;
  readonly isFinal: boolean;
}

export interface Child {
  readonly type: 'started';
  readonly pid: number;
  readonly streams: Streams;
  /** Standard input, while a dialogue keeps it open. */
  readonly stdin: Writable | undefined;
  readonly exit: Promise<ChildEnd>;
}

export async function startChild(start: ChildStart): Promise<Child | Unstarted> {
  let streams: Streams | undefined;
  try {
    streams = new Streams(start.launch.isOutputFile === true ? openFollowedFile(start.folder) : undefined);
    return await ownChild(start, streams);
  } catch (cause) {
    streams?.abandon();
    return unstarted(start, cause);
  }
}

async function ownChild(start: ChildStart, streams: Streams): Promise<Child> {
  const child = spawnChild(start, streams);
  const { pid } = child;
  if (pid === undefined) throw await errorOf(child);
  streams.attach(child);
  if (start.onMessage !== undefined) child.on('message', start.onMessage);
  return { type: 'started', pid, streams, stdin: child.stdin ?? undefined, exit: exitOf(child) };
}

function spawnChild({ launch, cwd, folder, onMessage }: ChildStart, streams: Streams): ChildProcess {
  const given = launch.input === undefined ? 'ignore' : openHolding(launch.input, folder);
  const stdin = launch.dialogue === undefined ? given : 'pipe';
  try {
    return spawn(launch.program, launch.args, {
      cwd,
      env: launch.environment,
      // A session of its own, out of reach of signals to Heddle's terminal or process group.
      detached: true,
      stdio: [stdin, ...streams.stdio(), ...(onMessage === undefined ? [] : (['ipc'] as const))],
    });
  } finally {
    if (typeof given === 'number') closeSync(given);
  }
}

/** A file instead of a pipe: it can be opened by name, needs no writer, and cannot break without a reader. */
function openHolding(input: string, folder: string): number {
  const path = join(folder, `input.${process.pid}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, input, { mode: 0o600 });
  const file = openSync(path, 'r');
  unlinkSync(path);
  return file;
}

const errorOf = (child: ChildProcess): Promise<Error> => new Promise((resolve) => child.once('error', resolve));

const exitOf = (child: ChildProcess): Promise<ChildEnd> =>
  new Promise((resolve) =>
    child.once('exit', (code, signal) =>
      resolve(signal === null ? { type: 'exited', code: code ?? 0 } : { type: 'killed', signal }),
    ),
  );

/** Temporary lack of resources. */
const PASSING = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC', 'EDQUOT', 'EIO']);

function unstarted({ launch, cwd }: ChildStart, cause: unknown): Unstarted {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const detail = cause instanceof Error ? cause.message : String(cause);
  return { type: 'unstarted', message: `${sentence(code)} (${detail}).`, isFinal: !PASSING.has(code) };

  function sentence(of: string): string {
    if (PASSING.has(of))
      return `This machine had no room to start ${launch.program}; free some, or run fewer steps at once`;
    if (of === 'E2BIG') return 'The values that the plan passes to this command are too long; pass them through a file';
    if (!existsSync(cwd)) return `The folder to work in, ${cwd}, is not there; make it, and retry`;
    return `${launch.program} cannot be started here; install it or correct its name`;
  }
}
