// Reads a run's log and verifies it against the checksums, the record of the run and the high-water mark.
import type { RunEvent } from '../../core/engine/event.ts';
import type { EventText } from '../ports/log.ts';
import { asEvent, asText, readLinks, chainRoot, type End, type Fault, type ReadLink } from './chain.ts';
import { numberIn, textOfColumn, type Connection } from './connection.ts';
import type { OpenedStore } from './opened-store.ts';
import { recordText } from './records.ts';
import { readHighWaterMark, markText, type HighWaterMark } from './high-water-mark.ts';
import { damaged, StoreError } from './store-error.ts';

export interface LogRead<Item> {
  readonly items: readonly Item[];
  readonly end: End;
  /** The fault after the last of these events. */
  readonly error: StoreError | undefined;
}

/** A part of a log: so many events from a position on, or all of them. */
export interface LogStretch {
  readonly position: number;
  readonly max?: number | undefined;
}

const WHOLE: LogStretch = { position: 0 };

export const readLog = (opened: OpenedStore, run: string, stretch = WHOLE): LogRead<RunEvent> =>
  readVerified(opened, { run, ...stretch }, asEvent);

export const readTexts = (opened: OpenedStore, run: string, stretch: LogStretch): LogRead<EventText> =>
  readVerified(opened, { run, ...stretch }, asText);

interface OfRun extends LogStretch {
  readonly run: string;
}

function readVerified<Item extends { readonly type: string }>(
  { home, connection }: OpenedStore,
  { run, position, max }: OfRun,
  read: ReadLink<Item>,
): LogRead<Item> {
  // The mark is read before the log: the coordinator may append meanwhile, and a later mark would be ahead of the log.
  const mark = trusted(connection, run, readHighWaterMark(home, run));
  const from = endAt(connection, run, position);
  if (from === undefined) return { items: [], end: { position, checksum: '' }, error: shortened(run, mark) };
  const { items, end, fault, passed } = readLinks(connection, { run, from, max, passing: mark?.position }, read);
  if (fault !== undefined) return { items, end, error: faultError(run, fault) };
  // A stretch that ends before the mark says nothing of it; the read of the next stretch does.
  const isCut = items.length === max;
  const isReached = mark === undefined || isCut || end.position >= mark.position;
  const isWhole = isReached && (passed ?? mark?.checksum) === mark?.checksum;
  return { items, end, error: isWhole ? undefined : shortened(run, mark) };
}

/** The end of the chain before a position; undefined when the chain does not reach that far. */
function endAt(connection: Connection, run: string, position: number): End | undefined {
  if (position === 0) {
    const record = recordText(connection, run);
    return record === undefined ? undefined : { position, checksum: chainRoot(run, record) };
  }
  const row = connection.row('SELECT checksum FROM events WHERE run = ? AND position = ?', run, position - 1);
  return row === undefined ? undefined : { position, checksum: textOfColumn(row, 'checksum') };
}

/** The end of the chain, without reading the chain. */
export function lastEnd(connection: Connection, run: string): End {
  const row = connection.row('SELECT position, checksum FROM events WHERE run = ? ORDER BY position DESC LIMIT 1', run);
  return { position: numberIn(row, 'position') + 1, checksum: textOfColumn(row, 'checksum') };
}

/** 0 when the run has no events. */
export function endPosition(connection: Connection, run: string): number {
  const row = connection.row('SELECT position FROM events WHERE run = ? ORDER BY position DESC LIMIT 1', run);
  return row === undefined ? 0 : numberIn(row, 'position') + 1;
}

/** A salvaged log is shorter than its mark; the salvage message reported the loss. */
function trusted(connection: Connection, run: string, mark: HighWaterMark | undefined): HighWaterMark | undefined {
  if (mark === undefined) return undefined;
  const text = markText(mark);
  const salvaged = connection.row('SELECT 1 AS known FROM salvages WHERE run = ? AND mark = ?', run, text);
  return salvaged === undefined ? mark : undefined;
}

const shortened = (run: string, mark: HighWaterMark | undefined): StoreError =>
  damaged({ type: 'log-shortened', run, events: mark?.position });

function faultError(run: string, fault: Fault): StoreError {
  switch (fault.type) {
    case 'missing':
    case 'changed':
      return damaged({ type: `event-${fault.type}`, run, position: fault.position });
    case 'unknown':
      return new StoreError({ code: 'event-unknown', run, position: fault.position, cause: fault.cause });
  }
}
