// The tables of the store, and how a store of an older Heddle gets them.
//
// S1. Events and records of runs are only ever added; the database itself refuses to change or delete one.
// S2. A step that has been published is never edited: a store is brought up by the steps it has not seen.
// S3. Before an older store is changed, a copy of it is made beside it.
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { numberIn, textIn, type Connection } from './connection.ts';
import { StoreTrouble } from './trouble.ts';

/** Rows of events lie on the disk in the order they came, so that much is left of a file that was cut short. */
const FIRST = `
  CREATE TABLE runs (
    run TEXT PRIMARY KEY,
    slug TEXT NOT NULL,
    number INTEGER NOT NULL,
    record TEXT NOT NULL,
    UNIQUE (slug, number)
  ) STRICT;
  CREATE TABLE events (
    run TEXT NOT NULL,
    position INTEGER NOT NULL,
    type TEXT NOT NULL,
    json TEXT NOT NULL,
    checksum TEXT NOT NULL,
    PRIMARY KEY (run, position)
  ) STRICT;
  CREATE TABLE commands (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL,
    json TEXT NOT NULL,
    at INTEGER NOT NULL,
    answer TEXT
  ) STRICT;
  CREATE INDEX open_commands ON commands (run, id) WHERE answer IS NULL;
  CREATE TABLE owners (
    run TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL,
    pid INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    host TEXT NOT NULL,
    since INTEGER NOT NULL,
    is_gone INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE salvages (
    run TEXT NOT NULL,
    at INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    witness TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER events_stay BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END;
  CREATE TRIGGER events_stand BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;
  CREATE TRIGGER runs_stay BEFORE DELETE ON runs
    BEGIN SELECT RAISE(ABORT, 'a run is never deleted'); END;
  CREATE TRIGGER runs_stand BEFORE UPDATE ON runs
    BEGIN SELECT RAISE(ABORT, 'the record of a run is never changed'); END;
`;

/** Step n brings a store from version n to n + 1. */
const STEPS: readonly string[] = [FIRST];

/** Marks the file as ours: "Hedl" in letters. */
const APPLICATION = 0x4865646c;

/** Makes sure that the file has the tables of this Heddle, or says in words why it cannot. */
export function bringUp(connection: Connection, steps: readonly string[] = STEPS): void {
  const version = recognise(connection, steps);
  if (version < steps.length) {
    if (connection.settings.mode === 'read') refuse(older(connection.file));
    if (version > 0) keepCopy(connection, version);
    connection.transaction(() => takeSteps(connection, steps));
  }
  compareTables(connection, steps);
}

function takeSteps(connection: Connection, steps: readonly string[]): void {
  // Another process may have done it while this one waited for the lock.
  for (const step of steps.slice(versionOf(connection))) connection.exec(step);
  connection.exec(`PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${steps.length}`);
}

const versionOf = (connection: Connection): number => numberIn(connection.row('PRAGMA user_version'), 'user_version');

function recognise(connection: Connection, steps: readonly string[]): number {
  const version = versionOf(connection);
  const application = numberIn(connection.row('PRAGMA application_id'), 'application_id');
  const tables = numberIn(connection.row('SELECT count(*) AS count FROM sqlite_schema'), 'count');
  if (application !== APPLICATION && (application !== 0 || version !== 0 || tables > 0))
    refuse(foreign(connection.file));
  if (version > steps.length) refuse(newer(connection.file, version));
  return version;
}

function keepCopy(connection: Connection, version: number): void {
  const copy = copyOf(connection.file, version);
  if (!existsSync(copy)) connection.change('VACUUM INTO ?', copy);
}

/** Where the copy of a store is kept that was of an older version. */
export const copyOf = (file: string, version: number): string => `${file}.version-${version}`;

const tablesOf = "SELECT coalesce(group_concat(sql), '') AS tables FROM (SELECT sql FROM sqlite_schema ORDER BY name)";

/** A file can have the right number and other tables when somebody changed Heddle's store or Heddle itself. */
function compareTables(connection: Connection, steps: readonly string[]): void {
  const model = new DatabaseSync(':memory:');
  for (const step of steps) model.exec(step);
  const expected = model.prepare(tablesOf).get()?.['tables'];
  model.close();
  if (textIn(connection.row(tablesOf), 'tables') !== expected) refuse(foreign(connection.file));
}

function refuse(message: string): never {
  throw new StoreTrouble('refused', message);
}

const foreign = (file: string): string =>
  `The file ${file} is a database, but its tables are not those of Heddle. Move it away, or put the right store in its place.`;
const newer = (file: string, version: number): string =>
  `The store ${file} was written by a newer Heddle (store version ${version}). Update Heddle; the store was not touched.`;
const older = (file: string): string =>
  `The store ${file} is of an older Heddle or is empty, and can only be brought up by a command that writes. Run or resume a plan in this folder first.`;
