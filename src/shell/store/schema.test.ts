import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Connection } from './connection.ts';
import { upgradeSchema, STORE_FORMAT } from './schema.ts';
import { givenFolder, givenLog, opened, storeRefusal } from './store.given.ts';

function connected(file: string, mode: 'write' | 'read' = 'write'): Connection {
  mkdirSync(dirname(file), { recursive: true });
  const connection = new Connection(file, { mode, patienceMs: 300 });
  onTestFinished(() => connection.close());
  return connection;
}

function givenFile(): string {
  return join(givenFolder(), 'store.sqlite');
}

describe('a file that is not a store of this Heddle', () => {
  const changed = (sql: string): string => {
    const home = givenFolder();
    givenLog(home, 2);
    const database = new DatabaseSync(join(home, 'store.sqlite'));
    database.exec(sql);
    database.close();
    return home;
  };

  test.each([0, 99])('is refused when it has another format (%s), and is not touched', (format) => {
    const home = changed(`PRAGMA user_version = ${format}`);
    for (const mode of ['write', 'read'] as const) {
      const file = join(home, 'store.sqlite');
      expect(storeRefusal(home, { mode })).toEqual({ code: 'other-format', file, format, reads: STORE_FORMAT });
    }
  });

  test('is refused by a reader when it is empty', () => {
    expect(() => upgradeSchema(connected(givenFile(), 'write'))).not.toThrow();
    const empty = givenFile();
    connected(empty).exec('PRAGMA user_version = 0');
    expect(() => upgradeSchema(connected(empty, 'read'))).toThrow('empty');
  });

  test.each(['PRAGMA application_id = 1', 'ALTER TABLE commands ADD COLUMN mood TEXT', 'DROP TRIGGER events_stay'])(
    'is refused when another program made or changed it: %s',
    (sql) => {
      expect(storeRefusal(changed(sql))).toMatchObject({ code: 'foreign' });
    },
  );

  test('is refused when it is the database of something else', () => {
    const home = givenFolder();
    mkdirSync(home);
    const database = new DatabaseSync(join(home, 'store.sqlite'));
    database.exec('CREATE TABLE songs (title TEXT)');
    database.close();
    expect(storeRefusal(home)).toEqual({ code: 'foreign', file: join(home, 'store.sqlite') });
  });
});

test('a store that was recovered with rows that nobody could place is one of Heddle', () => {
  const home = givenFolder();
  const run = givenLog(home, 2);
  const database = new DatabaseSync(join(home, 'store.sqlite'));
  database.exec('CREATE TABLE lost_and_found (rootpgno INTEGER, pgno INTEGER, nfield INTEGER, id INTEGER, c0)');
  database.close();
  expect(opened(home).eventsFrom(run, 0).events).toHaveLength(2);
});

test('events and records cannot be changed or deleted by any statement', () => {
  const home = givenFolder();
  givenLog(home, 2);
  const database = new DatabaseSync(join(home, 'store.sqlite'));
  onTestFinished(() => database.close());
  expect(() => database.exec("UPDATE events SET json = '{}'")).toThrow('an event is never changed');
  expect(() => database.exec('DELETE FROM events')).toThrow('an event is never deleted');
  expect(() => database.exec("UPDATE runs SET record = '{}'")).toThrow('the record of a run is never changed');
  expect(() => database.exec('DELETE FROM runs')).toThrow('a run is never deleted');
});

test('a connection that writes is set to be durable', () => {
  const connection = connected(givenFile());
  const setting = (name: string) => Object.values(connection.row(`PRAGMA ${name}`) ?? {})[0];
  expect(['journal_mode', 'synchronous', 'fullfsync', 'checkpoint_fullfsync'].map(setting)).toEqual(['wal', 2, 1, 1]);
});
