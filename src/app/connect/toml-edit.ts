// Sets texts and lists of texts in one table of a TOML file, or removes the table, and leaves every other line as it is.
//
// toml-edit/T1. Only lines with which a statement begins are tables and keys: what stands in a text of several lines is none.
import { readToml } from './read-toml.ts';

export type TomlValue = string | readonly string[];

interface Line {
  readonly text: string;
  /** Of a line with which a statement begins: how many lines the statement has. */
  readonly count: number | undefined;
}

/** The table is added at the end where there is none. Undefined when nothing changes. */
export function setInToml(
  text: string,
  table: readonly [string, string],
  values: Readonly<Record<string, TomlValue>>,
): string | undefined {
  const lines = linesOf(text);
  const head = lines.findIndex((line) => isHead(line, table));
  if (head === -1) return appended(text, table, values);
  const next = lines.findIndex((line, at) => at > head && isAnyHead(line));
  const end = next === -1 ? lines.length : next;
  const body = Object.entries(values).reduce<readonly Line[]>(
    (kept, [key, value]) => withValue(kept, key, value),
    lines.slice(head + 1, end),
  );
  const after = textOf([...lines.slice(0, head + 1), ...body, ...lines.slice(end)]);
  return after === text ? undefined : after;
}

/** With the tables inside it. Undefined when there is none. */
export function removeFromToml(text: string, table: readonly [string, string]): string | undefined {
  const lines = linesOf(text);
  const kept: Line[] = [];
  let isOurs = false;
  let from = 0;
  for (let at = 0; at <= lines.length; at += 1) {
    const line = lines[at];
    if (line !== undefined && !isAnyHead(line)) continue;
    keepPart(kept, lines.slice(from, at), isOurs);
    isOurs = line !== undefined && (isHead(line, table) || isHead(line, table, INSIDE));
    from = at;
  }
  const after = textOf(kept);
  return after === text ? undefined : after;
}

function linesOf(text: string): readonly Line[] {
  const read = readToml(text);
  const statements = read.type === 'read' ? read.statements : [];
  const counts = new Map(statements.map(({ from, to }) => [from, to - from + 1]));
  return text.split('\n').map((line, at) => ({ text: line, count: counts.get(at) }));
}

const textOf = (lines: readonly Line[]): string => lines.map(({ text }) => text).join('\n');

/** Of a part that goes, what stands before the next table belongs to that table. */
function keepPart(kept: Line[], part: readonly Line[], isOurs: boolean): void {
  const last = isOurs ? part.findLastIndex(({ text }) => !/^\s*(?:#|$)/u.test(text)) : -1;
  const rest = part.slice(last + 1);
  if (isOurs && kept.at(-1)?.text === '' && rest[0]?.text === '') kept.pop();
  kept.push(...rest);
}

const isAnyHead = ({ text, count }: Line): boolean => count !== undefined && text.trimStart().startsWith('[');

/** The rest of the name of a table inside another. */
const INSIDE = String.raw`\s*\.[^\]]*`;

function isHead({ text, count }: Line, [outer, inner]: readonly [string, string], rest = ''): boolean {
  const name = (word: string): string => `(?:${word}|"${word}"|'${word}')`;
  const names = String.raw`${name(outer)}\s*\.\s*${name(inner)}${rest}`;
  return count !== undefined && new RegExp(String.raw`^\s*\[\s*${names}\s*\]\s*(?:#.*)?$`, 'u').test(text);
}

function appended(
  text: string,
  [outer, inner]: readonly [string, string],
  values: Readonly<Record<string, TomlValue>>,
): string {
  const lines = Object.entries(values).map(([key, value]) => `${key} = ${written(value)}`);
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const gap = before.trim() === '' ? '' : '\n';
  return `${before}${gap}[${outer}.${inner}]\n${lines.join('\n')}\n`;
}

/** Replaces the lines of a key; a key that is missing becomes the first. */
function withValue(lines: readonly Line[], key: string, value: TomlValue): readonly Line[] {
  const line = { text: `${key} = ${written(value)}`, count: 1 };
  const isKey = new RegExp(String.raw`^\s*${key}\s*=`, 'u');
  const at = lines.findIndex(({ text, count }) => count !== undefined && isKey.test(text));
  if (at === -1) return [line, ...lines];
  const found = lines.slice(at, at + (lines[at]?.count ?? 1));
  return sameValue(textOf(found), value) ? lines : lines.toSpliced(at, found.length, line);
}

const TEXTS = /"(?:\\.|[^"\\])*"|'[^']*'|#.*/gu;

/** A text of TOML without line breaks is written as one of JSON is. */
const written = (value: TomlValue): string =>
  typeof value === 'string' ? JSON.stringify(value) : `[${value.map((each) => JSON.stringify(each)).join(', ')}]`;

function sameValue(found: string, value: TomlValue): boolean {
  const texts = [...found.slice(found.indexOf('=') + 1).matchAll(TEXTS)].flatMap(([each]) =>
    each.startsWith('#') ? [] : [each.startsWith("'") ? each.slice(1, -1) : plainOf(each)],
  );
  return JSON.stringify(texts) === JSON.stringify(typeof value === 'string' ? [value] : value);
}

/** TOML has escapes that JSON has not; a text with one of them is none of ours. */
function plainOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
