// Copies one run out of a damaged store, up to the first link that does not hold.
import { checkTie, rootOf, type End } from '../chain.ts';
import { numberIn, textIn, type Connection, type Row } from '../database/connection.ts';
import { StoreTrouble, troubleOf } from '../database/trouble.ts';

export interface Copying {
  readonly from: Connection;
  readonly into: Connection;
}

export interface KeptRun {
  readonly run: string;
  readonly kept: number;
  /** Rows behind the break that are still there, as far as they can be counted. */
  readonly beyond: number;
}

export function copyRun({ from, into }: Copying, record: Row): KeptRun {
  const run = textIn(record, 'run');
  const text = textIn(record, 'record');
  into.change(
    'INSERT INTO runs (run, slug, number, record) VALUES (?, ?, ?, ?)',
    run,
    textIn(record, 'slug'),
    numberIn(record, 'number'),
    text,
  );
  const end = copyLinks({ from, into }, run, { position: 0, checksum: rootOf(run, text) });
  return { run, kept: end.position, beyond: countBeyond(from, run, end.position) };
}

const ROWS =
  'SELECT position, version, type, json, checksum FROM events WHERE run = ? AND position >= ? ORDER BY position LIMIT ?';
const ROWS_AT_ONCE = 512;

function copyLinks({ from, into }: Copying, run: string, root: End): End {
  let end = root;
  for (;;) {
    const rows = readable(from, run, end.position);
    if (rows.length === 0) return end;
    for (const row of rows) {
      const tied = checkTie(row, end);
      if (tied.type !== 'tied') return end;
      copyLink(into, run, row);
      end = tied.end;
    }
  }
}

/** Many rows at once, or, where a page is damaged, the next one alone while that can be read. */
function readable(from: Connection, run: string, position: number): readonly Row[] {
  for (const most of [ROWS_AT_ONCE, 1]) {
    const rows = orUndefined(from, () => from.rows(ROWS, run, position, most));
    if (rows !== undefined) return rows;
  }
  return [];
}

function copyLink(into: Connection, run: string, row: Row): void {
  into.change(
    'INSERT INTO events (run, position, version, type, json, checksum) VALUES (?, ?, ?, ?, ?, ?)',
    run,
    numberIn(row, 'position'),
    numberIn(row, 'version'),
    textIn(row, 'type'),
    textIn(row, 'json'),
    textIn(row, 'checksum'),
  );
}

function countBeyond(from: Connection, run: string, position: number): number {
  const all = orUndefined(from, () =>
    numberIn(from.row('SELECT count(*) AS count FROM events WHERE run = ? AND position >= ?', run, position), 'count'),
  );
  return all ?? countFromTheEnd(from, run, position);
}

/** Behind a damaged page there may be good ones, which can be reached from the other side. */
function countFromTheEnd(from: Connection, run: string, position: number): number {
  let before = Number.MAX_SAFE_INTEGER;
  for (let count = 0; ; count += 1) {
    const row = orUndefined(from, () => from.row(BACKWARDS, run, position, before));
    if (row === undefined) return count;
    before = numberIn(row, 'position');
  }
}

const BACKWARDS =
  'SELECT position FROM events WHERE run = ? AND position >= ? AND position < ? ORDER BY position DESC LIMIT 1';

/** What a damaged page makes unreadable is not there. */
export function orUndefined<Value>(from: Connection, read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    const trouble = troubleOf(error, from.file);
    if (trouble.type === 'damaged' || trouble.type === 'disk') return undefined;
    throw new StoreTrouble(trouble.type, trouble.message, error);
  }
}
