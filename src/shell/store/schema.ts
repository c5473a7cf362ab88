// The tables of the store, and the only format that this Heddle reads and writes.
//
// store/S1. Events and records of runs are only ever added; the database itself refuses to change or delete one.
// store/S2. A store of another format is never read, let alone changed.
import { DatabaseSync } from 'node:sqlite';
import { numberIn, textOfColumn, type Connection } from './connection.ts';
import { StoreError } from './store-error.ts';

/** Rows of events are stored in order of arrival, so that most of a truncated file can be read. */
const TABLES = `
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
    mark TEXT NOT NULL
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

/** Version of the tables and of the events in them; raised by every incompatible change. */
export const STORE_FORMAT = 2;

/** Identifies the file as a Heddle store: "Hedl" in ASCII. */
const APPLICATION = 0x4865646c;

/** Creates the tables in an empty file; throws when the file has another format. */
export function upgradeSchema(connection: Connection): void {
  if (isEmpty(connection)) {
    if (connection.settings.mode === 'read') throw new StoreError({ code: 'empty', file: connection.file });
    // Another process may have created the tables while this one waited for the lock.
    connection.transaction(() => isEmpty(connection) && makeTables(connection));
  }
  recognise(connection);
}

const count = (connection: Connection): number =>
  numberIn(connection.row('SELECT count(*) AS count FROM sqlite_schema'), 'count');

const isEmpty = (connection: Connection): boolean =>
  pragma(connection, 'application_id') === 0 && count(connection) === 0;

const pragma = (connection: Connection, name: 'application_id' | 'user_version'): number =>
  numberIn(connection.row(`PRAGMA ${name}`), name);

function makeTables(connection: Connection): void {
  connection.exec(TABLES);
  connection.exec(`PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${STORE_FORMAT}`);
}

function recognise(connection: Connection): void {
  if (pragma(connection, 'application_id') !== APPLICATION)
    throw new StoreError({ code: 'foreign', file: connection.file });
  const format = pragma(connection, 'user_version');
  if (format !== STORE_FORMAT)
    throw new StoreError({ code: 'other-format', file: connection.file, format, reads: STORE_FORMAT });
  compareTables(connection);
}

/** `.recover` of sqlite3 puts rows that it cannot assign into a table of its own, which is harmless. */
const tablesOf =
  "SELECT coalesce(group_concat(sql), '') AS tables FROM (SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'lost_and_found%' ORDER BY name)";

/** A file with the right version can have other tables, after a manual change of the store or a change of Heddle. */
function compareTables(connection: Connection): void {
  const model = new DatabaseSync(':memory:');
  model.exec(TABLES);
  const expected = model.prepare(tablesOf).get()?.['tables'];
  model.close();
  if (textOfColumn(connection.row(tablesOf), 'tables') !== expected)
    throw new StoreError({ code: 'foreign', file: connection.file });
}
