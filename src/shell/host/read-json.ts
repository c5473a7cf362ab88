// Parses the JSON files of an attempt, which may be incomplete.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { isObject } from '../../core/plan/json-fields.ts';

export type ReadJson = { readonly type: 'value'; readonly value: unknown } | Unread;

type Unread = { readonly type: 'none' } | { readonly type: 'damaged'; readonly message: string };

export function readJson(path: string): ReadJson {
  try {
    return { type: 'value', value: JSON.parse(readWhole(path)) };
  } catch (error) {
    return unread(path, error);
  }
}

const unread = (path: string, error: unknown): Unread =>
  codeOf(error) === 'ENOENT'
    ? { type: 'none' }
    : { type: 'damaged', message: `${path} cannot be read: ${messageOf(error)}` };

/** Far more than a worker writes, and little enough not to block the coordinator. */
const BYTES_MAX = 64 * 1024 * 1024;

/** Steps have access to these folders, so a file may have been replaced by a pipe, which would block for ever. */
function readWhole(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new Error('it is not a file');
    if (status.size > BYTES_MAX) throw new Error(`it has ${status.size} bytes`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

export const codeOf = (error: unknown): string | undefined =>
  isObject(error) && typeof error['code'] === 'string' ? error['code'] : undefined;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
