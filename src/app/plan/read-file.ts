// Reads the text of a file or of standard input; refuses unreadable input with the reason.
//
// read-file/R1. A command for a person at another machine reads of what the person names only what came with the call: a
//     name of theirs never opens a file of this machine.
import { existsSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Refused } from '../refused.ts';
import type { Unreadable } from '../../core/view/text/refusal.ts';

/** A little less than the longest string. */
const FILE_BYTES_MAX = 500 * 1024 * 1024;
const STANDARD_INPUT = 0;
const CHUNK_BYTES = 64 * 1024;
const INPUT_WAIT_MS = 5;

/** The files of the person's machine by the names that the person gave them; undefined when that is this machine. */
let sent: ReadonlyMap<string, Uint8Array> | undefined;

export function takeSentFiles(files: ReadonlyMap<string, Uint8Array>): void {
  sent = files;
}

/** The text of a file that the person names, or of standard input for `-`. */
export function readText(file: string): string {
  if (sent !== undefined) return decode(file, sent.get(file) ?? notSent(file));
  return decode(file, readFileBytes(file));
}

/** The bytes of a file of this machine, or of standard input for `-`. */
export const readFileBytes = (file: string): Uint8Array => (file === '-' ? readInput() : readBytes(file));

/** Whether the person has such a file. */
export const isThere = (file: string): boolean => sent?.has(file) ?? existsSync(file);

/** The text of a file of this machine that may be absent. */
export function readTextIfThere(file: string): string | undefined {
  return existsSync(file) ? decode(file, readBytes(file)) : undefined;
}

/** Whether the person has such a folder. */
export const isFolder = (path: string): boolean =>
  sentBelow(path)?.some(() => true) ?? statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The files that were sent from a folder of the person; undefined when that is a folder of this machine. */
export const sentBelow = (folder: string): readonly string[] | undefined =>
  sent && [...sent.keys()].filter((file) => folder === '.' || file.startsWith(join(folder, '/'))).toSorted();

function notSent(file: string): never {
  throw unreadable(file, { why: file === '' ? 'empty-path' : file === '-' ? 'standard-input' : 'missing' });
}

function readInput(): Uint8Array {
  const chunks: Uint8Array[] = [];
  const chunk = new Uint8Array(CHUNK_BYTES);
  let bytes = 0;
  for (let read = readChunk(chunk); read !== 0; read = readChunk(chunk)) {
    if (read === 'not yet') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, INPUT_WAIT_MS);
    else chunks.push(chunk.slice(0, read));
    bytes += read === 'not yet' ? 0 : read;
    if (bytes > FILE_BYTES_MAX) throw unreadable('-', { why: 'too-large', bytes: undefined, bytesMax: FILE_BYTES_MAX });
  }
  return Buffer.concat(chunks);
}

/** A pipe may have been put into a mode in which an empty one is an error, and then it only has to be asked again. */
function readChunk(chunk: Uint8Array): number | 'not yet' {
  try {
    return readSync(STANDARD_INPUT, chunk);
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'EAGAIN') return 'not yet';
    if (code === 'EOF') return 0;
    throw unreadable('-', { why: 'standard-input' }, cause);
  }
}

const codeOf = (cause: unknown): unknown => (cause instanceof Error && 'code' in cause ? cause.code : undefined);

function readBytes(file: string): Uint8Array {
  try {
    const { size } = statSync(file);
    if (size > FILE_BYTES_MAX) throw unreadable(file, { why: 'too-large', bytes: size, bytesMax: FILE_BYTES_MAX });
    return readFileSync(file);
  } catch (cause) {
    if (cause instanceof Refused) throw cause;
    throw unreadable(file, whyUnreadable(file, cause), cause);
  }
}

const unreadable = (file: string, why: Unreadable, cause?: unknown): Refused =>
  new Refused({ code: 'unreadable', file, ...why }, { cause });

function whyUnreadable(file: string, cause: unknown): Unreadable {
  const code = codeOf(cause);
  if (file === '') return { why: 'empty-path' };
  if (code === 'ENOENT') return { why: 'missing' };
  if (code === 'EISDIR') return { why: 'folder' };
  if (code === 'EACCES' || code === 'EPERM') return { why: 'permission' };
  return { why: 'other', message: cause instanceof Error ? cause.message : String(cause) };
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw unreadable(file, { why: 'not-utf8' }, cause);
  }
}
