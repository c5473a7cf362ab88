// Errors of the operating system that any part may meet, whatever it reads or writes: neither a bug nor a matter of the part.
import type { MachineTrouble, Refusal } from '../core/view/text/refusal.ts';

/** Undefined for any other error. */
export function machineTroubleOf(error: unknown): Extract<Refusal, { readonly code: 'machine' }> | undefined {
  if (!(error instanceof Error)) return undefined;
  // Of a watch this means that there are too many, and not that a disk is full.
  if ('syscall' in error && error.syscall === 'watch') return undefined;
  const byName = 'code' in error ? BY_NAME.get(error.code) : undefined;
  const trouble = byName ?? ('errcode' in error ? BY_RESULT.get(Number(error.errcode) & PRIMARY) : undefined);
  const path = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  return trouble === undefined ? undefined : { code: 'machine', trouble, path };
}

const BY_NAME: ReadonlyMap<unknown, MachineTrouble> = new Map<unknown, MachineTrouble>([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'read-only'],
  ['EMFILE', 'files'],
  ['ENFILE', 'files'],
  ['EIO', 'disk'],
  ['EACCES', 'permission'],
]);

/** Of the primary result codes of SQLite. */
const BY_RESULT: ReadonlyMap<number, MachineTrouble> = new Map<number, MachineTrouble>([
  [8, 'read-only'],
  [10, 'disk'],
  [13, 'full'],
]);
const PRIMARY = 0xff;
