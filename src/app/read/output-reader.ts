// Reads an attempt's output as it grows, in pieces, from its oldest part to its newest.
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import { ATTEMPT_FILES, attemptFile, attemptFolder } from '../../shell/host/attempt-folder.ts';

const PIECE_BYTES = 1 << 16;

export interface AttemptRef {
  readonly home: string;
  readonly run: string;
  readonly claim: ClaimRef;
}

/** Whether a worker has taken the claim. */
export const isBegun = ({ home, run, claim }: AttemptRef): boolean =>
  existsSync(attemptFile(attemptFolder(home, run, claim)));

export const outputFileOf = ({ home, run, claim }: AttemptRef): string =>
  join(attemptFolder(home, run, claim), ATTEMPT_FILES.output);

/** Each call gives what has come since the last one. A file that was begun anew in the meantime is read from its start. */
export function outputReader({ home, run, claim }: AttemptRef): () => Generator<Uint8Array> {
  const folder = attemptFolder(home, run, claim);
  const name = ATTEMPT_FILES.output;
  const readTo = new Map<number, number>();
  return function* pieces() {
    for (const file of partsOf(folder, name)) {
      const opened = openSync(join(folder, file), 'r');
      try {
        // A part keeps its identity when it is renamed, so nothing is printed twice.
        const { ino } = fstatSync(opened);
        for (let at = readTo.get(ino) ?? 0; ; readTo.set(ino, at)) {
          const piece = new Uint8Array(PIECE_BYTES);
          const count = readSync(opened, piece, 0, PIECE_BYTES, at);
          if (count === 0) break;
          at += count;
          yield piece.subarray(0, count);
        }
      } finally {
        closeSync(opened);
      }
    }
  };
}

/** `output.2.log`, `output.1.log`, `output.log`: the highest number is the oldest. */
function partsOf(folder: string, name: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const stem = name.slice(0, name.lastIndexOf('.'));
  const extension = name.slice(stem.length);
  return readdirSync(folder)
    .filter((file) => file.startsWith(`${stem}.`) && file.endsWith(extension))
    .map((file) => ({ file, age: file === name ? 0 : Number(file.slice(stem.length + 1, -extension.length)) }))
    .filter(({ age }) => Number.isInteger(age))
    .toSorted((one, other) => other.age - one.age)
    .map(({ file }) => file);
}
