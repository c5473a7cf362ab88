import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Connection } from './connection.ts';
import { bringUp, copyOf } from './schema.ts';
import { givenFolder, givenLog, refusal } from '../store.given.ts';

const STEPS = [
  'CREATE TABLE cats (name TEXT) STRICT',
  'ALTER TABLE cats ADD COLUMN lives INTEGER',
  'UPDATE cats SET lives = 9; CREATE TABLE dogs (name TEXT) STRICT',
];

function connected(file: string, mode: 'write' | 'read' = 'write'): Connection {
  mkdirSync(dirname(file), { recursive: true });
  const connection = new Connection(file, { mode, patienceMs: 300 });
  onTestFinished(() => connection.close());
  return connection;
}

function givenFile(): string {
  return join(givenFolder(), 'store.sqlite');
}

describe('a store of an older version', () => {
  test('is brought up by the steps that it has not seen, and its rows stay', () => {
    const connection = connected(givenFile());
    bringUp(connection, STEPS.slice(0, 1));
    connection.exec("INSERT INTO cats VALUES ('Tom')");
    bringUp(connection, STEPS);
    expect(connection.rows('SELECT * FROM cats')).toMatchObject([{ name: 'Tom', lives: 9 }]);
    bringUp(connection, STEPS);
  });

  test('is copied before it is changed, and a fresh one is not', () => {
    const file = givenFile();
    const connection = connected(file);
    bringUp(connection, STEPS.slice(0, 1));
    connection.exec("INSERT INTO cats VALUES ('Tom')");
    bringUp(connection, STEPS);
    const copy = connected(copyOf(file, 1));
    bringUp(copy, STEPS.slice(0, 1));
    expect(copy.rows('SELECT * FROM cats')).toEqual([expect.objectContaining({ name: 'Tom' })]);
    expect(() => readFileSync(copyOf(file, 0))).toThrow('ENOENT');
  });

  test('stays as it was when a step fails', () => {
    const connection = connected(givenFile());
    bringUp(connection, STEPS.slice(0, 1));
    expect(() => bringUp(connection, [...STEPS, 'SELECT nonsense'])).toThrow('no such column');
    bringUp(connection, STEPS.slice(0, 1));
    bringUp(connection, STEPS);
  });

  test('is not changed by one who only reads', () => {
    const file = givenFile();
    bringUp(connected(file), STEPS.slice(0, 1));
    expect(() => bringUp(connected(file, 'read'), STEPS)).toThrow('is of an older Heddle or is empty');
  });
});

describe('a file that is not a store of this Heddle', () => {
  const changed = (sql: string): string => {
    const home = givenFolder();
    givenLog(home, 2);
    const database = new DatabaseSync(join(home, 'store.sqlite'));
    database.exec(sql);
    database.close();
    return home;
  };

  test('is refused when a newer one wrote it, and is not touched', () => {
    const home = changed('PRAGMA user_version = 99');
    for (const mode of ['write', 'read'] as const) {
      expect(refusal(home, { mode })).toContain('was written by a newer Heddle (store version 99). Update Heddle');
    }
  });

  test.each(['PRAGMA application_id = 1', 'ALTER TABLE commands ADD COLUMN mood TEXT', 'DROP TRIGGER events_stay'])(
    'is refused when another program made or changed it: %s',
    (sql) => {
      expect(refusal(changed(sql))).toContain('its tables are not those of Heddle. Move it away');
    },
  );

  test('is refused when it is the database of something else', () => {
    const home = givenFolder();
    mkdirSync(home);
    const database = new DatabaseSync(join(home, 'store.sqlite'));
    database.exec('CREATE TABLE songs (title TEXT)');
    database.close();
    expect(refusal(home)).toContain('its tables are not those of Heddle');
  });
});

test('events and records are never changed or deleted, whoever asks', () => {
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
