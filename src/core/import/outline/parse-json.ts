// JSON as a tree with offsets, so that one word of a file can be changed and nothing else. Never throws, whatever the
// text; the nesting depth is limited.

import type { MapEntry, ScalarNode, SourceNode } from '../../plan/source/source-node.ts';

export type ParsedJson =
  | { readonly type: 'read'; readonly root: SourceNode; readonly end: number }
  | { readonly type: 'failed'; readonly offset: number; readonly says: string };

const DEPTH_MAX = 64;
const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const WORD = /true|false|null/y;

interface JsonReader {
  readonly text: string;
  at: number;
  failure: { readonly offset: number; readonly says: string } | undefined;
}

/** One value from an offset on. What stands after it is the caller's. */
export function parseJson(text: string, from = 0): ParsedJson {
  const reader: JsonReader = { text, at: from, failure: undefined };
  skipSpace(reader);
  const root = readValue(reader, 0);
  if (root === undefined)
    return { type: 'failed', ...(reader.failure ?? { offset: reader.at, says: 'a value is missing' }) };
  skipSpace(reader);
  return { type: 'read', root, end: reader.at };
}

/** A whole text that is one value. */
export function readJsonText(text: string): ParsedJson {
  const read = parseJson(text, text.startsWith('\uFEFF') ? 1 : 0);
  if (read.type === 'failed' || read.end === text.length) return read;
  return { type: 'failed', offset: read.end, says: 'there is more text after the end of the JSON' };
}

function readValue(reader: JsonReader, depth: number): SourceNode | undefined {
  if (depth > DEPTH_MAX) return fail(reader, `it nests deeper than ${DEPTH_MAX} levels`);
  const sign = reader.text.charAt(reader.at);
  if (sign === '{') return readMap(reader, depth);
  if (sign === '[') return readList(reader, depth);
  if (sign === '"') return readText(reader);
  return readWord(reader);
}

function readMap(reader: JsonReader, depth: number): SourceNode | undefined {
  const start = reader.at;
  const entries: MapEntry[] = [];
  const isRead = readMembers(reader, '}', () => {
    const key = readText(reader);
    if (key === undefined) return false;
    skipSpace(reader);
    if (!take(reader, ':')) return fail(reader, 'a colon is missing after a key') !== undefined;
    skipSpace(reader);
    const value = readValue(reader, depth + 1);
    if (value === undefined) return false;
    entries.push({ key: String(key.value), start: key.start, value });
    return true;
  });
  return isRead ? { type: 'map', start, end: reader.at, flow: true, entries } : undefined;
}

function readList(reader: JsonReader, depth: number): SourceNode | undefined {
  const start = reader.at;
  const items: SourceNode[] = [];
  const isRead = readMembers(reader, ']', () => {
    const value = readValue(reader, depth + 1);
    if (value === undefined) return false;
    items.push(value);
    return true;
  });
  return isRead ? { type: 'list', start, end: reader.at, flow: true, items } : undefined;
}

/** The comma-separated contents of two brackets. */
function readMembers(reader: JsonReader, close: string, readOne: () => boolean): boolean {
  reader.at += 1;
  skipSpace(reader);
  if (take(reader, close)) return true;
  for (;;) {
    if (!readOne()) return false;
    skipSpace(reader);
    if (take(reader, close)) return true;
    if (!take(reader, ',')) return fail(reader, `a comma or ${close} is missing`) !== undefined;
    skipSpace(reader);
  }
}

function readText(reader: JsonReader): ScalarNode | undefined {
  const start = reader.at;
  if (!take(reader, '"')) return fail(reader, 'a key in quotes is missing');
  for (let sign = ''; sign !== '"';) {
    sign = reader.text.charAt(reader.at);
    if (sign === '') return fail(reader, 'a text is not closed');
    if (sign < ' ') return fail(reader, 'a text has a line break or another control character in it');
    if (sign === '\\' && match(reader, ESCAPE) === undefined) return fail(reader, 'an escape in a text is wrong');
    if (sign !== '\\') reader.at += 1;
  }
  const value: unknown = JSON.parse(reader.text.slice(start, reader.at));
  return { type: 'scalar', start, end: reader.at, value: String(value) };
}

function readWord(reader: JsonReader): ScalarNode | undefined {
  const start = reader.at;
  const word = match(reader, WORD);
  if (word !== undefined)
    return { type: 'scalar', start, end: reader.at, value: word === 'null' ? null : word === 'true' };
  const number = match(reader, NUMBER);
  if (number === undefined)
    return fail(reader, start >= reader.text.length ? 'it ends too early' : 'a value is missing');
  return { type: 'scalar', start, end: reader.at, value: Number(number) };
}

function match(reader: JsonReader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}

function take(reader: JsonReader, sign: string): boolean {
  if (reader.text.charAt(reader.at) !== sign) return false;
  reader.at += 1;
  return true;
}

function skipSpace(reader: JsonReader): void {
  match(reader, SPACE);
}

function fail(reader: JsonReader, says: string): undefined {
  reader.failure ??= { offset: reader.at, says };
  return undefined;
}
