// What is known of the copies in the folder of an attempt that another machine carries out: whose they are, and how far they
// go. Without this file the folder is of an attempt of this machine.
import { statSync, truncateSync, rmSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAmount, isObject, type Fields } from '../../../core/plan/json-fields.ts';
import type { GrowingName } from '../../../core/protocol/artifact-message.ts';
import { NO_COPY, type OutputCopy } from '../../../core/protocol/output-copy.ts';
import { ATTEMPT_FILES, inFolder } from '../attempt-folder.ts';
import { readJson } from '../read-json.ts';

const FILE = 'copy.json';
const WANTED = 'wanted';

/** The machine that carries out the attempt; undefined for this one. */
export function copiedFrom(folder: string): string | undefined {
  const host = fieldsIn(folder)['host'];
  return typeof host === 'string' ? host : undefined;
}

/** A reader wants all of the output, and not only what comes by itself. */
export function wantAll(folder: string): void {
  try {
    if (copiedFrom(folder) !== undefined) writeFileSync(join(folder, WANTED), '');
  } catch {
    // On a full disk the reader sees what there is.
    return;
  }
}

/** Whether there is a reader who wanted all of the output within this time. */
export const isWanted = (
  folder: string,
  { now, withinMs }: { readonly now: number; readonly withinMs: number },
): boolean => (statSync(join(folder, WANTED), { throwIfNoEntry: false })?.mtimeMs ?? -Infinity) > now - withinMs;

/** Whether bytes are missing in the copy. */
export const hasGaps = (folder: string, name: GrowingName): boolean => {
  const copy = copyIn(fieldsIn(folder)[name]);
  return copy !== undefined && copy.head < copy.size;
};

/** As it was written last; what a write after that has left in the file does not count, and goes. */
export function readCopy(folder: string, name: GrowingName): OutputCopy {
  const file = join(folder, ATTEMPT_FILES[name]);
  const copy = copyIn(fieldsIn(folder)[name]);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (copy === undefined || size < copy.size) {
    rmSync(file, { force: true });
    return NO_COPY;
  }
  if (size > copy.size) truncateSync(file, copy.size);
  return copy;
}

export interface CopyNote {
  readonly host: string;
  readonly name: GrowingName;
  readonly copy: OutputCopy;
}

export function writeCopy(folder: string, { host, name, copy }: CopyNote): void {
  const file = join(folder, FILE);
  const partial = `${file}.part`;
  inFolder(partial, (path) => writeFileSync(path, JSON.stringify({ ...fieldsIn(folder), host, [name]: copy })));
  renameSync(partial, file);
}

function fieldsIn(folder: string): Fields {
  const read = readJson(join(folder, FILE));
  return read.type === 'value' && isObject(read.value) ? read.value : {};
}

function copyIn(value: unknown): OutputCopy | undefined {
  if (!isObject(value)) return undefined;
  const { at, head, size } = value;
  return isAmount(at) && isAmount(head) && isAmount(size) && head <= size ? { at, head, size } : undefined;
}
