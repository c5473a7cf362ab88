// A file in place of a pipe for the output of a process, read while the process writes to it.
//
// Some programs call `process.exit` right after they have printed, and lose all that the pipe has not taken by then. A file
// takes everything at once.
//
// exec/F1. The file has no name, so nothing of it is left behind, whatever becomes of this process.
// exec/F2. What was read is given back to the disk, where the file system can do that.
import { closeSync, mkdirSync, openSync, readSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { captureNow } from './capture-now.ts';
import type { Pipe } from './pipes.ts';

const LOOK_EVERY_MS = 50;
const CHUNK_BYTES = 1024 * 1024;
/** The disk gets back this much at a time. */
const GIVE_BACK_BYTES = 64 * 1024 * 1024;

export function openFollowedFile(folder: string): Pipe {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `stdout.${process.pid}`);
  const writer = openSync(path, 'ax', 0o600);
  const reading = openSync(path, 'r');
  unlinkSync(path);
  const reader = new Readable({ read: () => undefined });
  const follower = new Follower(reading, reader);
  return {
    writer,
    closeWriter: () => closeSync(writer),
    reader,
    finish: () => follower.finish(),
    release: () => follower.close(),
  };
}

class Follower {
  readonly #file: number;
  readonly #reader: Readable;
  readonly #looking: NodeJS.Timeout;
  #at = 0;
  #givenBack = 0;
  #isOpen = true;

  constructor(file: number, reader: Readable) {
    this.#file = file;
    this.#reader = reader;
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  /** Called when the process has exited: all that it printed is in the file. */
  finish(): void {
    this.#look();
    clearInterval(this.#looking);
    this.#reader.push(null);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearInterval(this.#looking);
    this.#reader.destroy();
    closeSync(this.#file);
  }

  #look(): void {
    if (!this.#isOpen) return;
    for (let chunk = this.#take(); chunk.length > 0; chunk = this.#take()) {
      this.#at += chunk.length;
      this.#reader.push(chunk);
    }
    if (this.#at - this.#givenBack >= GIVE_BACK_BYTES) this.#giveBack();
  }

  #take(): Buffer {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    return chunk.subarray(0, readSync(this.#file, chunk, 0, CHUNK_BYTES, this.#at));
  }

  /** Where there is no such program, or the file system cannot do it, the file keeps what was read. */
  #giveBack(): void {
    const [from, length] = [this.#givenBack, this.#at - this.#givenBack];
    this.#givenBack = this.#at;
    const range = ['--offset', String(from), '--length', String(length)];
    captureNow(['fallocate', '--punch-hole', ...range, `/proc/${process.pid}/fd/${this.#file}`]);
  }
}
