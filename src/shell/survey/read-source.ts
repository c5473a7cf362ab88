// Reads one file as far as the split needs it.

import { closeSync, fstatSync, openSync, readSync, constants } from 'node:fs';

export type ReadSource =
  | { readonly type: 'text'; readonly text: string; readonly tokens: number }
  /** A symbolic link, a binary file, or an unreadable one. */
  | { readonly type: 'left out'; readonly why: 'link' | 'binary' | 'unreadable' };

/** Imports are at the top; the rest of a longer file is only counted. */
const READ_BYTES_MAX = 512 * 1024;
const PROBED_BYTES = 8_000;
/** For source text; a model's own count differs by up to a third in both directions. */
const BYTES_PER_TOKEN = 3.5;

const buffer = Buffer.allocUnsafe(READ_BYTES_MAX);

export function readSource(path: string): ReadSource {
  let open: number | undefined;
  try {
    open = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const about = fstatSync(open);
    if (!about.isFile()) return { type: 'left out', why: 'unreadable' };
    const bytes = readUpTo(open, Math.min(about.size, READ_BYTES_MAX));
    if (buffer.subarray(0, Math.min(bytes, PROBED_BYTES)).includes(0)) return { type: 'left out', why: 'binary' };
    const tokens = Math.ceil(about.size / BYTES_PER_TOKEN);
    return { type: 'text', text: buffer.toString('utf8', 0, bytes), tokens };
  } catch (cause) {
    const isLink = cause instanceof Error && 'code' in cause && cause.code === 'ELOOP';
    return { type: 'left out', why: isLink ? 'link' : 'unreadable' };
  } finally {
    if (open !== undefined) closeSync(open);
  }
}

function readUpTo(open: number, most: number): number {
  let bytes = 0;
  for (let read = -1; read !== 0 && bytes < most; bytes += read)
    read = readSync(open, buffer, bytes, most - bytes, bytes);
  return bytes;
}
