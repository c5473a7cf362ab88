// Passes the body of a request on to git.
import type { Readable, Writable } from 'node:stream';
import type { PipedProcess } from '../../exec/piped-process.ts';

/**
 * All of the input is read, even when git has refused it after the first bytes: a sender that cannot write to the end
 * reports a broken link and not the reason. At most `bytesMax` are passed on; gives how many there were.
 */
export async function feedProgram({ stdin }: PipedProcess, input: Readable, bytesMax: number): Promise<number> {
  let bytes = 0;
  for await (const part of input) {
    // A stream without an encoding gives buffers.
    const piece = part as Buffer;
    bytes += piece.length;
    if (stdin.writable && bytes <= bytesMax && !stdin.write(piece)) await drained(stdin);
  }
  stdin.end();
  return bytes;
}

/** A program that has exited is never drained: its end closes the stream, after an error that is none of ours. */
async function drained(stdin: Writable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const event of ['drain', 'close']) stdin.once(event, resolve);
  await promise;
  for (const event of ['drain', 'close']) stdin.off(event, resolve);
}
