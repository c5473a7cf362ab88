// The beginning and the end of a file, as text.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const HEAD_BYTES = 256;
const TAIL_BYTES = 16_384;

/** Undefined when it is not there. */
export const headOf = (file: string): string | undefined => read(file, () => ({ from: 0, bytes: HEAD_BYTES }));

/** Undefined when it is not there or says nothing. */
export function tailOf(file: string): string | undefined {
  const text = read(file, (size) => ({ from: Math.max(0, size - TAIL_BYTES), bytes: TAIL_BYTES }));
  return text === undefined || text.trim() === '' ? undefined : text;
}

function read(
  file: string,
  where: (size: number) => { readonly from: number; readonly bytes: number },
): string | undefined {
  try {
    const opened = openSync(file, 'r');
    try {
      const { from, bytes } = where(fstatSync(opened).size);
      const piece = Buffer.alloc(bytes);
      return piece.subarray(0, readSync(opened, piece, 0, bytes, from)).toString('utf8');
    } finally {
      closeSync(opened);
    }
  } catch {
    // An attempt that printed nothing, or whose folder somebody has cleared away.
    return undefined;
  }
}
