// The file in which a note stands. Where many files were deleted a moment ago, to make one can take longer than a short
// command; to give a file one more name never does. So the notes of commands that this worker takes one after the other
// stand in one file, each under a name of its own.
//
// E1. A name is taken exclusively, whosever file it is given to, and the line that it stands for is there before it.
// E2. A file is shared up to a size, so that who looks for one claim has little to read past.
// E3. What could not be written whole ends the sharing: the next note has a file of its own.
import { closeSync, fstatSync, linkSync, openSync, statSync, writeSync } from 'node:fs';
import { inFolder } from '../attempt-folder.ts';

const SHARED_MAX_BYTES = 32 * 1024;

interface NoteFile {
  readonly name: string;
  readonly file: number;
  /** What the system knows it by, whatever its names. */
  readonly identity: bigint;
  readonly isShared: boolean;
  size: number;
}

let current: NoteFile | undefined;

/** Begins a note. Throws what the system says, EEXIST when somebody has it. */
export function beginNote(name: string, line: string, isShared: boolean): void {
  if (isShared && shareCurrent(name, line)) return;
  forget();
  const file = inFolder(name, (path) => openSync(path, 'ax'));
  current = { name, file, identity: fstatSync(file, { bigint: true }).ino, isShared, size: 0 };
  add(current, line);
}

/** Whether the note stands in the file that we have. */
function shareCurrent(name: string, line: string): boolean {
  if (current === undefined || !current.isShared || current.size > SHARED_MAX_BYTES) return false;
  try {
    add(current, line);
    linkSync(current.name, name);
    return true;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') throw cause;
    // No room, no such names on this disk, or the file is gone: one of its own may fare better.
    return false;
  }
}

/** Adds to the note that was begun last. Throws when it does not stand under its name afterwards. */
export function addToNote(name: string, line: string): void {
  if (current === undefined) throw new Error('it could not be begun');
  add(current, line);
  if (statSync(name, { bigint: true }).ino !== current.identity) throw new Error('something else is in its place');
}

function add(into: NoteFile, line: string): void {
  const bytes = Buffer.from(line);
  const written = writeSync(into.file, bytes);
  into.size += written;
  if (written === bytes.length) return;
  forget();
  throw new Error('there was no room for all of it');
}

function forget(): void {
  if (current !== undefined) closeSync(current.file);
  current = undefined;
}
