// The output of a process as files of a folder.
//
// exec/O1. Bytes are kept as they came, and none is added between them while none was lost.
// exec/O2. There are at most OUTPUT_FILES_MAX files of at most OUTPUT_FILE_MAX bytes, however much is printed.
// exec/O3. Dropped output is noted: at the head of the oldest file, or at the point where the disk was full.
// exec/O4. A disk that cannot be written to never ends a process.
import { closeSync, mkdirSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export const OUTPUT_FILE_MAX = 8 * 1024 * 1024;
export const OUTPUT_FILES_MAX = 4;
/** Minimum length of the line about dropped output, so that any number fits. */
const HEAD_MIN = 80;
/** The search range for the end of the line that the note replaces. */
const HEAD_MAX = 4096;

/**
 * Writes synchronously: a step that prints faster than the disk can write blocks at its pipe, and memory stays small.
 */
export class OutputFiles {
  readonly #folder: string;
  readonly #name: string;
  #file: number | undefined;
  /** How many bytes of output came before each file that is kept, the oldest file first. */
  #starts: number[] = [];
  #size = 0;
  #total = 0;
  #missed = { bytes: 0, because: '' };

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  write(chunk: Buffer): void {
    if (chunk.length === 0) return;
    if (this.#missed.bytes > 0) this.#logMissed();
    this.#keep(chunk);
  }

  close(): void {
    if (this.#missed.bytes > 0) this.#logMissed();
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #keep(bytes: Buffer): void {
    for (let from = 0; from < bytes.length;) {
      const taken = this.#writeSome(bytes.subarray(from));
      if (taken === 0) {
        this.#missed.bytes += bytes.length - from;
        return;
      }
      from += taken;
    }
  }

  /** Returns the number of written bytes; 0 when the disk refuses. */
  #writeSome(bytes: Buffer): number {
    try {
      const file = this.#file === undefined || this.#size >= OUTPUT_FILE_MAX ? this.#begin() : this.#file;
      const taken = writeSync(file, bytes, 0, Math.min(bytes.length, OUTPUT_FILE_MAX - this.#size));
      this.#size += taken;
      this.#total += taken;
      return taken;
    } catch (cause) {
      this.#missed.because = cause instanceof Error ? cause.message : String(cause);
      return 0;
    }
  }

  #logMissed(): void {
    const { bytes, because } = this.#missed;
    this.#missed = { bytes: 0, because: '' };
    const remark = Buffer.from(`\n[heddle: ${bytes} bytes of output could not be written here: ${because}]\n`);
    this.#keep(remark);
    // The note itself may not fit either; then it is written the next time, alone.
    if (this.#missed.bytes > 0) this.#missed = { bytes, because };
  }

  /** Opens the next file and renumbers the older ones; the oldest is dropped. */
  #begin(): number {
    if (this.#file !== undefined) {
      closeSync(this.#file);
      this.#file = undefined;
      for (let age = Math.min(this.#starts.length, OUTPUT_FILES_MAX - 1); age > 0; age -= 1)
        renameSync(this.#path(age - 1), this.#path(age));
      if (this.#starts.length === OUTPUT_FILES_MAX) {
        this.#starts.shift();
        this.#markOldest(this.#starts[0] ?? 0);
      }
    }
    mkdirSync(this.#folder, { recursive: true });
    this.#file = openSync(this.#path(0), 'a');
    this.#starts.push(this.#total);
    this.#size = 0;
    return this.#file;
  }

  /** Overwrites the first line or so with the note; inserting it before would mean copying the file. */
  #markOldest(before: number): void {
    const file = openSync(this.#path(OUTPUT_FILES_MAX - 1), 'r+');
    try {
      const head = Buffer.alloc(HEAD_MAX);
      const size = readSync(file, head, 0, HEAD_MAX, 0);
      const lineEnd = head.subarray(0, size).indexOf('\n', HEAD_MIN - 1);
      const taken = lineEnd === -1 ? HEAD_MIN : lineEnd + 1;
      const remark = `[heddle: the first ${before + taken} bytes of this output were dropped]`;
      writeSync(file, `${remark.padEnd(taken - 1)}\n`, 0);
    } finally {
      closeSync(file);
    }
  }

  #path(age: number): string {
    const name = this.#name;
    return join(this.#folder, age === 0 ? name : name.replace(/\.log$/, `.${age}.log`));
  }
}
