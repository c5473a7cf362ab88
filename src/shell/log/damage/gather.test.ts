import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PAUSED, createdRun, givenFolder, opened, opening, openings, owned } from '../store.given.ts';
import { gather } from './gather.ts';
import { readPages } from './pages.ts';

/** What SQLite says is in the file, in the form of what was gathered. */
function inDatabase(file: string) {
  const database = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => database.close());
  const rows = (sql: string) => database.prepare(sql).all();
  return {
    runs: rows('SELECT rowid AS id, run, slug, number, record FROM runs'),
    events: rows('SELECT run, position, type, json, checksum FROM events ORDER BY run, position'),
    commands: rows('SELECT id, run, json, at, answer FROM commands'),
    owners: rows('SELECT run, epoch, pid, started_at AS startedAt, host, since, is_gone AS isGone FROM owners'),
  };
}

function gathered(file: string) {
  const { runs, events, commands, owners } = gather(readPages(file));
  return {
    runs,
    events: [...events]
      .flatMap(([run, found]) => [...found.values()].flat().map((event) => ({ run, ...event })))
      .sort((one, other) => (one.run === other.run ? one.position - other.position : one.run < other.run ? -1 : 1)),
    commands: [...commands.values()].sort((one, other) => one.id - other.id),
    owners: [...owners.values()],
  };
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('what is gathered from the pages', () => {
  test.each(['beside the store', 'in the store'])(
    'is what SQLite reads while the log is %s, rows over many pages too',
    (where) => {
      const home = givenFolder();
      const store = opened(home);
      const runs = [createdRun(store), createdRun(store, 'Other'), createdRun(store)];
      for (const [index, run] of runs.entries()) {
        const { log } = owned(store, run);
        log.append(openings(400 * (index + 1)), []);
        for (const size of [900, 1000, 2000, 4000, 4090, 5000, 50_000, 300_000])
          log.append([opening('x'.repeat(size))], []);
        store.post(run, { type: 'pause', tasks: ['a'] });
        const [first] = log.commands();
        log.append([opening('ü → 日本')], [{ id: first?.id ?? 0, reply: PAUSED }]);
        store.post(run, { type: 'resume', tasks: [] });
      }
      if (where === 'in the store') store.close();
      const file = join(home, 'store.sqlite');
      expect(gathered(file)).toEqual(plain(inDatabase(file)));
    },
  );
});
