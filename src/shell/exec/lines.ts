// Splits a stream into lines in bounded memory: the rest of an overlong line is dropped.

export const LINE_MAX_BYTES = 1024 * 1024;
/** For lines that are messages: one may hold an answer, or files that a tool has read. */
export const MESSAGE_MAX_BYTES = 64 * 1024 * 1024;

export interface Lines {
  readonly push: (chunk: Buffer) => void;
  /** Passes on a last line without a line break. */
  readonly end: () => void;
}

const NEWLINE = 0x0a;

export function splitLines(onLine: (line: string) => void, lineMaxBytes = LINE_MAX_BYTES): Lines {
  let pieces: Buffer[] = [];
  let size = 0;
  const keep = (piece: Buffer): void => {
    const fits = piece.subarray(0, lineMaxBytes - size);
    if (fits.length > 0) pieces.push(fits);
    size += fits.length;
  };
  const pass = (): void => {
    const line = Buffer.concat(pieces).toString('utf8');
    pieces = [];
    size = 0;
    onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  };
  return {
    push: (chunk) => {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        keep(chunk.subarray(from, at));
        pass();
        from = at + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
    },
    end: () => {
      if (size > 0) pass();
    },
  };
}
