import { copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StoreWarning } from '../../core/protocol/store-failure.ts';
import { appendOpenings, createdRun, givenFolder, givenLog, opened, openings, owned, started } from './store.given.ts';
import { examineFile, refuseUnsafe } from './examine.ts';

const fileIn = (home: string): string => join(home, 'store.sqlite');

function givenWriter(home: string) {
  const warnings: StoreWarning[] = [];
  const store = opened(home, { warn: (warning) => warnings.push(warning) });
  const run = createdRun(store);
  const { log } = owned(store, run);
  appendOpenings(log, 3);
  return { warnings, store, run, log };
}

describe('files that are deleted while a coordinator writes', () => {
  test.each([
    ['the store', (home: string) => rmSync(fileIn(home)), 'store'],
    ['the whole folder', (home: string) => rmSync(home, { recursive: true }), 'store'],
    ['the log beside it', (home: string) => rmSync(`${fileIn(home)}-wal`), 'companion'],
    ['the shared index', (home: string) => rmSync(`${fileIn(home)}-shm`), 'companion'],
  ])('%s: are put back with all that was written, and the work goes on', (_, remove, part) => {
    const home = givenFolder();
    const { warnings, run, log, store } = givenWriter(home);
    remove(home);
    appendOpenings(log, 2, 3);
    expect(warnings).toEqual([{ code: 'restored', file: fileIn(home), part }]);
    appendOpenings(log, 1, 5);
    expect(warnings).toHaveLength(1);
    const whole = { events: [started, ...openings(6)], position: 7, failure: undefined };
    expect(opened(home, { mode: 'read' }).eventsFrom(run, 0)).toEqual(whole);
    store.close();
    expect(opened(home).eventsFrom(run, 0)).toEqual(whole);
    expect(readdirSync(home).filter((name) => name.includes('returning'))).toEqual([]);
    examineFile(home, fileIn(home), 300);
  });

  test('are put back before a command is posted or a run created', () => {
    const home = givenFolder();
    const { store, run } = givenWriter(home);
    rmSync(fileIn(home));
    expect(store.post(run, { type: 'pause', tasks: [] })).toMatchObject({ type: 'posted' });
    rmSync(fileIn(home));
    createdRun(store, 'Other');
    expect(opened(home).runs()).toHaveLength(2);
  });
});

describe('a store that is replaced while a coordinator writes', () => {
  test('is left alone, and what was written is kept beside it', () => {
    const home = givenFolder();
    const { run, log, warnings } = givenWriter(home);
    const other = givenFolder();
    givenLog(other, 2);
    copyFileSync(fileIn(other), join(home, 'other'));
    renameSync(join(home, 'other'), fileIn(home));
    const answers = [log.append(openings(1, 3), []), log.append(openings(1, 3), [])];
    const rescued = join(home, 'store-rescued-1.sqlite');
    for (const answer of answers) {
      expect(answer).toEqual({ type: 'failed', failure: { code: 'replaced', file: fileIn(home), home, rescued } });
    }
    expect(warnings).toEqual([]);
    for (const name of readdirSync(home)) if (name.startsWith('store.sqlite')) rmSync(join(home, name));
    renameSync(rescued, fileIn(home));
    expect(opened(home).eventsFrom(run, 0)).toEqual({
      events: [started, ...openings(3)],
      position: 4,
      failure: undefined,
    });
  });
});

test('an SQLite that can lose what was written is refused, a later one is not', () => {
  for (const version of ['3.51.2', '3.7.17', '2.99.99', undefined]) {
    const failure = { code: 'unsafe-sqlite', version, least: '3.51.3' };
    expect(() => refuseUnsafe(version)).toThrow(expect.objectContaining({ failure }));
  }
  for (const version of ['3.51.3', '3.52.0', '3.53.4', '4.0.0']) refuseUnsafe(version);
});
