// A command's product goes to the file that was asked for, else to standard output.
import { closeSync, openSync, writeSync } from 'node:fs';
import { Failure } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/** A product that may be longer than a string can be comes in chunks. */
export function writeOutput(terminal: Terminal, file: string | undefined, chunks: Iterable<string>): void {
  if (file === undefined || file === '-') {
    for (const chunk of chunks) terminal.write(chunk);
    return;
  }
  try {
    const open = openSync(file, 'w');
    for (const chunk of chunks) writeSync(open, chunk);
    closeSync(open);
  } catch (cause) {
    throw new Failure(
      `${file} could not be written: ${cause instanceof Error ? cause.message : String(cause)}. Choose another place.`,
      { cause },
    );
  }
}
