// Reads the standard output and standard error of a process, and bounds how long they are read after its exit.
//
// exec/S1. Reading ends: a process that left the group may hold a stream open for ever, and is not waited for.
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { abandon, openPipes, type Pipe } from './pipes.ts';

/** After this long without output, the output of a process that has exited counts as complete. */
const QUIET_MS = 100;
const DRAIN_MAX_MS = 1000;

type From = 'stdout' | 'stderr';

export type OnOutput = (from: From, chunk: Buffer) => void;

const FROM: readonly From[] = ['stdout', 'stderr'];

export class Streams {
  readonly #pipes: readonly Pipe[];
  readonly #ended = new Set<Readable>();
  #readers: readonly Readable[] = [];
  #chunks = 0;
  #onAllEnded: () => void = () => undefined;

  /** `file` takes the standard output in place of a pipe. */
  constructor(file?: Pipe) {
    this.#pipes = file === undefined ? openPipes(FROM.length) : [file, ...openPipes(1)];
  }

  /** For `spawn`. */
  stdio(): readonly ['pipe' | number, 'pipe' | number] {
    const [first, second] = this.#pipes;
    return [first?.writer ?? 'pipe', second?.writer ?? 'pipe'];
  }

  /** Called once the child has its own copies of the writing ends. */
  attach({ stdout, stderr }: ChildProcess): void {
    this.#pipes.forEach(({ closeWriter }) => closeWriter());
    const readers = [stdout, stderr].map((own, index) => this.#pipes[index]?.reader ?? own);
    this.#readers = readers.filter((reader) => reader !== null);
  }

  listen(onOutput: OnOutput): void {
    this.#readers.forEach((reader, index) => {
      reader.on('data', (chunk: Buffer) => {
        this.#chunks += 1;
        onOutput(FROM[index] ?? 'stderr', chunk);
      });
      reader.once('end', () => {
        this.#ended.add(reader);
        if (this.#isAllEnded()) this.#onAllEnded();
      });
      // A stream that fails has ended.
      reader.on('error', () => this.#onAllEnded());
    });
  }

  /** Called when no child was started. */
  abandon(): void {
    this.#pipes.forEach(abandon);
  }

  /** Reads the remaining output, for a bounded time, and closes the streams. */
  async drain(): Promise<void> {
    this.#pipes.forEach(({ finish }) => finish?.());
    if (!this.#isAllEnded()) {
      const allEnded = new Promise<void>((resolve) => (this.#onAllEnded = resolve));
      await Promise.race([allEnded, this.#quiet()]);
    }
    this.#readers.forEach((reader) => reader.destroy());
    this.#pipes.forEach(({ reader, release }) => release(this.#ended.has(reader)));
  }

  #isAllEnded(): boolean {
    return this.#ended.size === this.#readers.length;
  }

  async #quiet(): Promise<void> {
    const until = performance.now() + DRAIN_MAX_MS;
    for (let seen = -1; seen !== this.#chunks && performance.now() < until;) {
      seen = this.#chunks;
      await setTimeout(QUIET_MS, undefined, { ref: false });
      // A timer may fire before readable data is delivered; after this, the data has been read.
      await setImmediate();
    }
  }
}
