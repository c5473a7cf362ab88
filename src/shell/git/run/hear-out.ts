// All that a program prints, and how it ended. A process that it left behind may hold its streams open for ever, and is
// not waited for.
import type { ChildProcess } from 'node:child_process';
import { setImmediate, setTimeout } from 'node:timers/promises';

export interface HeardOut {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: Buffer;
  readonly complaint: Buffer;
}

/** After this long without a word, what a program that is over had printed has been read. */
const QUIET_MS = 500;

/** Rejects when the program could not be started. Of each stream at most so much is kept, from its end. */
export async function hearOut(child: ChildProcess, keptMax = Infinity): Promise<HeardOut> {
  const output = gather(child.stdout, keptMax);
  const complaint = gather(child.stderr, keptMax);
  const closed = new Promise((resolve) => child.once('close', resolve));
  const [code, signal] = await exitOf(child);
  await Promise.race([closed, quiet(() => output.count() + complaint.count())]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return { code, signal, output: output.all(), complaint: complaint.all() };
}

const exitOf = (child: ChildProcess): Promise<[code: number | null, signal: string | null]> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve([code, signal]));
  });

async function quiet(heardNow: () => number): Promise<void> {
  for (let heard = -1; heard !== heardNow();) {
    heard = heardNow();
    await setTimeout(QUIET_MS, undefined, { ref: false });
    // A timer may come before what was readable long ago; after this, that has been read.
    await setImmediate();
  }
}

interface Gathered {
  readonly all: () => Buffer;
  /** How often something came. */
  readonly count: () => number;
}

function gather(stream: NodeJS.ReadableStream | null, keptMax: number): Gathered {
  const parts: Buffer[] = [];
  let size = 0;
  let count = 0;
  stream?.on('data', (part: Buffer) => {
    parts.push(part);
    size += part.length;
    count += 1;
    while (size > keptMax && parts.length > 1) size -= parts.shift()?.length ?? 0;
  });
  return { all: () => Buffer.concat(parts), count: () => count };
}
