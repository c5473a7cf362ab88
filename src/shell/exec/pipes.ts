// What a step prints into, and where we read it.
//
// Node gives a child sockets, and on Linux a socket cannot be opened by name: `echo oops > /dev/stderr`, found in many a
// script, fails in such a child. So on Linux a step gets real pipes. Node cannot make one, and `mkfifo` can: two are made
// once for a worker, without a name that others could see, and used for step after step.
//
// W1. A pipe that somebody may still hold open for writing is not used again, so no step prints into the next one's files.
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { captureNow } from './capture-now.ts';

/** One stream of a step. */
export interface Pipe {
  /** For a process that we start. Opened when it is first asked for. */
  readonly writer: () => number;
  readonly closeWriter: () => void;
  /** Made when it is first asked for, and to be destroyed then. */
  readonly reader: () => Readable;
  /** Whatever there is to read; whether its end was read. Not to be called once there is a reader. */
  readonly readNow: (hear: (chunk: Buffer) => void) => boolean;
  /** To be called when the step is over, saying whether its end was read: then nobody holds it open. */
  readonly giveBack: (isEnded: boolean) => void;
}

/** Opens a thing by no more than its place, so that it counts as neither reader nor writer; Node has no name for it. */
const O_PATH = 0o10000000;
const BATCH = 2;

/** A pipe that nobody writes into. */
interface Free {
  readonly kept: number;
  /** Where it is read, when it was read before. */
  readonly reading?: number;
}

const free: Free[] = [];
let isPossible = process.platform === 'linux';

/** Undefined where real pipes cannot be had; what Node gives a child must do then. */
export function openPipe(): Pipe | undefined {
  const found = free.pop() ?? makeFree();
  if (found === undefined) return undefined;
  const { kept } = found;
  const path = `/proc/self/fd/${kept}`;
  // Without waiting, since nobody writes yet.
  const reading = found.reading ?? openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  let writer: number | undefined;
  let reader: Socket | undefined;
  return {
    writer: () => (writer ??= openSync(path, constants.O_WRONLY)),
    closeWriter: () => {
      if (writer !== undefined) closeSync(writer);
      writer = undefined;
    },
    reader: () => (reader ??= new Socket({ fd: reading, readable: true, writable: false })),
    readNow: (hear) => readToEnd(reading, hear),
    giveBack: (isEnded) => {
      if (isEnded) free.push(reader === undefined ? { kept, reading } : { kept });
      else for (const file of reader === undefined ? [kept, reading] : [kept]) closeSync(file);
    },
  };
}

/** As much as a pipe holds. */
const CHUNK_BYTES = 64 * 1024;

function readToEnd(file: number, hear: (chunk: Buffer) => void): boolean {
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const size = readSync(file, chunk);
      if (size === 0) return true;
      hear(chunk.subarray(0, size));
    }
  } catch {
    // Somebody has it open and says nothing; or it cannot be read, which the reader will say.
    return false;
  }
}

/** Makes them before they are needed, because that takes longer than most steps. */
export function preparePipes(): void {
  const made = free.length === 0 ? makeFree() : undefined;
  if (made !== undefined) free.push(made);
}

function makeFree(): Free | undefined {
  if (!isPossible) return undefined;
  try {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-pipes-'));
    const names = Array.from({ length: BATCH }, (_, index) => join(folder, String(index)));
    const made = captureNow(['mkfifo', '-m', '600', ...names]);
    if (made.code === 0) free.push(...names.map((name) => ({ kept: openSync(name, O_PATH) })));
    rmSync(folder, { recursive: true, force: true });
  } catch (cause) {
    // No place for temporary files, no /proc, no such program: sockets do for all but opening by name.
    isPossible = !(cause instanceof Error);
  }
  isPossible &&= free.length > 0;
  return free.pop();
}
