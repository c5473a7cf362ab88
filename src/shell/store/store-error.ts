// Errors of SQLite and of the file system as failures of the store.
import type { Damage, StoreFailure } from '../../core/protocol/store-failure.ts';

/** An error of the environment; its message is the code of its failure. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly failure: StoreFailure;

  constructor(failure: StoreFailure, cause?: unknown) {
    super(failure.code, { cause });
    this.failure = failure;
  }
}

export const damaged = (damage: Damage, cause?: unknown): StoreError =>
  new StoreError({ code: 'damaged', damage, salvage: undefined }, cause);

/** Translates errors of SQLite and of the file system; a bug of Heddle's is thrown as it is. */
export function storeErrorOf(error: unknown, file: string): StoreError {
  if (error instanceof StoreError) return error;
  if (!(error instanceof Error)) throw error;
  const code = codeOf(error);
  const cause = error.message;
  switch (code) {
    case undefined:
      throw error;
    case 'damaged':
      return damaged({ type: 'file', file, cause }, error);
    case 'unopened':
    case 'disk':
      return new StoreError({ code, file, cause }, error);
    case 'busy':
    case 'full':
    case 'read-only':
      return new StoreError({ code, file }, error);
  }
}

type ErrorCode = 'damaged' | 'busy' | 'full' | 'read-only' | 'unopened' | 'disk';

/**
 * The lowest byte of a SQLite result code is its kind. Heddle's statements are valid and its rows fit, so an unknown
 * table or a duplicate row means that another program has changed the file.
 */
const RESULT_CODES: ReadonlyMap<number, ErrorCode> = new Map([
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

const FILE_CODES: ReadonlyMap<unknown, ErrorCode> = new Map([
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

function codeOf(error: Error): ErrorCode | undefined {
  if ('errcode' in error && typeof error.errcode === 'number') {
    return error.errcode === NO_ROOM_FOR_SHARING ? 'full' : RESULT_CODES.get(error.errcode & 0xff);
  }
  return 'code' in error ? FILE_CODES.get(error.code) : undefined;
}
