// Copies the small tables out of a damaged store, row by row, as far as they can be read.
import { numberIn, textIn, type Connection, type Row } from '../database/connection.ts';
import { orUndefined, type Copying } from './copy-run.ts';

/** From the first row on, and, behind a damaged page, from the last one back. */
function readableRows(from: Connection, table: 'runs' | 'commands' | 'owners'): readonly Row[] {
  const rows: Row[] = [];
  const step = (sql: string, key: number): number | undefined => {
    const row = orUndefined(from, () => from.row(sql, key));
    if (row === undefined) return undefined;
    rows.push(row);
    return numberIn(row, 'key');
  };
  const next = `SELECT rowid AS key, * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT 1`;
  const previous = `SELECT rowid AS key, * FROM ${table} WHERE rowid < ? ORDER BY rowid DESC LIMIT 1`;
  let reached = 0;
  for (let key: number | undefined = 0; key !== undefined; key = step(next, key)) reached = key;
  for (let key = step(previous, Number.MAX_SAFE_INTEGER); key !== undefined && key > reached;)
    key = step(previous, key);
  const byKey = new Map(rows.map((row) => [numberIn(row, 'key'), row]));
  return [...byKey.values()].sort((one, other) => numberIn(one, 'key') - numberIn(other, 'key'));
}

export const readableRuns = (from: Connection): readonly Row[] => readableRows(from, 'runs');

export function copyCommands({ from, into }: Copying): void {
  for (const row of readableRows(from, 'commands')) {
    const { answer } = row;
    into.change(
      'INSERT INTO commands (id, run, json, at, answer) VALUES (?, ?, ?, ?, ?)',
      numberIn(row, 'id'),
      textIn(row, 'run'),
      textIn(row, 'json'),
      numberIn(row, 'at'),
      typeof answer === 'string' ? answer : null,
    );
  }
}

export function copyOwners({ from, into }: Copying): void {
  for (const row of readableRows(from, 'owners')) {
    into.change(
      'INSERT INTO owners (run, epoch, pid, started_at, host, since, is_gone) VALUES (?, ?, ?, ?, ?, ?, ?)',
      textIn(row, 'run'),
      numberIn(row, 'epoch'),
      numberIn(row, 'pid'),
      textIn(row, 'started_at'),
      textIn(row, 'host'),
      numberIn(row, 'since'),
      numberIn(row, 'is_gone'),
    );
  }
}
