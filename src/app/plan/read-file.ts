// Reads what a person names on the command line, and says in a sentence when that cannot be done.
import { existsSync, readFileSync, readSync, statSync } from 'node:fs';
import { Failure } from '../failure.ts';

/** A little less than the longest string. */
const FILE_BYTES_MAX = 500 * 1024 * 1024;
const STANDARD_INPUT = 0;
const CHUNK_BYTES = 64 * 1024;
const INPUT_WAIT_MS = 5;

/** The text of a file, or of standard input for `-`. */
export function readText(file: string): string {
  return decode(file, file === '-' ? readInput() : readBytes(file));
}

/** The text of a file that may be absent. */
export function readTextIfThere(file: string): string | undefined {
  return existsSync(file) ? readText(file) : undefined;
}

function readInput(): Uint8Array {
  const chunks: Uint8Array[] = [];
  const chunk = new Uint8Array(CHUNK_BYTES);
  let bytes = 0;
  for (let read = readChunk(chunk); read !== 0; read = readChunk(chunk)) {
    if (read === 'not yet') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, INPUT_WAIT_MS);
    else chunks.push(chunk.slice(0, read));
    bytes += read === 'not yet' ? 0 : read;
    if (bytes > FILE_BYTES_MAX)
      throw new Failure(`Standard input has more than the ${FILE_BYTES_MAX} bytes that are read.`);
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
    throw new Failure('Standard input could not be read. Give the path of a file instead of -.', { cause });
  }
}

const codeOf = (cause: unknown): unknown => (cause instanceof Error && 'code' in cause ? cause.code : undefined);

function readBytes(file: string): Uint8Array {
  try {
    const { size } = statSync(file);
    if (size > FILE_BYTES_MAX)
      throw new Failure(`${file} has ${size} bytes, more than the ${FILE_BYTES_MAX} that are read. Split it.`);
    return readFileSync(file);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure(whyUnreadable(file, cause), { cause });
  }
}

function whyUnreadable(file: string, cause: unknown): string {
  const code = codeOf(cause);
  if (file === '') return 'The path is empty. Give the path of a file, or - to read standard input.';
  if (code === 'ENOENT') return `There is no file ${file}. Check the path, or give - to read standard input.`;
  if (code === 'EISDIR') return `${file} is a folder. Give the path of a file in it.`;
  if (code === 'EACCES' || code === 'EPERM')
    return `${file} may not be read by this user. Change its permissions or copy it.`;
  return `${file} could not be read: ${cause instanceof Error ? cause.message : String(cause)}.`;
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Failure(`${file} is not text in UTF-8. Save it as UTF-8 and try again.`, { cause });
  }
}
