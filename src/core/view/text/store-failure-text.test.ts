import { describe, expect, test } from 'vitest';
import type { Salvage, StoreFailure } from '../../protocol/store-failure.ts';
import { storeFailureText, storeWarningText } from './store-failure-text.ts';

const file = '/p/.heddle/store.sqlite';
const home = '/p/.heddle';

const salvaged = (given: Partial<Extract<Salvage, { type: 'salvaged' }>>): Salvage => ({
  type: 'salvaged',
  home,
  file,
  salvaged: `${home}/store-salvaged-1.sqlite`,
  runs: [],
  isAll: true,
  ...given,
});

const damaged = (salvage: Salvage): StoreFailure => ({
  code: 'damaged',
  damage: { type: 'event-missing', run: 'ship-it-1', position: 5 },
  salvage,
});

test.each<[StoreFailure, string]>([
  [{ code: 'busy', file }, 'Another process keeps the store /p/.heddle/store.sqlite locked.'],
  [{ code: 'full', file }, 'The disk is full, so nothing was written to /p/.heddle/store.sqlite. Free some space'],
  [{ code: 'read-only', file }, 'Make the file and its folder /p/.heddle writable for this user'],
  [{ code: 'absent', file }, 'There is no store /p/.heddle/store.sqlite. Run a plan in this folder first.'],
  [{ code: 'empty', file }, 'is empty. Run a plan in this folder first.'],
  [{ code: 'foreign', file }, 'its tables are not those of Heddle. Move it away'],
  [{ code: 'unopened', file, cause: 'EISDIR' }, 'cannot be opened (EISDIR). Check that the folder /p/.heddle exists'],
  [{ code: 'disk', file, cause: 'EIO' }, 'The disk failed to read or write /p/.heddle/store.sqlite (EIO)'],
  [{ code: 'unsafe-sqlite', version: '3.51.2', least: '3.51.3' }, 'Heddle needs 3.51.3 or later. Update Node.'],
  [
    { code: 'other-format', file, format: 99, reads: 2 },
    'has format 99, and this Heddle reads format 2 alone. Use the Heddle that wrote it, or move /p/.heddle away to begin anew; the store was not touched.',
  ],
  [{ code: 'emptied', file, home, runs: ['a-1'] }, 'is gone or empty, but the run a-1 left traces in /p/.heddle/runs.'],
  [{ code: 'replaced', file, home, rescued: '/r' }, 'All that was written before is in /r.'],
  [{ code: 'replaced', file, home, rescued: undefined }, '/p/.heddle holds so many rescued stores'],
  [{ code: 'run-unknown', run: 'a-1', file }, 'There is no run a-1 in /p/.heddle/store.sqlite.'],
  [{ code: 'log-empty', run: 'a-1' }, 'Nothing is left of the log of the run a-1'],
  [{ code: 'event-unknown', run: 'a-1', position: 3, cause: 'why' }, 'Event 3 of the run a-1 cannot be read: why.'],
  [{ code: 'damaged', damage: { type: 'content', where: 'record' }, salvage: undefined }, 'The record of a run is not'],
  [{ code: 'damaged', damage: { type: 'content', where: 'event' }, salvage: undefined }, 'A row of the log is not'],
  [
    { code: 'damaged', damage: { type: 'content', where: 'column', column: 'run' }, salvage: undefined },
    'holds something in the column "run" that Heddle did not write.',
  ],
  [
    { code: 'damaged', damage: { type: 'runs-missing', file, home, runs: ['a-1', 'b-1'] }, salvage: undefined },
    'was shortened or replaced: the runs a-1, b-1 left traces in /p/.heddle/runs and are not in it.',
  ],
  [
    { code: 'damaged', damage: { type: 'log-shortened', run: 'a-1', events: 20 }, salvage: undefined },
    'The log of the run a-1 had 20 events and was shortened or replaced since.',
  ],
  [
    { code: 'damaged', damage: { type: 'log-shortened', run: 'a-1', events: undefined }, salvage: undefined },
    'The log of the run a-1 is shorter than it was.',
  ],
  [
    {
      code: 'damaged',
      damage: { type: 'file', file, cause: 'file is not a database' },
      salvage: { type: 'nothing', home, file },
    },
    'is damaged or is not a store (file is not a database). Nothing of a run could be read from it.',
  ],
])('a failure of the store is said in words: %j', (failure, words) => {
  expect(storeFailureText(failure)).toContain(words);
});

describe('the copy of a damaged store', () => {
  test('names the runs that were cut short, counts the others, and says how to go on', () => {
    const runs = [
      { run: 'ship-it-1', kept: 5, beyond: 14, marked: 20, hasRecord: true },
      { run: 'lost-1', kept: 0, beyond: 1, marked: undefined, hasRecord: false },
      { run: 'whole-1', kept: 3, beyond: 0, marked: 3, hasRecord: true },
    ];
    const text = storeFailureText(damaged(salvaged({ runs })));
    expect(text).toContain('The log of the run ship-it-1 is broken: event 5 is missing.');
    expect(text).toContain('5 of 20 events were salvaged, and 14 rows behind the break were left out.');
    expect(text).toContain('The run lost-1 lost its plan, so its 1 event could not be kept. 1 run is whole.');
    expect(text).toContain(
      '`mkdir -p /p/.heddle/damaged && mv /p/.heddle/store.sqlite* /p/.heddle/damaged && mv /p/.heddle/store-salvaged-1.sqlite /p/.heddle/store.sqlite`, then resume the run with `heddle resume`.',
    );
    expect(text).not.toContain('.recover');
  });

  test('names no more than five runs', () => {
    const runs = Array.from({ length: 7 }, (_, index) => ({
      run: `r-${index}`,
      kept: 1,
      beyond: 1,
      marked: 2,
      hasRecord: true,
    }));
    expect(storeFailureText(damaged(salvaged({ runs })))).toContain('2 more runs were cut short.');
  });

  test('says how to recover what SQLite cannot read, with paths quoted for a shell', () => {
    const odd = { home: "/it's", file: "/it's/store.sqlite" };
    const partly = storeFailureText(damaged(salvaged({ ...odd, isAll: false })));
    const none = storeFailureText(damaged({ type: 'nothing', ...odd }));
    for (const text of [partly, none])
      expect(text).toContain(
        "`sqlite3 '/it'\\''s/store.sqlite' .recover | sqlite3 '/it'\\''s/store-recovered.sqlite'`, then `mkdir",
      );
  });

  test('says why there is none', () => {
    expect(storeFailureText(damaged({ type: 'too-many', home }))).toContain('There are so many salvaged stores in /p');
    const failed = damaged({ type: 'failed', failure: { code: 'full', file } });
    expect(storeFailureText(failed)).toContain('Nothing of it could be salvaged: The disk is full');
  });
});

test('what was repaired or does no harm is a warning in words', () => {
  const texts = [
    storeWarningText({ code: 'restored', file, part: 'store' }),
    storeWarningText({ code: 'restored', file, part: 'companion' }),
    storeWarningText({ code: 'mark-unwritten', run: 'a-1', failure: { code: 'full', file } }),
    storeWarningText({ code: 'heartbeat-unwritten', run: 'a-1', cause: 'ENOSPC' }),
    storeWarningText({ code: 'failed', failure: { code: 'busy', file } }),
  ];
  expect(texts).toEqual([
    'The store /p/.heddle/store.sqlite was deleted while it was in use and was written back; nothing was lost.',
    'A file beside the store /p/.heddle/store.sqlite was deleted while the store was in use; nothing was lost.',
    expect.stringContaining('The high-water mark of the run a-1 could not be written: The disk is full'),
    'The run a-1 cannot show that it is alive: ENOSPC.',
    expect.stringContaining('Another process keeps the store'),
  ]);
});
