// Reads the lines of a text of TOML: where each table and each key begins and ends, or the first line that is no TOML. It judges form
// alone: a key that is given twice, or a date that is none, is left to the program whose settings these are.

/** The lines of a head of a table, or of a key with its value, from 0, both included. */
export interface TomlStatement {
  readonly from: number;
  readonly to: number;
}

export type TomlRead =
  | { readonly type: 'read'; readonly statements: readonly TomlStatement[] }
  /** The line, from 1. */
  | { readonly type: 'fault'; readonly line: number };

export function readToml(text: string): TomlRead {
  const reader: TomlReader = { text, at: 0 };
  const statements: TomlStatement[] = [];
  let [line, counted] = [0, 0];
  const lineAt = (at: number): number => {
    line += text.slice(counted, at).split('\n').length - 1;
    counted = at;
    return line;
  };
  for (;;) {
    skip(reader, BLANK);
    if (reader.at >= text.length) return { type: 'read', statements };
    const from = lineAt(reader.at);
    const isRead = readStatement(reader);
    const to = lineAt(Math.max(counted, reader.at));
    if (!isRead || !skip(reader, END)) return { type: 'fault', line: to + 1 };
    statements.push({ from, to });
  }
}

interface TomlReader {
  readonly text: string;
  at: number;
}

const NAME = String.raw`(?:[\w-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*')`;
const NAMES = String.raw`${NAME}(?:[ \t]*\.[ \t]*${NAME})*`;
const BLANK = /(?:\s|#[^\n]*)*/uy;
const HEAD = new RegExp(String.raw`\[[ \t]*${NAMES}[ \t]*\]|\[\[[ \t]*${NAMES}[ \t]*\]\]`, 'uy');
const KEY = new RegExp(String.raw`${NAMES}[ \t]*=[ \t]*`, 'uy');
const END = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/uy;
const TEXT = /"""(?:\\[\s\S]|[^\\])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/uy;
/** Numbers, dates with a space in between, booleans. */
const BARE = /[\w+:.-]+(?: \d\d:[\w+:.-]+)?/uy;

/** Goes on behind what matches here. */
function skip(reader: TomlReader, pattern: RegExp): boolean {
  pattern.lastIndex = reader.at;
  if (!pattern.test(reader.text)) return false;
  reader.at = pattern.lastIndex;
  return true;
}

const readStatement = (reader: TomlReader): boolean => skip(reader, HEAD) || (skip(reader, KEY) && readValue(reader));

function readValue(reader: TomlReader): boolean {
  const sign = reader.text[reader.at];
  if (sign === '[') return readList(reader, ']', readValue);
  if (sign === '{') return readList(reader, '}', (inner) => skip(inner, KEY) && readValue(inner));
  return skip(reader, TEXT) || skip(reader, BARE);
}

function readList(reader: TomlReader, close: string, readItem: (reader: TomlReader) => boolean): boolean {
  const { text } = reader;
  reader.at += 1;
  for (;;) {
    skip(reader, BLANK);
    if (text[reader.at] === close) break;
    if (!readItem(reader)) return false;
    skip(reader, BLANK);
    if (text[reader.at] === close) break;
    if (text[reader.at] !== ',') return false;
    reader.at += 1;
  }
  reader.at += 1;
  return true;
}
