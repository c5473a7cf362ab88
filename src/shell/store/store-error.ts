// Errors of SQLite and of the file system as messages for people.
import { dirname } from 'node:path';

export type StoreErrorType = 'damaged' | 'busy' | 'full' | 'read-only' | 'unopened' | 'disk' | 'refused';

/** An error of the environment. Its message is complete: the error, the place, and the remedy. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly type: StoreErrorType;

  constructor(type: StoreErrorType, message: string, cause?: unknown) {
    super(message, { cause });
    this.type = type;
  }
}

/** Translates errors of SQLite and of the file system; a bug of Heddle's is thrown as it is. */
export function storeErrorOf(error: unknown, file: string): StoreError {
  if (error instanceof StoreError) return error;
  if (!(error instanceof Error)) throw error;
  const type = typeOf(error);
  if (type === undefined) throw error;
  return new StoreError(type, sentences(type, file, error.message), error);
}

/**
 * The lowest byte of a SQLite result code is its kind. Heddle's statements are valid and its rows fit, so an unknown
 * table or a duplicate row means that another program has changed the file.
 */
const RESULT_CODES: ReadonlyMap<number, StoreErrorType> = new Map([
  [1, 'damaged'],
  [3, 'read-only'],
  [5, 'busy'],
  [6, 'busy'],
  [8, 'read-only'],
  [10, 'disk'],
  [11, 'damaged'],
  [13, 'full'],
  [14, 'unopened'],
  [19, 'damaged'],
  [26, 'damaged'],
]);

/** The disk had no room for SQLite's shared memory file; SQLite reports it as an I/O error. */
const NO_ROOM_FOR_SHARING = 4874;

const FILE_CODES: ReadonlyMap<unknown, StoreErrorType> = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'read-only'],
  ['EACCES', 'read-only'],
  ['EPERM', 'read-only'],
  ['ENOENT', 'unopened'],
  ['ENOTDIR', 'unopened'],
  ['EEXIST', 'unopened'],
  ['EISDIR', 'unopened'],
  ['EIO', 'disk'],
]);

function typeOf(error: Error): StoreErrorType | undefined {
  if ('errcode' in error && typeof error.errcode === 'number') {
    return error.errcode === NO_ROOM_FOR_SHARING ? 'full' : RESULT_CODES.get(error.errcode & 0xff);
  }
  return 'code' in error ? FILE_CODES.get(error.code) : undefined;
}

function sentences(type: StoreErrorType, file: string, detail: string): string {
  switch (type) {
    case 'damaged':
      return `The store ${file} is damaged or is not a store (${detail}).`;
    case 'busy':
      return `Another process keeps the store ${file} locked. Wait for it or end it, and try again.`;
    case 'full':
      return `The disk is full, so nothing was written to ${file}. Free some space and try again.`;
    case 'read-only':
      return `The store ${file} cannot be written. Make the file and its folder ${dirname(file)} writable for this user, and try again.`;
    case 'unopened':
      return `The store ${file} cannot be opened (${detail}). Check that the folder ${dirname(file)} exists and may be read and written by this user.`;
    case 'disk':
    case 'refused':
      return `The disk failed to read or write ${file} (${detail}), so nothing was written. Check the disk, and try again.`;
  }
}
