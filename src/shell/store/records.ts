// Records of runs: made once, read often, never changed.
import type { RunEvent } from '../../core/engine/event.ts';
import type { RunRecord } from '../ports/log.ts';
import { readRecord, runId, slugOf } from '../ports/run-record.ts';
import { addLinks, chainRoot } from './chain.ts';
import { numberIn, textOfColumn, type Connection } from './connection.ts';
import { hasRunFolder, writeHighWaterMark } from './high-water-mark.ts';
import type { OpenedStore } from './opened-store.ts';
import { damaged } from './store-error.ts';

export interface Creating {
  readonly record: Omit<RunRecord, 'run'>;
  readonly started: RunEvent;
  /** Ids that are in use elsewhere. */
  readonly taken: ReadonlySet<string> | undefined;
}

export function createRecord(opened: OpenedStore, { record: given, started, taken }: Creating): RunRecord {
  const slug = slugOf(given.name);
  return insert(opened, started, () => {
    const number = freeNumber(opened, slug, taken);
    return { slug, number, record: { run: runId(slug, number), ...given } };
  });
}

export function adoptRecord(opened: OpenedStore, record: RunRecord, started: RunEvent): RunRecord {
  const slug = slugOf(record.name);
  let number = 1;
  while (runId(slug, number) !== record.run && number < NUMBERS_MAX) number += 1;
  return insert(opened, started, () => ({ slug, number, record }));
}

/** An id that no store has made gets this number, so that the search for it ends. */
const NUMBERS_MAX = 100_000;

interface Numbered {
  readonly slug: string;
  readonly number: number;
  readonly record: RunRecord;
}

function insert({ home, connection }: OpenedStore, started: RunEvent, choose: () => Numbered): RunRecord {
  const { record, end } = connection.transaction(() => {
    const { slug, number, record } = choose();
    const { run } = record;
    const text = JSON.stringify(record);
    connection.change('INSERT INTO runs (run, slug, number, record) VALUES (?, ?, ?, ?)', run, slug, number, text);
    const root = { position: 0, checksum: chainRoot(run, text) };
    return { record, end: addLinks(connection, run, { end: root, events: [started] }) };
  });
  writeHighWaterMark(home, record.run, end);
  return record;
}

/**
 * A leftover folder of an earlier run whose store is gone keeps its number reserved: its attempts belong to that run.
 */
function freeNumber({ home, connection }: OpenedStore, slug: string, taken?: ReadonlySet<string>): number {
  const row = connection.row('SELECT coalesce(max(number), 0) AS last FROM runs WHERE slug = ?', slug);
  let number = numberIn(row, 'last') + 1;
  while (hasRunFolder(home, runId(slug, number)) || taken?.has(runId(slug, number)) === true) number += 1;
  return number;
}

export const listRecords = (connection: Connection): readonly RunRecord[] =>
  connection.rows('SELECT record FROM runs ORDER BY rowid').map((row) => parseRecord(textOfColumn(row, 'record')));

export function findRecord(connection: Connection, run: string): RunRecord | undefined {
  const text = recordText(connection, run);
  return text === undefined ? undefined : parseRecord(text);
}

/** The exact text, because the log's first checksum covers it. */
export function recordText(connection: Connection, run: string): string | undefined {
  const row = connection.row('SELECT record FROM runs WHERE run = ?', run);
  return row === undefined ? undefined : textOfColumn(row, 'record');
}

function parseRecord(text: string): RunRecord {
  const record = readRecord(text);
  if (record === undefined) throw damaged({ type: 'content', where: 'record' });
  return record;
}
