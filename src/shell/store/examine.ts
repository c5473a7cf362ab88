// Examines a store before it is used: whether this version of SQLite is safe, whether the file exists, whether its
// pages are sound, and whether every run with a high-water mark is in it.
import { statSync } from 'node:fs';
import { Connection, textIn, type Mode } from './connection.ts';
import { readHighWaterMark, markedRuns, markText } from './high-water-mark.ts';
import { StoreError, storeErrorOf } from './store-error.ts';

/** Earlier versions could lose committed data with two connections (SQLite's WAL-reset bug). */
const SAFE_SQLITE = [3, 51, 3] as const;

export function refuseUnsafe(version: string | undefined): void {
  const parts = (version ?? '0').split('.').map(Number);
  const differs = SAFE_SQLITE.findIndex((part, index) => (parts[index] ?? 0) !== part);
  if (differs === -1 || (parts[differs] ?? 0) > (SAFE_SQLITE[differs] ?? 0)) return;
  throw new StoreError(
    'refused',
    `This Node brings SQLite ${version}, which can lose what was written; Heddle needs ${SAFE_SQLITE.join('.')} or later. Update Node.`,
  );
}

/**
 * Called before SQLite opens the file: SQLite creates a missing file and discards the write-ahead log beside an empty
 * one.
 */
export function expectFile(home: string, file: string, mode: Mode): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  refuseEmpty(home, file);
  if (mode === 'read') {
    throw new StoreError('refused', `There is no store ${file}. Run a plan in this folder first.`);
  }
}

function refuseEmpty(home: string, file: string): void {
  const runs = markedRuns(home);
  if (runs.length === 0) return;
  throw new StoreError(
    'refused',
    `The store ${file} is gone or empty, but ${listed(runs)} left traces in ${home}/runs. Put the file back, with the -wal file that was beside it; or remove ${home}/runs to begin anew without those runs.`,
  );
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
    if (known.type === 'damaged') throw known;
    return undefined;
  }
}

/** Throws unless every run that has a high-water mark is in the store. */
export function expectRuns(home: string, connection: Connection): void {
  const lost = markedRuns(home).filter((run) => !isKnown(home, connection, run));
  if (lost.length === 0) return;
  throw new StoreError(
    'damaged',
    `The store ${connection.file} was shortened or replaced: ${listed(lost)} left traces in ${home}/runs and ${lost.length === 1 ? 'is' : 'are'} not in it. Put the right file back if there is one.`,
  );
}

function checkPages(connection: Connection): void {
  const found = textIn(connection.row('PRAGMA quick_check(1)'), 'quick_check');
  if (found === 'ok') return;
  throw new StoreError('damaged', `The store ${connection.file} is damaged (${found.replaceAll(/\s+/g, ' ')}).`);
}

function isKnown(home: string, connection: Connection, run: string): boolean {
  if (connection.row('SELECT 1 AS known FROM runs WHERE run = ?', run) !== undefined) return true;
  const mark = readHighWaterMark(home, run);
  const text = mark === undefined ? '' : markText(mark);
  return connection.row('SELECT 1 AS known FROM salvages WHERE run = ? AND mark = ?', run, text) !== undefined;
}

const NAMED_MAX = 5;
function listed(runs: readonly string[]): string {
  const rest = runs.length - NAMED_MAX;
  const names = runs.slice(0, NAMED_MAX).join(', ');
  return `${runs.length === 1 ? 'the run' : 'the runs'} ${names}${rest > 0 ? ` and ${rest} more` : ''}`;
}
