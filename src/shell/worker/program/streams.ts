// What a step prints, as it comes, on both of its streams, and how long to go on listening once it is over.
//
// S1. Listening ends: a process that left the group may hold a stream open for ever, and is not waited for.
import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { openPipe, type Pipe } from './pipes.ts';

/** After this long without a word, what a finished step had printed has been read. */
const QUIET_MS = 100;
const DRAIN_MAX_MS = 1000;

export type OnOutput = (from: 'stdout' | 'stderr', chunk: Buffer) => void;

export class Streams {
  readonly #pipes: readonly Pipe[];
  readonly #ended = new Set<Readable>();
  #readers: readonly Readable[] = [];
  #chunks = 0;
  #onAllEnded: () => void = () => undefined;

  constructor() {
    const first = openPipe();
    const second = first === undefined ? undefined : openPipe();
    this.#pipes = first === undefined || second === undefined ? [] : [first, second];
  }

  /** For `spawn`. */
  get stdio(): readonly ['pipe' | number, 'pipe' | number] {
    const [first, second] = this.#pipes;
    return [first?.writer ?? 'pipe', second?.writer ?? 'pipe'];
  }

  /** To be called once the child has its own copies. */
  listen(child: ChildProcess, onOutput: OnOutput): void {
    this.#pipes.forEach(({ writer }) => closeSync(writer));
    const [stdout, stderr] =
      this.#pipes.length > 0 ? this.#pipes.map(({ reader }) => reader) : [child.stdout, child.stderr];
    this.#readers = [stdout, stderr].filter((reader) => reader !== null && reader !== undefined);
    const hear = (from: 'stdout' | 'stderr', reader: Readable | null | undefined): void => {
      reader?.on('data', (chunk: Buffer) => {
        this.#chunks += 1;
        onOutput(from, chunk);
      });
      reader?.once('end', () => {
        this.#ended.add(reader);
        if (this.#isAllEnded()) this.#onAllEnded();
      });
      // A stream that cannot be read any more has said all that it will.
      reader?.on('error', () => this.#onAllEnded());
    };
    hear('stdout', stdout);
    hear('stderr', stderr);
  }

  /** When nothing was started, so that nobody else holds them. */
  abandon(): void {
    this.#pipes.forEach(({ writer, reader, giveBack }) => {
      closeSync(writer);
      reader.destroy();
      giveBack(true);
    });
  }

  /** Reads what is left, for a bounded time, and lets go. */
  async drain(): Promise<void> {
    if (!this.#isAllEnded()) {
      const allEnded = new Promise<void>((resolve) => (this.#onAllEnded = resolve));
      await Promise.race([allEnded, this.#quiet()]);
    }
    this.#readers.forEach((reader) => reader.destroy());
    this.#pipes.forEach(({ reader, giveBack }) => giveBack(this.#ended.has(reader)));
  }

  #isAllEnded(): boolean {
    return this.#ended.size === this.#readers.length;
  }

  async #quiet(): Promise<void> {
    const until = performance.now() + DRAIN_MAX_MS;
    for (let heard = -1; heard !== this.#chunks && performance.now() < until;) {
      heard = this.#chunks;
      await setTimeout(QUIET_MS, undefined, { ref: false });
      // A timer may come before what was readable long ago; after this, that has been read.
      await setImmediate();
    }
  }
}
