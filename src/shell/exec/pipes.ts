// Real pipes for what a process prints.
//
// Node gives a child sockets, and on Linux a socket cannot be opened by name: `echo oops > /dev/stderr`, found in many a
// script, fails in such a child. Node cannot make a pipe, but `mkfifo` can: two are made once, without a name that others
// could see, and used for process after process.
//
// exec/W1. A pipe that a process may still hold open for writing is not used again, so no process prints into the files of
//     the next one.
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
  /** Destroys the reader. When its end was read, nobody holds the pipe open, and it can be used again. */
  readonly release: (isEnded: boolean) => void;
}

/** Opens a file by its place alone, as neither reader nor writer; Node has no name for it. */
const O_PATH = 0o10000000;
const BATCH = 2;

/** Pipes that nobody writes into, opened by their place. */
const free: number[] = [];
let isPossible = process.platform === 'linux';

/** As many, or none where there are no real pipes; the sockets that Node gives a child must do there. */
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
    // There may be no room for one more open file.
    opened.forEach(abandon);
    throw cause;
  }
}

/** No process has got the writing end. */
export function abandon({ closeWriter, release }: Pipe): void {
  closeWriter();
  release(true);
}

function openAt(place: number): Pipe {
  const path = `/proc/self/fd/${place}`;
  const files: number[] = [];
  try {
    // The reading end first and without blocking, since nobody writes yet.
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
    // No place for temporary files, no /proc, no such program: sockets do for all but opening by name.
    isPossible = !(cause instanceof Error);
  }
  isPossible &&= free.length > 0;
  return free.pop();
}
