// Examines a store before it is used: whether this version of SQLite is safe, whether the file exists, whether its
// pages are sound, and whether every run with a high-water mark is in it.
import { statSync } from 'node:fs';
import { Connection, textOfColumn, type ConnectionMode } from './connection.ts';
import { readHighWaterMark, markedRuns, markText } from './high-water-mark.ts';
import { damaged, StoreError, storeErrorOf } from './store-error.ts';

/** Earlier versions could lose committed data with two connections (SQLite's WAL-reset bug). */
const SAFE_SQLITE = [3, 51, 3] as const;

export function refuseUnsafe(version: string | undefined): void {
  const parts = (version ?? '0').split('.').map(Number);
  const differs = SAFE_SQLITE.findIndex((part, index) => (parts[index] ?? 0) !== part);
  if (differs === -1 || (parts[differs] ?? 0) > (SAFE_SQLITE[differs] ?? 0)) return;
  throw new StoreError({ code: 'unsafe-sqlite', version, least: SAFE_SQLITE.join('.') });
}

/**
 * Called before SQLite opens the file: SQLite creates a missing file and discards the write-ahead log beside an empty
 * one.
 */
export function expectFile(home: string, file: string, mode: ConnectionMode): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  refuseEmpty(home, file);
  if (mode === 'read') throw new StoreError({ code: 'absent', file });
}

function refuseEmpty(home: string, file: string): void {
  const runs = markedRuns(home);
  if (runs.length > 0) throw new StoreError({ code: 'emptied', file, home, runs });
}

/** Small enough that reading every page takes less than a tenth of a second. */
const CHECKED_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Reads the pages through a read-only connection, so that a damaged file stays as it is: a writing connection would
 * create tables in it, or move pages when it closes.
 */
export function examineFile(home: string, file: string, patienceMs: number): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const connection = size === 0 ? undefined : orUnopened(file, patienceMs);
  if (connection === undefined) return;
  try {
    if (size <= CHECKED_BYTES_MAX) checkPages(connection);
    if (connection.row('SELECT 1 AS found FROM sqlite_schema') === undefined) refuseEmpty(home, file);
  } finally {
    connection.close();
  }
}

/** Undefined when the file has to be recovered first, which only a writing connection can do. */
function orUnopened(file: string, patienceMs: number): Connection | undefined {
  try {
    return new Connection(file, { mode: 'read', patienceMs });
  } catch (error) {
    const known = storeErrorOf(error, file);
    if (known.failure.code === 'damaged') throw known;
    return undefined;
  }
}

/** Throws unless every run that has a high-water mark is in the store. */
export function expectRuns(home: string, connection: Connection): void {
  const runs = markedRuns(home).filter((run) => !isKnown(home, connection, run));
  if (runs.length > 0) throw damaged({ type: 'runs-missing', file: connection.file, home, runs });
}

function checkPages(connection: Connection): void {
  const found = textOfColumn(connection.row('PRAGMA quick_check(1)'), 'quick_check');
  if (found !== 'ok') throw damaged({ type: 'file', file: connection.file, cause: found.replaceAll(/\s+/g, ' ') });
}

function isKnown(home: string, connection: Connection, run: string): boolean {
  if (connection.row('SELECT 1 AS known FROM runs WHERE run = ?', run) !== undefined) return true;
  const mark = readHighWaterMark(home, run);
  const text = mark === undefined ? '' : markText(mark);
  return connection.row('SELECT 1 AS known FROM salvages WHERE run = ? AND mark = ?', run, text) !== undefined;
}
