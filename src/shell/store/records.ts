// Records of runs: made once, read often, never changed.
import type { RunEvent } from '../../core/engine/event.ts';
import type { RunRecord } from '../ports/log.ts';
import { addLinks, rootOf } from './chain.ts';
import { numberIn, textIn, type Connection } from './connection.ts';
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
  const { home, connection } = opened;
  const slug = slugOf(given.name);
  const { record, end } = connection.transaction(() => {
    const number = freeNumber(opened, slug, taken);
    const run = runId(slug, number);
    const record = { run, ...given };
    const text = JSON.stringify(record);
    connection.change('INSERT INTO runs (run, slug, number, record) VALUES (?, ?, ?, ?)', run, slug, number, text);
    const root = { position: 0, checksum: rootOf(run, text) };
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
  connection.rows('SELECT record FROM runs ORDER BY rowid').map((row) => parseRecord(textIn(row, 'record')));

export function findRecord(connection: Connection, run: string): RunRecord | undefined {
  const text = recordText(connection, run);
  return text === undefined ? undefined : parseRecord(text);
}

/** The exact text, because the log's first checksum covers it. */
export function recordText(connection: Connection, run: string): string | undefined {
  const row = connection.row('SELECT record FROM runs WHERE run = ?', run);
  return row === undefined ? undefined : textIn(row, 'record');
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A table over all keys, so that the compiler asks for a line when a field is added. */
const FIELDS: Readonly<Record<keyof RunRecord, (value: unknown) => boolean>> = {
  run: isText,
  createdAt: isNumber,
  name: isText,
  file: isText,
  source: isText,
  purpose: (value) => value === undefined || value === 'draft',
};

function parseRecord(text: string): RunRecord {
  const value = parsed(text);
  if (!isObject(value) || !Object.entries(FIELDS).every(([name, isRight]) => isRight(value[name]))) {
    throw damaged({ type: 'content', where: 'record' });
  }
  // The table has checked every field.
  return Object.fromEntries(Object.keys(FIELDS).map((name) => [name, value[name]])) as unknown as RunRecord;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged({ type: 'content', where: 'record' }, error);
  }
}

const ID_CHARACTERS_MAX = 64;
/** Room for the dash and the number. */
const NUMBER_CHARACTERS_MAX = 11;

/** The plan's name in small letters, digits and dashes. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const dashed = plain.replaceAll(/[^a-z\d]+/g, '-').slice(0, ID_CHARACTERS_MAX - NUMBER_CHARACTERS_MAX);
  const slug = dashed.replaceAll(/^-+|-+$/g, '');
  return slug === '' ? 'run' : slug;
}

export const runId = (slug: string, number: number): string => `${slug}-${number}`;
