import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Damage, Salvage, SalvagedRun, StoreFailure } from '../../core/protocol/store-failure.ts';
import { writeHighWaterMark, readHighWaterMark } from './high-water-mark.ts';
import {
  PAUSED,
  appendOpenings,
  createdRun,
  givenFolder,
  givenLog,
  opened,
  openings,
  owned,
  storeRefusal,
  started,
} from './store.given.ts';

const fileIn = (home: string): string => join(home, 'store.sqlite');

/** Bypasses the triggers, as another tool could. */
function tamper(home: string, sql: string): void {
  const database = new DatabaseSync(fileIn(home));
  database.exec('PRAGMA recursive_triggers = OFF; DROP TRIGGER events_stand; DROP TRIGGER events_stay');
  database.exec(sql);
  database.exec(`
    CREATE TRIGGER events_stay BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END;
  CREATE TRIGGER events_stand BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;`);
  database.close();
}

/** Overwrites the middle of the file, where the events are. */
function overwrite(file: string): void {
  const descriptor = openSync(file, 'r+');
  const middle = Math.floor(statSync(file).size / 2 / 4096) * 4096;
  writeSync(descriptor, Buffer.alloc(8192, 0xa5), 0, 8192, middle);
  closeSync(descriptor);
}

const whyNotOwned = (home: string, run: string): StoreFailure => {
  const answer = opened(home).own(run, { takesOver: false });
  if (answer.type !== 'failed') throw new Error('The run was owned.');
  return answer.failure;
};

const damageOf = (failure: StoreFailure | undefined): Damage | undefined =>
  failure?.code === 'damaged' ? failure.damage : undefined;

const salvageOf = (failure: StoreFailure | undefined): Salvage | undefined =>
  failure?.code === 'damaged' ? failure.salvage : undefined;

/** The runs of the copy. */
function runsIn(failure: StoreFailure | undefined): readonly SalvagedRun[] {
  const salvage = salvageOf(failure);
  return salvage?.type === 'salvaged' ? salvage.runs : [];
}

const salvagedIn = (home: string): readonly string[] =>
  readdirSync(home).filter((name) => name.startsWith('store-salvaged') && name.endsWith('.sqlite'));

/** As the advice for people says. */
function moveIntoPlace(home: string): void {
  for (const name of readdirSync(home))
    if (name.startsWith('store.sqlite')) renameSync(join(home, name), join(home, `damaged-${name}`));
  renameSync(join(home, 'store-salvaged-1.sqlite'), fileIn(home));
}

/** Nothing of it is lost before a person has tried to recover it. */
function expectMoreIsLeft(failure: StoreFailure): number {
  const salvage = salvageOf(failure);
  expect(salvage?.type === 'nothing' || (salvage?.type === 'salvaged' && !salvage.isAll)).toBe(true);
  return 0;
}

describe('a log that was tampered with', () => {
  test.each([
    ['a changed row', "UPDATE events SET json = replace(json, 't4', 'tX') WHERE position = 5", 'event-changed'],
    ['a missing row', 'DELETE FROM events WHERE position = 5', 'event-missing'],
    [
      'swapped rows',
      'UPDATE events SET position = 99 WHERE position = 5; UPDATE events SET position = 5 WHERE position = 6; UPDATE events SET position = 6 WHERE position = 99',
      'event-changed',
    ],
    ['a row moved to the end', 'UPDATE events SET position = 20 WHERE position = 5', 'event-missing'],
  ])('with %s is salvaged up to the break, and the rest is counted', (_, sql, type) => {
    const home = givenFolder();
    const run = givenLog(home, 20);
    tamper(home, sql);
    const failure = whyNotOwned(home, run);
    expect(damageOf(failure)).toEqual({ type, run, position: 5 });
    const beyond = type === 'event-missing' && !sql.startsWith('UPDATE') ? 14 : 15;
    expect(runsIn(failure)).toEqual([{ run, kept: 5, beyond, marked: 20, hasRecord: true }]);
    moveIntoPlace(home);
    expect(owned(opened(home), run).log.read()).toEqual([started, ...openings(4)]);
  });

  test('with its end cut off is found by the high-water mark', () => {
    const home = givenFolder();
    const run = givenLog(home, 20);
    tamper(home, 'DELETE FROM events WHERE position >= 15');
    expect(damageOf(whyNotOwned(home, run))).toEqual({ type: 'log-shortened', run, events: 20 });
    moveIntoPlace(home);
    const { log } = owned(opened(home), run);
    appendOpenings(log, 1);
    expect(log.read()).toHaveLength(16);
  });

  test('keeps its commands, their answers and its epoch', () => {
    const home = givenFolder();
    const run = givenLog(home, 3);
    const store = opened(home);
    for (const type of ['pause', 'resume'] as const) store.post(run, { type, tasks: [] });
    owned(store, run).log.append([], [{ id: 1, reply: PAUSED }]);
    store.close();
    tamper(home, 'DELETE FROM events WHERE position = 2');
    whyNotOwned(home, run);
    moveIntoPlace(home);
    const salvaged = opened(home);
    const { owner, log } = owned(salvaged, run, true);
    expect(owner.epoch).toBe(3);
    expect(salvaged.replyTo(1)).toEqual(PAUSED);
    expect(log.commands()).toMatchObject([{ id: 2, command: { type: 'resume' } }]);
  });

  test('is not copied without end', () => {
    const home = givenFolder();
    const run = givenLog(home, 3);
    for (let number = 1; number <= 9; number += 1) writeFileSync(join(home, `store-salvaged-${number}.sqlite`), '');
    tamper(home, 'DELETE FROM events WHERE position = 2');
    expect(salvageOf(whyNotOwned(home, run))).toEqual({ type: 'too-many', home });
    expect(salvagedIn(home)).toHaveLength(9);
  });

  test('with nothing left can be salvaged, but not gone on with', () => {
    const home = givenFolder();
    const run = givenLog(home, 3);
    tamper(home, 'DELETE FROM events WHERE position = 0');
    whyNotOwned(home, run);
    moveIntoPlace(home);
    expect(whyNotOwned(home, run)).toEqual({ code: 'log-empty', run });
    expect(createdRun(opened(home))).toBe('ship-it-2');
  });

  test('shows readers what is good and says what is not', () => {
    const home = givenFolder();
    const run = givenLog(home, 20);
    tamper(home, 'DELETE FROM events WHERE position = 5');
    const { events, position, failure } = opened(home, { mode: 'read' }).eventsFrom(run, 0);
    expect({ events, position }).toEqual({ events: [started, ...openings(4)], position: 5 });
    expect(damageOf(failure)).toEqual({ type: 'event-missing', run, position: 5 });
  });

  test('is salvaged once, however often it is read', () => {
    const home = givenFolder();
    const run = givenLog(home, 20);
    tamper(home, 'DELETE FROM events WHERE position = 5');
    const failures = [1, 2, 3].map(() => opened(home, { mode: 'read' }).eventsFrom(run, 0).failure);
    expect(failures).toEqual([failures[0], failures[0], failures[0]]);
    expect(salvagedIn(home)).toEqual(['store-salvaged-1.sqlite']);
  });

  test('of another plan than its record is found', () => {
    const home = givenFolder();
    const run = givenLog(home, 20);
    const database = new DatabaseSync(fileIn(home));
    const [trigger] = database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'runs_stand'").all();
    database.exec("DROP TRIGGER runs_stand; UPDATE runs SET record = replace(record, 'true', 'rm -r')");
    database.exec(String(trigger?.['sql']));
    database.close();
    expect(damageOf(whyNotOwned(home, run))).toEqual({ type: 'event-changed', run, position: 0 });
  });

  test('with an event of a newer Heddle is no damage', () => {
    const home = givenFolder();
    const run = givenLog(home, 3);
    const store = opened(home);
    const { log } = owned(store, run);
    const invented: unknown = { type: 'task.invented', at: 1 };
    // Only a newer Heddle could write such an event, hence the cast.
    log.append([invented as ReturnType<typeof openings>[number]], []);
    const { events, failure } = store.eventsFrom(run, 0);
    expect(events).toHaveLength(3);
    const cause = 'this Heddle knows no event "task.invented": update Heddle';
    expect(failure).toEqual({ code: 'event-unknown', run, position: 3, cause });
    expect(salvagedIn(home)).toEqual([]);
  });
});

describe('a damaged file', () => {
  test('that is not a database is named and left alone', () => {
    const home = givenFolder();
    givenLog(home, 2);
    const text = 'This is a letter to my aunt.\n'.repeat(100);
    writeFileSync(fileIn(home), text);
    const failure = {
      code: 'damaged',
      damage: { type: 'file', file: fileIn(home), cause: 'file is not a database' },
      salvage: { type: 'nothing', home, file: fileIn(home) },
    };
    for (const mode of ['read', 'write'] as const) expect(storeRefusal(home, { mode })).toEqual(failure);
    expect(readFileSync(fileIn(home), 'utf8')).toBe(text);
    expect(salvagedIn(home)).toEqual([]);
  });

  test('with pages overwritten is found on opening and salvaged without being touched', () => {
    const home = givenFolder();
    const run = givenLog(home, 2000);
    overwrite(fileIn(home));
    const before = readFileSync(fileIn(home));
    const failure = storeRefusal(home);
    expect(damageOf(failure)).toMatchObject({ type: 'file', file: fileIn(home) });
    const [{ kept, marked } = { kept: 0, marked: 0 }] = runsIn(failure);
    expect(marked).toBe(2000);
    expect(kept).toBeGreaterThan(500);
    expectMoreIsLeft(failure);
    expect(readFileSync(fileIn(home)).equals(before)).toBe(true);
    moveIntoPlace(home);
    expect(owned(opened(home), run).log.read()).toEqual([started, ...openings(kept - 1)]);
  });

  test('that a crash left with a log beside it is not touched either', () => {
    const home = givenFolder();
    const run = givenLog(home, 2000);
    const store = opened(home);
    appendOpenings(owned(store, run).log, 5, 1999);
    const crashed = givenFolder();
    cpSync(home, crashed, { recursive: true });
    rmSync(`${fileIn(crashed)}-shm`);
    overwrite(fileIn(crashed));
    const bytes = () => [fileIn(crashed), `${fileIn(crashed)}-wal`].map((file) => readFileSync(file).toString('hex'));
    const before = bytes();
    expect(runsIn(storeRefusal(crashed))).toMatchObject([{ run, marked: 2005 }]);
    expect(bytes()).toEqual(before);
  });

  test('is found by readers who do not look at all pages', () => {
    const home = givenFolder();
    const run = givenLog(home, 2000);
    overwrite(fileIn(home));
    const { failure } = opened(home, { mode: 'read' }).eventsFrom(run, 0);
    expect(runsIn(failure)).toHaveLength(1);
  });

  test('is salvaged whichever page is overwritten, the first one too', () => {
    const home = givenFolder();
    const run = givenLog(home, 300);
    const whole = readFileSync(fileIn(home));
    const kept = Array.from({ length: whole.length / 4096 }, (_, page) => {
      const damaged = Buffer.from(whole);
      damaged.fill(0xa5, page * 4096, (page + 1) * 4096);
      writeFileSync(fileIn(home), damaged);
      const failure = storeRefusal(home);
      expect(damageOf(failure)).toMatchObject({ type: 'file' });
      expect(readFileSync(fileIn(home)).equals(damaged)).toBe(true);
      if (salvagedIn(home).length === 0) return expectMoreIsLeft(failure);
      moveIntoPlace(home);
      const { events, failure: left } = opened(home, { mode: 'read' }).eventsFrom(run, 0);
      expect(left).toBeUndefined();
      expect(events).toEqual([started, ...openings(299)].slice(0, events.length));
      if (events.length < 300) expectMoreIsLeft(failure);
      return events.length;
    });
    expect(kept.filter((count) => count === 300).length).toBeGreaterThan(4);
    expect(kept.filter((count) => count > 0 && count < 300).length).toBeGreaterThan(4);
  });

  test('that was truncated is left to the program that recovers such files', () => {
    const home = givenFolder();
    givenLog(home, 2000);
    truncateSync(fileIn(home), Math.floor(statSync(fileIn(home)).size / 2));
    expectMoreIsLeft(storeRefusal(home));
  });

  test.each(['deleted', 'emptied'])('that was %s is not silently begun anew', (how) => {
    const home = givenFolder();
    const run = givenLog(home, 2);
    if (how === 'deleted') rmSync(fileIn(home));
    else truncateSync(fileIn(home), 0);
    for (const mode of ['read', 'write'] as const) {
      expect(storeRefusal(home, { mode })).toEqual({ code: 'emptied', file: fileIn(home), home, runs: [run] });
    }
    rmSync(join(home, 'runs'), { recursive: true });
    expect(opened(home).runs()).toEqual([]);
  });

  test('that lost the log beside it is not taken for a whole one', () => {
    const home = givenFolder();
    const store = opened(home);
    const run = createdRun(store);
    appendOpenings(owned(store, run).log, 3);
    const other = givenFolder();
    // The state after a crash, without the write-ahead log.
    writeHighWaterMark(other, run, readHighWaterMark(home, run) ?? { position: 0, checksum: '' });
    copyFileSync(fileIn(home), fileIn(other));
    const before = readFileSync(fileIn(other));
    expect(storeRefusal(other)).toMatchObject({ runs: [run] });
    expect(readFileSync(fileIn(other)).equals(before)).toBe(true);
  });

  test('that was replaced by an older copy of itself is found', () => {
    const home = givenFolder();
    const run = givenLog(home, 5);
    copyFileSync(fileIn(home), join(home, 'old'));
    const store = opened(home);
    appendOpenings(owned(store, run).log, 5);
    createdRun(store, 'Other');
    store.close();
    renameSync(join(home, 'old'), fileIn(home));
    const failure = storeRefusal(home);
    expect(damageOf(failure)).toEqual({ type: 'runs-missing', file: fileIn(home), home, runs: ['other-1'] });
    expect(runsIn(failure)).toEqual([{ run, kept: 5, beyond: 0, marked: 10, hasRecord: true }]);
  });
});

describe('the high-water mark', () => {
  test('says nothing wrong when it is behind, torn or not there', () => {
    const home = givenFolder();
    const run = givenLog(home, 5);
    const file = join(home, 'runs', run, '@high-water-mark');
    const whole = readFileSync(file);
    const { events } = opened(home).eventsFrom(run, 0);
    writeFileSync(file, whole.subarray(0, 10));
    expect(opened(home).eventsFrom(run, 0)).toEqual({ events, position: 5, failure: undefined });
    rmSync(file);
    expect(opened(home).eventsFrom(run, 0)).toEqual({ events, position: 5, failure: undefined });
    writeFileSync(file, whole);
    tamper(home, 'DELETE FROM events WHERE position >= 3');
    expect(existsSync(file)).toBe(true);
    expect(damageOf(opened(home).eventsFrom(run, 4).failure)).toEqual({ type: 'log-shortened', run, events: 5 });
  });

  test('a log that was shortened is found out at the end of the last page of it', () => {
    const home = givenFolder();
    const run = givenLog(home, 5);
    tamper(home, 'DELETE FROM events WHERE position >= 3');
    const store = opened(home, { mode: 'read' });
    expect(store.eventsFrom(run, 0, 3)).toMatchObject({ position: 3, failure: undefined });
    for (const [from, max] of [
      [3, 3],
      [2, 2],
    ] as const)
      expect(damageOf(store.eventsFrom(run, from, max).failure)).toEqual({ type: 'log-shortened', run, events: 5 });
  });
});
