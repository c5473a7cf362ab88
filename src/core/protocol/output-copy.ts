// A copy of a claim's output on the machine that has the log, made of the pieces that came from the machine that runs it.
//
// output-copy/C1. What the copy shows is either output, byte by byte and in order, or a line that says how many bytes are not
//     there. Whatever pieces are lost, repeated or overlap, no byte appears twice or in the wrong place.

/** A file that is a copy of output. */
export interface OutputCopy {
  /** The bytes of output that the file accounts for: copied, or said to be missing. */
  readonly at: number;
  /** How many bytes at the head of the file are the first bytes of the output. */
  readonly head: number;
  /** The size of the file. */
  readonly size: number;
}

export const NO_COPY: OutputCopy = { at: 0, head: 0, size: 0 };

/** Bytes of output from the byte `from` on. */
export interface OutputPiece {
  readonly from: number;
  readonly length: number;
  /** The last piece: the output is over, and ends with it. */
  readonly isEnd: boolean;
}

export type CopyStep =
  /** The first `skip` bytes of the piece are there; `missing` bytes before it are not. */
  | { readonly type: 'append'; readonly missing: number; readonly skip: number; readonly copy: OutputCopy }
  /** The piece fills a gap: of the file, `keep` bytes stay, and the piece follows. */
  | { readonly type: 'rebuild'; readonly keep: number; readonly copy: OutputCopy }
  /** The end of long output: all before it that is not in the piece is said to be missing. */
  | { readonly type: 'replace'; readonly missing: number; readonly copy: OutputCopy };

/** How a piece joins a copy, and the copy after that; `lineLength` is of the line that says how many bytes are missing. */
export function joinPiece(
  copy: OutputCopy,
  { from, length, isEnd }: OutputPiece,
  lineLength: (missing: number) => number,
): CopyStep {
  const { at, head, size } = copy;
  const end = from + length;
  const hasGaps = head < size;
  if (hasGaps && end >= at && from <= head)
    return { type: 'rebuild', keep: from, copy: { at: end, head: end, size: end } };
  if (hasGaps && end >= at && isEnd)
    return { type: 'replace', missing: from, copy: { at: end, head: 0, size: lineLength(from) + length } };
  const missing = Math.max(0, from - at);
  const skip = Math.min(length, Math.max(0, at - from));
  const grown = size + (missing > 0 ? lineLength(missing) : 0) + length - skip;
  const isWhole = missing === 0 && at === size && head === size;
  return { type: 'append', missing, skip, copy: { at: Math.max(at, end), head: isWhole ? grown : head, size: grown } };
}

const ESCAPE = 0x1b;
const LINE_END = 0x0a;
/** A longer escape sequence is none that a terminal knows. */
const ESCAPE_BYTES_MAX = 64;

/**
 * The part of new output that shows well by itself: without a begun character or escape sequence at its end and, where bytes
 * before it are left out, beginning with a line where it has one.
 */
export function wholeIn(bytes: Uint8Array, isCut: boolean): { readonly start: number; readonly end: number } {
  const end = wholeEnd(bytes);
  if (!isCut) return { start: 0, end };
  const line = bytes.indexOf(LINE_END) + 1;
  if (line > 0 && line < end) return { start: line, end };
  let start = 0;
  while (start < end && isWithin(bytes[start])) start += 1;
  return { start, end };
}

/** Whether a byte continues a character of UTF-8. */
const isWithin = (byte = 0): boolean => (byte & 0xc0) === 0x80;

function wholeEnd(bytes: Uint8Array): number {
  const escape = bytes.lastIndexOf(ESCAPE);
  if (escape !== -1 && bytes.length - escape < ESCAPE_BYTES_MAX && !isWholeEscape(bytes.subarray(escape)))
    return escape;
  let first = bytes.length - 1;
  while (first > bytes.length - 4 && isWithin(bytes[first])) first -= 1;
  return first >= 0 && first + lengthOf(bytes[first]) > bytes.length ? first : bytes.length;
}

/** Of a character of UTF-8, by its first byte. */
function lengthOf(first = 0): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const BELL = 0x07;
const BACKSLASH = 0x5c;

/** Of the two kinds that take parameters: colours and cursors, ended by a letter; titles and links, by a bell or ESC \. */
function isWholeEscape(bytes: Uint8Array): boolean {
  const [, second] = bytes;
  if (second === undefined) return false;
  if (second === OPEN_BRACKET) return bytes.subarray(2).some((byte) => byte >= 0x40 && byte <= 0x7e);
  if (second === CLOSE_BRACKET) return bytes.includes(BELL);
  return second === BACKSLASH || bytes.length >= 2;
}
