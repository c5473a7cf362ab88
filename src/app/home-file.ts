// Small files in the store's folder that are replaced whole, and that only their owner may read.
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

const OWNERS = 0o600;

/** A reader sees the file before or after, never a part of it. */
export function writeHomeFile(file: string, value: unknown): void {
  const aside = `${file}.${process.pid}`;
  try {
    writeFileSync(aside, `${JSON.stringify(value, undefined, 2)}\n`, { mode: OWNERS });
    renameSync(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
}

export type HomeFile = { readonly type: 'read'; readonly value: unknown } | { readonly type: 'absent' | 'damaged' };

export function readHomeFile(file: string): HomeFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const isAbsent = cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR');
    return { type: isAbsent ? 'absent' : 'damaged' };
  }
  try {
    return { type: 'read', value: JSON.parse(text) };
  } catch {
    return { type: 'damaged' };
  }
}

/** Differs when the file was replaced; undefined when it is not there. */
export function identityOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
}
