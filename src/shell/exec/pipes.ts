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
  /** To be called when the reader is destroyed, with whether its end was read: then nobody holds the pipe open. */
  readonly release: (isEnded: boolean) => void;
}

/** Opens a file by its place alone, as neither reader nor writer; Node has no name for it. */
const O_PATH = 0o10000000;
const BATCH = 2;

/** Pipes that nobody writes into, opened by their place. */
const free: number[] = [];
let isPossible = process.platform === 'linux';

/** Undefined where there are no real pipes; the sockets that Node gives a child must do there. */
export function openPipe(): Pipe | undefined {
  const place = free.pop() ?? makePipe();
  if (place === undefined) return undefined;
  const path = `/proc/self/fd/${place}`;
  // Without blocking, since nobody writes yet.
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  return {
    writer,
    closeWriter: () => closeSync(writer),
    reader: new Socket({ fd: reading, readable: true, writable: false }),
    release: (isEnded) => {
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
