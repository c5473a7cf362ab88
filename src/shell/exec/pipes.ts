// Real pipes for the output of a process.
//
// Node gives a child sockets, and on Linux a socket cannot be opened by name: `echo oops > /dev/stderr`, found in many
// scripts, fails in such a child. Node cannot make a pipe, but `mkfifo` can: two are made once, their names are
// removed, and they are used for one process after another.
//
// exec/W1. A pipe that a process may still hold open for writing is not used again, so no process prints into the files
//     of the next one.
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { captureNow } from './capture-now.ts';

/** One stream of a process. */
export interface Pipe {
  readonly writer: number;
  readonly closeWriter: () => void;
  readonly reader: Readable;
  /** Called when the process has exited, where the stream does not end by itself. */
  readonly finish?: () => void;
  /** Destroys the reader. After the end of the stream was read, no writer is left and the pipe can be used again. */
  readonly release: (isEnded: boolean) => void;
}

/** Opens a file without read or write access; Node has no constant for it. */
const O_PATH = 0o10000000;
const BATCH = 2;

/** Pipes without a writer, opened by O_PATH. */
const free: number[] = [];
let isPossible = process.platform === 'linux';

/** Opens `count` pipes, or none where real pipes are not available; Node's sockets are used there. */
export function openPipes(count: number): readonly Pipe[] {
  const opened: Pipe[] = [];
  try {
    for (let index = 0; index < count; index += 1) {
      const place = free.pop() ?? makePipe();
      if (place !== undefined) opened.push(openAt(place));
    }
    if (opened.length < count) opened.splice(0).forEach(abandon);
    return opened;
  } catch (cause) {
    // The process may have reached its limit of open files.
    opened.forEach(abandon);
    throw cause;
  }
}

/** For a pipe whose writing end no process has inherited. */
export function abandon({ closeWriter, release }: Pipe): void {
  closeWriter();
  release(true);
}

function openAt(place: number): Pipe {
  const path = `/proc/self/fd/${place}`;
  const files: number[] = [];
  try {
    // The reading end first and without blocking, since there is no writer yet.
    for (const flags of [constants.O_RDONLY | constants.O_NONBLOCK, constants.O_WRONLY])
      files.push(openSync(path, flags));
  } catch (cause) {
    files.forEach((file) => closeSync(file));
    free.push(place);
    throw cause;
  }
  const [reading = -1, writer = -1] = files;
  const reader = new Socket({ fd: reading, readable: true, writable: false });
  return {
    writer,
    closeWriter: () => closeSync(writer),
    reader,
    release: (isEnded) => {
      reader.destroy();
      if (isEnded) free.push(place);
      else closeSync(place);
    },
  };
}

/** Makes pipes before they are needed, because that takes longer than most steps. */
export function preparePipes(): void {
  const made = free.length === 0 ? makePipe() : undefined;
  if (made !== undefined) free.push(made);
}

function makePipe(): number | undefined {
  if (!isPossible) return undefined;
  try {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-pipes-'));
    const names = Array.from({ length: BATCH }, (_, index) => join(folder, String(index)));
    const made = captureNow(['mkfifo', '-m', '600', ...names]);
    if (made.code === 0) free.push(...names.map((name) => openSync(name, O_PATH)));
    rmSync(folder, { recursive: true, force: true });
  } catch (cause) {
    // No temporary folder, no /proc, no mkfifo: sockets work for everything but opening by name.
    isPossible = !(cause instanceof Error);
  }
  isPossible &&= free.length > 0;
  return free.pop();
}
