// What a step prints, as it comes, on both of its streams, and how long to go on listening once it is over.
//
// S1. Listening ends: a process that left the group may hold a stream open for ever, and is not waited for.
// S2. For a moment nobody listens: most short steps are over by then, and what they printed is read at once. A pipe holds
//     what is printed until then, and who prints more than it holds waits that moment.
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { openPipe, type Pipe } from './pipes.ts';

/** After this long without a word, what a finished step had printed has been read. */
const QUIET_MS = 100;
const DRAIN_MAX_MS = 1000;
const MOMENT_MS = 10;

type From = 'stdout' | 'stderr';

export type OnOutput = (from: From, chunk: Buffer) => void;

const FROM: readonly From[] = ['stdout', 'stderr'];

export class Streams {
  readonly #pipes: readonly Pipe[];
  readonly #ended = new Set<Readable>();
  #sockets: readonly (Readable | null)[] = [];
  #readers: readonly Readable[] = [];
  #listening: NodeJS.Timeout | undefined;
  #chunks = 0;
  #onOutput: OnOutput = () => undefined;
  #onAllEnded: () => void = () => undefined;

  constructor() {
    const first = openPipe();
    const second = first === undefined ? undefined : openPipe();
    this.#pipes = first === undefined || second === undefined ? [] : [first, second];
  }

  /** For `spawn`. */
  stdio(): readonly ['pipe' | number, 'pipe' | number] {
    const [first, second] = this.#pipes;
    return [first?.writer() ?? 'pipe', second?.writer() ?? 'pipe'];
  }

  /** To be called once a child that we spawned has its own copies. */
  attach({ stdout, stderr }: ChildProcess): void {
    this.#closeWriters();
    if (this.#pipes.length === 0) this.#sockets = [stdout, stderr];
  }

  /** To be called when somebody holds the writing ends. */
  listen(onOutput: OnOutput): void {
    this.#onOutput = onOutput;
    if (this.#pipes.length > 0) this.#listening = globalThis.setTimeout(() => this.#readPipes(), MOMENT_MS);
    else this.#read(this.#sockets);
  }

  /** When nothing was started, so that nobody else holds them. */
  abandon(): void {
    this.#closeWriters();
    this.#pipes.forEach(({ giveBack }) => giveBack(true));
  }

  #closeWriters(): void {
    this.#pipes.forEach(({ closeWriter }) => closeWriter());
  }

  /** Reads what is left, for a bounded time, and lets go. */
  async drain(): Promise<void> {
    clearTimeout(this.#listening);
    if (this.#readers.length === 0 && this.#hasReadAll()) {
      this.#pipes.forEach(({ giveBack }) => giveBack(true));
      return;
    }
    if (this.#readers.length === 0) this.#readPipes();
    if (!this.#isAllEnded()) {
      const allEnded = new Promise<void>((resolve) => (this.#onAllEnded = resolve));
      await Promise.race([allEnded, this.#quiet()]);
    }
    this.#readers.forEach((reader) => reader.destroy());
    this.#pipes.forEach(({ reader, giveBack }) => giveBack(this.#ended.has(reader())));
  }

  /** Whether both streams could be read to their ends without anybody waiting for them. */
  #hasReadAll(): boolean {
    const ended = this.#pipes.map(({ readNow }, index) =>
      readNow((chunk) => this.#onOutput(FROM[index] ?? 'stderr', chunk)),
    );
    return this.#pipes.length > 0 && ended.every((isEnded) => isEnded);
  }

  #readPipes(): void {
    this.#read(this.#pipes.map(({ reader }) => reader()));
  }

  #read(streams: readonly (Readable | null)[]): void {
    this.#readers = streams.filter((reader) => reader !== null);
    streams.forEach((reader, index) => {
      reader?.on('data', (chunk: Buffer) => {
        this.#chunks += 1;
        this.#onOutput(FROM[index] ?? 'stderr', chunk);
      });
      reader?.once('end', () => {
        this.#ended.add(reader);
        if (this.#isAllEnded()) this.#onAllEnded();
      });
      // A stream that cannot be read any more has said all that it will.
      reader?.on('error', () => this.#onAllEnded());
    });
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
