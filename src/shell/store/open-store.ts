// The store: one SQLite file in a folder, with the runs, their events, the inbox of commands and the owners of runs.
//
// The store does not record which workers are alive: the attempt folders do, and a second record could contradict them.
// store/D1. Acknowledged events are durable, in order and complete, or the failure names the missing ones (P1).
// store/D2. A store that is damaged, shortened or replaced is never used as if it were whole.
import { closeSync, existsSync, openSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeOwnersFolder } from '../exec/owners-folder.ts';
import { thisProcess } from '../exec/process.ts';
import type { Command } from '../../core/engine/command.ts';
import type { Clock } from '../ports/clock.ts';
import type { Posting } from '../ports/inbox.ts';
import type { Created, Events, EventTexts, Owner, Process, RunRecord } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import type { StoreFailure, StoreWarning } from '../../core/protocol/store-failure.ts';
import { Connection, PATIENCE_MS, type ConnectionMode } from './connection.ts';
import { examineFile, expectFile, expectRuns, refuseUnsafe } from './examine.ts';
import { storeFilesAt, STORE_FILE } from './store-files.ts';
import { keepPlace } from './keep-place.ts';
import { countOpen, postCommand, replyTo } from './command-rows.ts';
import { failureFor, type OpenedStore } from './opened-store.ts';
import { ownRun } from './own-run.ts';
import { ownerEntry } from './owners.ts';
import { endPosition, readLog, readTexts, type LogRead, type LogStretch } from './read-log.ts';
import { adoptRecord, createRecord, findRecord, listRecords, recordText } from './records.ts';
import { upgradeSchema } from './schema.ts';
import { StoreError } from './store-error.ts';

export interface StoreSettings {
  readonly mode: ConnectionMode;
  readonly clock: Clock;
  /** The process that opens the store; this process by default. */
  readonly process?: Process;
  readonly host?: string;
  /** Receives errors that were repaired or do no harm. */
  readonly warn?: (warning: StoreWarning) => void;
  /** How long to wait for another process's lock. */
  readonly patienceMs?: number;
}

export type StoreOpened =
  | { readonly type: 'opened'; readonly store: Store }
  | { readonly type: 'failed'; readonly failure: StoreFailure };

export function openStore(home: string, settings: StoreSettings): StoreOpened {
  const file = join(home, STORE_FILE);
  const { mode, clock, patienceMs = PATIENCE_MS } = settings;
  let connection: Connection | undefined;
  try {
    refuseUnsafe(process.versions.sqlite);
    if (mode === 'write') makePlaces(home);
    expectFile(home, file, mode);
    if (mode === 'write') examineFile(home, file, patienceMs);
    if (mode === 'write' && !existsSync(file)) closeSync(openSync(file, 'a', OWNERS_FILE));
    connection = new Connection(file, { mode, patienceMs });
    upgradeSchema(connection);
    expectRuns(home, connection);
    return { type: 'opened', store: storeOver(openedStore(home, connection, settings)) };
  } catch (error) {
    connection?.close();
    return { type: 'failed', failure: failureFor({ home, file, clock }, error) };
  }
}

function makePlaces(home: string): void {
  for (const folder of [home, join(home, 'runs')]) makeOwnersFolder(folder);
}

const OWNERS_FILE = 0o600;

const openedStore = (home: string, connection: Connection, settings: StoreSettings): OpenedStore => ({
  home,
  file: connection.file,
  connection,
  clock: settings.clock,
  process: settings.process ?? thisProcess(),
  host: settings.host ?? hostname(),
  warn: settings.warn ?? (() => undefined),
  place: storeFilesAt(connection.file),
  posts: 0,
});

/** Implements the ports over an open connection. */
export function storeOver(opened: OpenedStore): Store {
  const { connection } = opened;
  return {
    runs: () => reading(opened, () => listRecords(connection)),
    find: (run) => reading(opened, () => findRecord(connection, run)),
    create: (record, started, taken) => create(opened, (place) => createRecord(place, { record, started, taken })),
    adopt: (record, started) => create(opened, (place) => adoptRecord(place, record, started)),
    eventsFrom: (run, position, max) => eventsFrom(opened, run, { position, max }),
    textsFrom: (run, position, max) => textsFrom(opened, run, { position, max }),
    endOf: (run) => reading(opened, () => endPosition(connection, run)),
    version: () => reading(opened, () => connection.dataVersion()),
    ownerOf: (run) => reading(opened, () => ownerOf(connection, run)),
    ownersOf: (run) => reading(opened, () => ownerEntry(connection, run)?.owner.epoch ?? 0),
    own: (run, { takesOver }) => ownRun(opened, run, takesOver),
    post: (run, command) => post(opened, run, command),
    unanswered: (run) => reading(opened, () => countOpen(connection, run)),
    replyTo: (id) => reading(opened, () => replyTo(connection, id)),
    close: () => connection.close(),
  };
}

/** Errors of reading are thrown, as StoreError; no return value would be true. */
function reading<Value>(opened: OpenedStore, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new StoreError(failureFor(opened, error), error);
  }
}

function create(opened: OpenedStore, make: (place: OpenedStore) => RunRecord): Created {
  try {
    const failure = keepPlace(opened);
    if (failure !== undefined) return { type: 'failed', failure };
    return { type: 'created', record: make(opened) };
  } catch (error) {
    return { type: 'failed', failure: failureFor(opened, error) };
  }
}

function post(opened: OpenedStore, run: string, command: Command): Posting {
  const { connection, clock } = opened;
  try {
    const failure = keepPlace(opened);
    if (failure !== undefined) return { type: 'failed', failure };
    if (recordText(connection, run) === undefined)
      return { type: 'failed', failure: { code: 'run-unknown', run, file: opened.file } };
    const id = postCommand(connection, run, { command, at: clock.now() });
    opened.posts += 1;
    return { type: 'posted', id };
  } catch (error) {
    return { type: 'failed', failure: failureFor(opened, error) };
  }
}

function eventsFrom(opened: OpenedStore, run: string, stretch: LogStretch): Events {
  const { items: events, ...end } = stretchOf(opened, run, { stretch, read: readLog });
  return { events, ...end };
}

function textsFrom(opened: OpenedStore, run: string, stretch: LogStretch): EventTexts {
  const { items: texts, ...end } = stretchOf(opened, run, { stretch, read: readTexts });
  return { texts, ...end };
}

interface StretchRead<Item> {
  readonly stretch: LogStretch;
  readonly read: (opened: OpenedStore, run: string, stretch: LogStretch) => LogRead<Item>;
}

interface Stretch<Item> extends Omit<Events, 'events'> {
  readonly items: readonly Item[];
}

function stretchOf<Item>(opened: OpenedStore, run: string, { stretch, read }: StretchRead<Item>): Stretch<Item> {
  const { position } = stretch;
  try {
    if (recordText(opened.connection, run) === undefined) return { items: [], position, failure: undefined };
    const { items, end, error } = read(opened, run, stretch);
    return { items, position: end.position, failure: error === undefined ? undefined : failureFor(opened, error) };
  } catch (error) {
    return { items: [], position, failure: failureFor(opened, error) };
  }
}

function ownerOf(connection: Connection, run: string): Owner | undefined {
  const entry = ownerEntry(connection, run);
  return entry === undefined || entry.isGone ? undefined : entry.owner;
}
