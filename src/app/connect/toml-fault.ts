// Finds the first line of a text that is no TOML, so that a broken file of settings is not edited. It judges form alone: a key
// that is given twice, or a date that is none, is left to the program whose settings these are.

/** The line, from 1; undefined where every line can be read. */
export function tomlFault(text: string): number | undefined {
  const reader: TomlReader = { text, at: 0 };
  for (;;) {
    skip(reader, BLANK);
    if (reader.at >= text.length) return undefined;
    const from = reader.at;
    if (!readLine(reader)) return text.slice(0, Math.max(from, reader.at)).split('\n').length;
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

const readLine = (reader: TomlReader): boolean =>
  (skip(reader, HEAD) || (skip(reader, KEY) && readValue(reader))) && skip(reader, END);

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
