// Decodes the rows on a page of an SQLite file, after the published description of its format. What makes no sense is
// passed over: a damaged page gives fewer rows, and what it gives wrongly fails the checksums.
import type { Page, Pages } from './pages.ts';

export interface StoredRow {
  readonly id: number;
  readonly values: readonly (string | number | null)[];
}

/** The kind of page that holds rows; the others only lead to them. */
const LEAF_OF_TABLE = 0x0d;

export function rowsOn(pages: Pages, { bytes, isFirst }: Page): readonly StoredRow[] {
  const base = isFirst ? 100 : 0;
  if (bytes[base] !== LEAF_OF_TABLE) return [];
  const rows: StoredRow[] = [];
  for (let index = 0; index < bytes.readUInt16BE(base + 3); index += 1) {
    const row = orUndefined(() => rowAt(pages, bytes, bytes.readUInt16BE(base + 8 + index * 2)));
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

function rowAt(pages: Pages, bytes: Buffer, at: number): StoredRow {
  const size = readVarint(bytes, at);
  const id = readVarint(bytes, size.end);
  const here = bytesHere(size.value, pages.pageBytes);
  if (id.end + here > bytes.length) throw new RangeError('A row reaches beyond its page.');
  const parts = [bytes.subarray(id.end, id.end + here)];
  if (here < size.value) parts.push(...elsewhere(pages, bytes.readUInt32BE(id.end + here), size.value - here));
  return { id: id.value, values: valuesIn(Buffer.concat(parts)) };
}

/** How much of a row stays on its page when it is too large for one. */
function bytesHere(size: number, pageBytes: number): number {
  const most = pageBytes - 35;
  if (size <= most) return size;
  const least = Math.floor(((pageBytes - 12) * 32) / 255) - 23;
  const fitting = least + ((size - least) % (pageBytes - 4));
  return fitting <= most ? fitting : least;
}

/** The rest of a large row: a list of pages, each beginning with the number of the next. */
function elsewhere(pages: Pages, first: number, size: number): readonly Buffer[] {
  const parts: Buffer[] = [];
  let number = first;
  for (let left = size; left > 0;) {
    const page = pages.latest(number);
    if (page === undefined) throw new RangeError('The rest of a row is not there.');
    parts.push(page.subarray(4, 4 + Math.min(left, pages.pageBytes - 4)));
    number = page.readUInt32BE(0);
    left -= pages.pageBytes - 4;
  }
  return parts;
}

function valuesIn(row: Buffer): StoredRow['values'] {
  const values: (string | number | null)[] = [];
  const header = readVarint(row, 0);
  let body = header.value;
  for (let at = header.end; at < header.value;) {
    const kind = readVarint(row, at);
    const length = lengthOf(kind.value);
    if (body + length > row.length) throw new RangeError('A value reaches beyond its row.');
    values.push(valueAt(row, body, kind.value));
    body += length;
    at = kind.end;
  }
  return values;
}

const LENGTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const;
const lengthOf = (kind: number): number => LENGTHS[kind] ?? Math.floor((kind - 12) / 2);

function valueAt(row: Buffer, at: number, kind: number): string | number | null {
  if (kind === 0) return null;
  if (kind === 8 || kind === 9) return kind - 8;
  if (kind === 6) return Number(row.readBigInt64BE(at));
  if (kind === 7) return row.readDoubleBE(at);
  if (kind < 6) return row.readIntBE(at, lengthOf(kind));
  return row.toString('utf8', at, at + lengthOf(kind));
}

/** Seven bits a byte, the highest first; a ninth byte would be more than any number of ours. */
function readVarint(bytes: Buffer, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = from; at < from + 8; at += 1) {
    const byte = bytes.readUInt8(at);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: at + 1 };
  }
  throw new RangeError('A number is larger than any of ours.');
}

function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
