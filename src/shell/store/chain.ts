// Events in order, each linked to the previous one by a checksum.
//
// store/L1. The first link is tied to the record of the run. So a changed, missing, added or swapped row is detected, and
//     so is a log that does not belong to its plan.
// store/L2. Every read is verified; a row after a broken link is never returned as an event.
import { hash } from 'node:crypto';
import { readEvent, writeEvent } from '../../core/engine/events/event-format.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import type { EventText } from '../ports/log.ts';
import type { Connection, Tuple } from './connection.ts';
import { damaged } from './store-error.ts';
import type { HighWaterMark } from './high-water-mark.ts';

const CHECKSUM_CHARACTERS = 32;
const digest = (text: string): string => hash('sha256', text, 'hex').slice(0, CHECKSUM_CHARACTERS);

/** The checksum that the first event is chained to. */
export const chainRoot = (run: string, record: string): string => digest(`${run}\n${record}`);

interface Link {
  readonly position: number;
  readonly type: string;
  readonly json: string;
}

/** A row as read from the store, with its checksum. */
export interface TiedLink extends Link {
  readonly checksum: string;
}

const tie = (before: string, { position, type, json }: Link): string =>
  digest(`${before}\n${position}\n${type}\n${json}`);

/** End of a chain: the number of events, and the checksum that the next event is chained to. */
export type End = HighWaterMark;

/** Appends events after `end`, inside the caller's transaction, and returns the new end of the chain. */
export function addLinks(connection: Connection, run: string, { end, events }: Adding): End {
  let { position, checksum } = end;
  for (const event of events) {
    const json = writeEvent(event);
    const { type } = event;
    checksum = tie(checksum, { position, type, json });
    connection.change(INSERT, run, position, type, json, checksum);
    position += 1;
  }
  return { position, checksum };
}

interface Adding {
  readonly end: End;
  readonly events: readonly RunEvent[];
}

const INSERT = 'INSERT INTO events (run, position, type, json, checksum) VALUES (?, ?, ?, ?, ?)';
const SELECT =
  'SELECT position, type, json, checksum FROM events WHERE run = ? AND position >= ? ORDER BY position LIMIT ?';

/** The fault of a row. `unknown` is no damage: only another version of Heddle can read the row. */
export type Fault = Broken | { readonly type: 'unknown'; readonly position: number; readonly cause: string };

interface Broken {
  readonly type: 'missing' | 'changed';
  readonly position: number;
}

export interface Links<Item> {
  readonly items: readonly Item[];
  /** After the last good link. */
  readonly end: End;
  readonly fault: Fault | undefined;
  /** The checksum at the requested position, when the chain reaches that far. */
  readonly passed: string | undefined;
}

export interface ChainReading {
  readonly run: string;
  readonly from: End;
  /** How many events at most; undefined is all of them. */
  readonly max: number | undefined;
  /** A position whose checksum the caller needs. */
  readonly passing: number | undefined;
}

/** Rows per query, so that a long log needs little memory besides its events. */
const ROWS_AT_ONCE = 4096;

/** What becomes of a row whose checksum is right. */
export type ReadLink<Item> = (link: Link) => Item | Extract<Fault, { readonly type: 'unknown' }>;

export const asEvent: ReadLink<RunEvent> = ({ position, json }) => {
  const read = readEvent(json);
  return read.type === 'failed' ? { type: 'unknown', position, cause: read.message } : read.event;
};

export const asText: ReadLink<EventText> = ({ type, json }) => ({ type, json });

export function readLinks<Item extends { readonly type: string }>(
  connection: Connection,
  { run, from, max = Infinity, passing }: ChainReading,
  read: ReadLink<Item>,
): Links<Item> {
  const items: Item[] = [];
  let end = from;
  let passed = passing === from.position ? from.checksum : undefined;
  for (;;) {
    const wanted = Math.min(ROWS_AT_ONCE, max - items.length);
    const rows = connection.tuples(SELECT, run, end.position, wanted);
    for (const row of rows) {
      const link = linkIn(row);
      const broken = checkTie(link, end);
      if (broken !== undefined) return { items, end, passed, fault: broken };
      const item = read(link);
      if (isUnknown(item)) return { items, end, passed, fault: item };
      items.push(item);
      end = { position: link.position + 1, checksum: link.checksum };
      if (end.position === passing) passed = end.checksum;
    }
    if (rows.length < ROWS_AT_ONCE || items.length === max) return { items, end, passed, fault: undefined };
  }
}

/** No event has this type. */
const isUnknown = (item: { readonly type: string }): item is Extract<Fault, { readonly type: 'unknown' }> =>
  item.type === 'unknown';

/** Checks the checksum of a row against the end of the chain before it, without parsing the event. */
export function checkTie(link: TiedLink, { position, checksum }: End): Broken | undefined {
  if (link.position !== position) return { type: 'missing', position };
  return tie(checksum, link) === link.checksum ? undefined : { type: 'changed', position };
}

function linkIn([position, type, json, checksum]: Tuple): TiedLink {
  const isLink =
    typeof position === 'number' &&
    typeof type === 'string' &&
    typeof json === 'string' &&
    typeof checksum === 'string';
  if (!isLink) throw damaged({ type: 'content', where: 'event' });
  return { position, type, json, checksum };
}
