import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { thisProcess } from '../exec/process.ts';
import { Connection } from './connection.ts';
import { storeFilesAt } from './store-files.ts';
import { storeOver } from './open-store.ts';
import { writeHeartbeat } from './high-water-mark.ts';
import {
  appendOpenings,
  clockAt,
  createdRun,
  givenFolder,
  givenRecord,
  opened,
  openings,
  owned,
  storeRefusal,
  started,
} from './store.given.ts';
import { systemClock } from '../loop/steady-clock.ts';
import type { StoreWarning } from '../../core/protocol/store-failure.ts';
import { upgradeSchema } from './schema.ts';
import { StoreError, storeErrorOf } from './store-error.ts';

describe('a store that another process keeps locked', () => {
  const locked = (home: string): DatabaseSync => {
    const database = new DatabaseSync(join(home, 'store.sqlite'));
    onTestFinished(() => database.close());
    database.exec('BEGIN IMMEDIATE');
    return database;
  };

  test('is waited for, then reported as busy, and written when it is free', () => {
    const home = givenFolder();
    const store = opened(home, { patienceMs: 50 });
    const run = createdRun(store);
    const { log } = owned(store, run);
    const lock = locked(home);
    const busy = { type: 'failed', failure: { code: 'busy', file: join(home, 'store.sqlite') } };
    expect(log.append(openings(1), [])).toEqual(busy);
    expect(store.post(run, { type: 'pause', tasks: [] })).toEqual(busy);
    expect(store.own(run, { takesOver: true })).toEqual(busy);
    lock.exec('COMMIT');
    appendOpenings(log, 1);
    expect(log.read()).toEqual([started, ...openings(1)]);
  });

  test('can still be opened and read', () => {
    const home = givenFolder();
    const run = createdRun(opened(home));
    locked(home);
    expect(opened(home, { mode: 'read', patienceMs: 50 }).eventsFrom(run, 0).events).toEqual([started]);
    expect(opened(home, { patienceMs: 50 }).find(run)?.run).toBe(run);
  });
});

test('a store without room says so, keeps what it has, and goes on when there is room', () => {
  const home = givenFolder();
  mkdirSync(home);
  const file = join(home, 'store.sqlite');
  const connection = new Connection(file, { mode: 'write', patienceMs: 300 });
  onTestFinished(() => connection.close());
  upgradeSchema(connection);
  const here = { home, file, connection, clock: systemClock, process: thisProcess(), host: 'here' };
  const store = storeOver({ ...here, warn: () => undefined, place: storeFilesAt(file), posts: 0 });
  const run = createdRun(store);
  const { log } = owned(store, run);
  connection.exec('PRAGMA max_page_count = 40');
  let count = 0;
  while (count < 10_000 && log.append(openings(10, count), []).type === 'appended') count += 10;
  expect(count).toBeLessThan(10_000);
  expect(log.append(openings(10, count), [])).toEqual({ type: 'failed', failure: { code: 'full', file } });
  expect(store.create({ ...givenRecord(), source: 'x'.repeat(200_000) }, started)).toMatchObject({ type: 'failed' });
  connection.exec('PRAGMA max_page_count = 100000');
  appendOpenings(log, 10, count);
  expect(log.read()).toEqual([started, ...openings(count + 10)]);
});

test('a folder that cannot be made is a store that cannot be opened', () => {
  const home = givenFolder();
  writeFileSync(home, 'a file where the folder should be');
  expect(storeRefusal(home)).toMatchObject({ code: 'unopened', file: join(home, 'store.sqlite') });
  expect(storeRefusal(join(home, 'deeper'))).toMatchObject({ code: 'unopened' });
});

test('reading where there is no store is refused, and makes nothing', () => {
  const home = givenFolder();
  expect(storeRefusal(home, { mode: 'read' })).toEqual({ code: 'absent', file: join(home, 'store.sqlite') });
  expect(storeFilesAt(home).store).toBeUndefined();
});

test('an error while reading is thrown with its failure, and a bug of ours stays one', () => {
  const home = givenFolder();
  const store = opened(home);
  const run = createdRun(store);
  const database = new DatabaseSync(join(home, 'store.sqlite'));
  database.exec("DROP TRIGGER runs_stand; UPDATE runs SET record = '[]'");
  database.close();
  expect(() => store.find(run)).toThrow(StoreError);
  const failure = {
    code: 'damaged',
    damage: { type: 'content', where: 'record' },
    salvage: expect.objectContaining({ type: 'salvaged' }),
  };
  expect(() => store.runs()).toThrow(expect.objectContaining({ failure: expect.objectContaining(failure) }));
  expect(() => storeErrorOf(new TypeError('x is not a function'), 'f')).toThrow(TypeError);
});

describe('an owner on another machine', () => {
  const givenFarOwner = (): { readonly home: string; readonly run: string } => {
    const home = givenFolder();
    const far = opened(home, { host: 'far', clock: clockAt(1_000_000) });
    const run = createdRun(far);
    owned(far, run);
    return { home, run };
  };

  test('counts as present while its heartbeat is young, and as gone when it is old', () => {
    const { home, run } = givenFarOwner();
    const own = (now: number) => opened(home, { clock: clockAt(now) }).own(run, { takesOver: false });
    expect(own(1_029_000)).toMatchObject({ type: 'refused', by: { host: 'far' }, silentMs: 29_000 });
    writeHeartbeat(home, run, 1_020_000);
    expect(own(1_049_000)).toMatchObject({ type: 'refused', silentMs: 29_000 });
    expect(own(1_051_000)).toMatchObject({ type: 'owned', owner: { epoch: 2, host: hostname() } });
  });

  test('is not measured by a clock that was set back', () => {
    const { home, run } = givenFarOwner();
    expect(opened(home, { clock: clockAt(5) }).own(run, { takesOver: false })).toMatchObject({
      type: 'refused',
      silentMs: 0,
    });
  });
});

test('a run does not take the folder of an earlier one whose store is gone', () => {
  const home = givenFolder();
  mkdirSync(join(home, 'runs', 'ship-it-1'), { recursive: true });
  expect(createdRun(opened(home))).toBe('ship-it-2');
});

test('a command that only a newer Heddle knows is answered and not handled', () => {
  const home = givenFolder();
  const store = opened(home);
  const run = createdRun(store);
  const { log } = owned(store, run);
  const database = new DatabaseSync(join(home, 'store.sqlite'));
  for (const json of ['{"type":"dance"}', '{"type":"pause","tasks":[1]}', '{"type":"approve"}', '7']) {
    database.prepare('INSERT INTO commands (run, json, at) VALUES (?, ?, 1)').run(run, json);
  }
  database.close();
  store.post(run, { type: 'reject', task: 'a', step: 's' });
  expect(log.commands()).toMatchObject([{ id: 5, command: { type: 'reject', task: 'a', step: 's' } }]);
  const refused = { takesEffect: false, notes: [{ code: 'command.unknown' }] };
  expect([1, 2, 3, 4].map((id) => store.replyTo(id))).toEqual([refused, refused, refused, refused]);
  expect(store.replyTo(5)).toBeUndefined();
});

describe('what is only an aid', () => {
  test('does not hold up the log when it cannot be written, and is warned of', () => {
    const home = givenFolder();
    const warnings: StoreWarning[] = [];
    const store = opened(home, { warn: (warning) => warnings.push(warning) });
    const run = createdRun(store);
    rmSync(join(home, 'runs'), { recursive: true });
    writeFileSync(join(home, 'runs'), 'a file where the folder should be');
    const { log } = owned(store, run);
    appendOpenings(log, 1);
    expect(warnings).toMatchObject([
      { code: 'heartbeat-unwritten', run },
      { code: 'mark-unwritten', run, failure: { code: 'unopened' } },
    ]);
    expect(log.read()).toHaveLength(2);
  });

  test('an inbox that cannot be read is empty until it can be, and is warned of', () => {
    const home = givenFolder();
    const warnings: StoreWarning[] = [];
    const store = opened(home, { warn: (warning) => warnings.push(warning) });
    const { log } = owned(store, createdRun(store));
    const database = new DatabaseSync(join(home, 'store.sqlite'));
    database.exec('ALTER TABLE commands RENAME TO letters');
    expect(log.commands()).toEqual([]);
    expect(warnings).toMatchObject([{ failure: { damage: { type: 'file', cause: 'no such table: commands' } } }]);
    database.exec('ALTER TABLE letters RENAME TO commands');
    database.close();
    expect(log.commands()).toEqual([]);
    expect(warnings).toHaveLength(1);
  });
});
