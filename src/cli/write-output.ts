// A command's product goes to the file that was asked for, else to standard output.
import { writeFileSync } from 'node:fs';
import { Failure } from './failure.ts';
import type { Terminal } from './terminal.ts';

export function writeOutput(terminal: Terminal, file: string | undefined, text: string): void {
  if (file === undefined || file === '-') {
    terminal.out(text.trimEnd());
    return;
  }
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new Failure(
      `${file} could not be written: ${cause instanceof Error ? cause.message : String(cause)}. Choose another place.`,
      { cause },
    );
  }
}
