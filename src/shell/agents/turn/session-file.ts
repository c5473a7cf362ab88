// The file in which an agent's program keeps its conversation, read while it grows: some programs print their spend only at
// the end of a turn, and write it there after each answer of their model.
//
// session-file/S1. Programs of a sandbox can write there. A link, a pipe or a device in its place is not read, a read has a
//     limit, and whatever is wrong means that nothing is known.
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsIn } from './fields.ts';
import { type Fields } from '../../../core/plan/json-fields.ts';

const READ_MAX_BYTES = 4 * 1024 * 1024;
/** A longer line holds files that a tool has read, and no spend. */
const LINE_MAX_BYTES = 16 * 1024 * 1024;
/** A program that has not written its file by then writes none, as some settings have it. */
const SEARCHES_MAX = 120;

/** Returns the objects that were added since it was called before. `find` returns the file, as soon as it is there. */
export function followSession(find: () => string | undefined): () => readonly Fields[] {
  let path: string | undefined;
  let searches = 0;
  let offset = 0;
  let rest = Buffer.alloc(0);
  return () => {
    if (path === undefined && searches < SEARCHES_MAX) {
      searches += 1;
      path = find();
    }
    const added = path === undefined ? undefined : readFrom(path, offset);
    if (added === undefined) return [];
    offset += added.length;
    const all = Buffer.concat([rest, added]);
    const end = all.lastIndexOf('\n') + 1;
    rest = all.length - end > LINE_MAX_BYTES ? Buffer.alloc(0) : all.subarray(end);
    return all
      .toString('utf8', 0, end)
      .split('\n')
      .map((line) => fieldsIn(line))
      .filter((fields) => fields !== undefined);
  };
}

function readFrom(path: string, offset: number): Buffer | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = fstatSync(file);
      if (!fstatSync(file).isFile() || size <= offset) return undefined;
      const buffer = Buffer.alloc(Math.min(size - offset, READ_MAX_BYTES));
      return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, offset));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

const ENTRIES_MAX = 200;

/** The newest file, by the names of its folders, whose name ends so; `depth` folders lie between. */
export function newestFile(folder: string, ending: string, depth: number): string | undefined {
  const names = namesIn(folder);
  if (depth === 0) {
    const name = names.find((each) => each.endsWith(ending));
    return name === undefined ? undefined : join(folder, name);
  }
  for (const name of names.slice(0, ENTRIES_MAX)) {
    const found = newestFile(join(folder, name), ending, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort().reverse();
  } catch {
    // It is not there yet, or is a file.
    return [];
  }
}
