// The last bytes of a stream, in bounded memory, and as text that begins at a whole character.

export interface Tail {
  readonly push: (chunk: Uint8Array) => void;
  /** The number of all bytes of the stream, kept or not. */
  readonly total: () => number;
  /** The last bytes, at most as many as requested. */
  readonly bytes: () => Buffer;
}

const FIRST_SIZE = 4096;

export function makeTail(bytesMax: number): Tail {
  let kept = Buffer.alloc(0);
  let size = 0;
  let total = 0;
  // The buffer is twice the kept size, so that moving its end to the front is rare however small the chunks are.
  const makeRoom = (wanted: number): void => {
    if (size + wanted <= kept.length) return;
    const stays = Math.min(size, bytesMax);
    const needed = stays + wanted;
    const roomy = Buffer.allocUnsafe(Math.min(2 * bytesMax, Math.max(FIRST_SIZE, 2 * needed)));
    kept.copy(roomy, 0, size - stays, size);
    kept = roomy;
    size = stays;
  };
  return {
    push: (chunk) => {
      total += chunk.length;
      const last = chunk.length > bytesMax ? chunk.subarray(chunk.length - bytesMax) : chunk;
      makeRoom(last.length);
      kept.set(last, size);
      size += last.length;
    },
    total: () => total,
    bytes: () => kept.subarray(Math.max(0, size - bytesMax), size),
  };
}

/**
 * The last bytes as text of at most `bytesMax` bytes. Invalid UTF-8 is replaced, and so is the zero byte, because the
 * text may become an environment variable, which cannot contain one.
 */
export function textOfBytes(bytes: Uint8Array, bytesMax: number): string {
  const text = decode(bytes, bytesMax);
  // A replaced byte takes three, so the text may have become too long.
  return Buffer.byteLength(text) > bytesMax ? decode(Buffer.from(text), bytesMax) : text;
}

function decode(bytes: Uint8Array, bytesMax: number): string {
  let from = Math.max(0, bytes.length - bytesMax);
  // Only a truncated text can begin in the middle of a character.
  if (from > 0) {
    const latest = from + 3;
    while (from < latest && isContinuation(bytes[from])) from += 1;
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from)
    .toString('utf8')
    .replaceAll('\0', '\uFFFD');
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The last characters of a text, without half a surrogate pair at its head. */
export function lastCharacters(text: string, count: number): string {
  const last = text.slice(-count);
  return last.length < text.length && /^[\uDC00-\uDFFF]/.test(last) ? last.slice(1) : last;
}

export const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, '');
