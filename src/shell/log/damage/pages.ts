// The pages of a store as they lie on the disk, read without SQLite, which gives up where a page is damaged.
import { readFileSync, statSync } from 'node:fs';
import { StoreTrouble } from '../database/trouble.ts';
import { SUFFIXES } from './place.ts';

export interface Page {
  readonly bytes: Buffer;
  /** The first page begins with the header of the file. */
  readonly isFirst: boolean;
}

export interface Pages {
  readonly pageBytes: number;
  /** Every page there is, those in the log beside the store too, so one can come in two versions. */
  readonly all: readonly Page[];
  /** The latest version of a page, by its number. */
  readonly latest: (number: number) => Buffer | undefined;
}

/** Limit: a store is held in memory while it is salvaged. When stores grow beyond this, read page by page. */
const STORE_BYTES_MAX = 1024 * 1024 * 1024;

export function readPages(file: string): Pages {
  const store = readWhole(file);
  const log = readWhole(`${file}${SUFFIXES.log}`);
  const pageBytes =
    pageBytesOf(store) ?? pageBytesOf(log.subarray(LOG_HEADER_BYTES + FRAME_HEADER_BYTES)) ?? USUAL_BYTES;
  const frames = committedFrames(log, pageBytes);
  const inStore = (number: number): Buffer | undefined => {
    const bytes = store.subarray((number - 1) * pageBytes, number * pageBytes);
    return bytes.length === pageBytes ? bytes : undefined;
  };
  const numbers = Array.from({ length: Math.floor(store.length / pageBytes) }, (_, index) => index + 1);
  const pages = [...numbers.map((number) => ({ number, bytes: inStore(number) })), ...framesOf(frames)];
  return {
    pageBytes,
    all: pages.flatMap(({ number, bytes }) => (bytes === undefined ? [] : [{ bytes, isFirst: number === 1 }])),
    latest: (number) => frames.get(number) ?? inStore(number),
  };
}

const framesOf = (
  frames: ReadonlyMap<number, Buffer>,
): readonly { readonly number: number; readonly bytes: Buffer }[] =>
  [...frames].map(([number, bytes]) => ({ number, bytes }));

function readWhole(path: string): Buffer {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return Buffer.alloc(0);
  if (size > STORE_BYTES_MAX) throw new StoreTrouble('refused', `${path} is too large for that.`);
  return readFileSync(path);
}

const USUAL_BYTES = 4096;
const HEADER_TEXT = 'SQLite format 3\0';

/** What the header says; undefined when it is not one. */
function pageBytesOf(store: Buffer): number | undefined {
  if (store.length < 100 || store.toString('latin1', 0, 16) !== HEADER_TEXT) return undefined;
  const said = store.readUInt16BE(16);
  const bytes = said === 1 ? 65_536 : said;
  return bytes >= 512 && (bytes & (bytes - 1)) === 0 ? bytes : undefined;
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** The latest version of each page in the log beside the store, as far as it was committed. */
function committedFrames(log: Buffer, pageBytes: number): ReadonlyMap<number, Buffer> {
  const committed = new Map<number, Buffer>();
  const open: [number, Buffer][] = [];
  const salt = log.subarray(16, 24);
  const step = FRAME_HEADER_BYTES + pageBytes;
  for (let at = LOG_HEADER_BYTES; at + step <= log.length; at += step) {
    // Frames with another salt are left over from before the log was last begun again.
    if (!log.subarray(at + 8, at + 16).equals(salt)) break;
    open.push([log.readUInt32BE(at), log.subarray(at + FRAME_HEADER_BYTES, at + step)]);
    const isCommit = log.readUInt32BE(at + 4) !== 0;
    if (isCommit) for (const [number, bytes] of open.splice(0)) committed.set(number, bytes);
  }
  return committed;
}
