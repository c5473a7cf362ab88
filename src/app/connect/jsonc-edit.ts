// Sets or removes one value in a JSON text, with or without comments, and leaves every other character as it is.

export type JsonEdit =
  | { readonly type: 'edited'; readonly text: string }
  /** The value is there already, or was not there. */
  | { readonly type: 'same' }
  /** It is no JSON from this place on, or something else than an object is on the path. */
  | { readonly type: 'malformed'; readonly at: number };

/** What is set: plain data that JSON can hold. */
export type JsonValue = string | boolean | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export function setInJson(text: string, path: readonly string[], value: JsonValue): JsonEdit {
  if (text.trim() === '') return { type: 'edited', text: `${written(nested(path, value), '', UNIT)}\n` };
  return edited(text, (root) => setIn(text, { object: root, path, value }));
}

/** An object that nothing is left in goes too. */
export function removeFromJson(text: string, path: readonly string[]): JsonEdit {
  if (text.trim() === '') return { type: 'same' };
  return edited(text, (root) => removeFrom(text, root, path));
}

function edited(text: string, edit: (root: ObjectSpan) => JsonEdit): JsonEdit {
  try {
    const open = afterSpace(text, 0);
    const root = readObject(text, open);
    if (afterSpace(text, root.close + 1) < text.length) throw new Malformed(root.close + 1);
    return edit(root);
  } catch (cause) {
    if (cause instanceof Malformed) return { type: 'malformed', at: cause.at };
    throw cause;
  }
}

const UNIT = '  ';

class Malformed extends Error {
  readonly at: number;
  constructor(at: number) {
    super();
    this.at = at;
  }
}

interface Member {
  readonly key: string;
  /** Where the key begins. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

interface ObjectSpan {
  readonly open: number;
  readonly close: number;
  readonly members: readonly Member[];
  /** After the last member. */
  readonly hasComma: boolean;
}

interface Setting {
  readonly object: ObjectSpan;
  readonly path: readonly string[];
  readonly value: JsonValue;
}

function setIn(text: string, { object, path, value }: Setting): JsonEdit {
  const [key = '', ...rest] = path;
  const member = object.members.findLast((each) => each.key === key);
  if (member === undefined)
    return { type: 'edited', text: inserted(text, object, { key, value: nested(rest, value) }) };
  if (rest.length > 0) return setIn(text, { object: readObject(text, member.from), path: rest, value });
  const { from, to } = member;
  const unit = unitIn(text);
  const after = written(value, indentAt(text, from), unit);
  if (plain(text.slice(from, to)) === JSON.stringify(value)) return { type: 'same' };
  return { type: 'edited', text: `${text.slice(0, from)}${after}${text.slice(to)}` };
}

/** Undefined for what plain JSON cannot read, such as comments. */
function plain(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const nested = (path: readonly string[], value: JsonValue): JsonValue =>
  path.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value);

function removeFrom(text: string, { members }: ObjectSpan, [key = '', ...rest]: readonly string[]): JsonEdit {
  const index = members.findLastIndex((each) => each.key === key);
  const [member, before] = [members[index], members[index - 1]];
  if (member === undefined) return { type: 'same' };
  if (rest.length > 0) {
    const inner = readObject(text, member.from);
    const isLast = inner.members.length === 1 && inner.members[0]?.key === rest[0] && rest.length === 1;
    if (!isLast) return removeFrom(text, inner, rest);
  }
  const next = afterSpace(text, member.to);
  if (text[next] === ',') return { type: 'edited', text: joined(text.slice(0, member.at), text.slice(next + 1)) };
  const comma = before === undefined ? member.at : afterSpace(text, before.to);
  const kept = `${text.slice(0, comma)}${text.slice(comma + 1, member.at)}`;
  return {
    type: 'edited',
    text: joined(before === undefined ? text.slice(0, member.at) : kept, text.slice(member.to)),
  };
}

/** Without the line on which nothing is left; what stands behind a comment stays on a line of its own. */
function joined(before: string, after: string): string {
  const kept = before.trimEnd();
  const hadLine = before.slice(kept.length).includes('\n');
  return hadLine && !/^[ \t]*(?:\r?\n|$)/u.test(after) ? `${before}${after.trimStart()}` : `${kept}${after}`;
}

/** Before the closing bracket, after whatever comments stand there. */
function inserted(text: string, object: ObjectSpan, { key, value }: { key: string; value: JsonValue }): string {
  const { open, close, members, hasComma } = object;
  const unit = unitIn(text);
  const outer = indentAt(text, open);
  const inner = `${outer}${unit}`;
  const last = members.at(-1);
  const comma = last === undefined || hasComma ? '' : ',';
  const cut = last?.to ?? open + 1;
  const kept = text.slice(cut, close).trimEnd();
  const member = `${inner}${JSON.stringify(key)}: ${written(value, inner, unit)}`;
  return `${text.slice(0, cut)}${comma}${kept}\n${member}\n${outer}${text.slice(close)}`;
}

/** Lists stay on one line. */
function written(value: JsonValue, indent: string, unit: string): string {
  if (Array.isArray(value)) return `[${value.map((each) => JSON.stringify(each)).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}${unit}`;
  const members = Object.entries(value).map(
    ([key, each]) => `${inner}${JSON.stringify(key)}: ${written(each, inner, unit)}`,
  );
  return `{\n${members.join(',\n')}\n${indent}}`;
}

/** The indentation of the line that a place is on. */
function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? '';
}

/** The first indentation of the text is that of the first level. */
const unitIn = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? UNIT;

const SPACE = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/uy;

function afterSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.exec(text);
  return SPACE.lastIndex;
}

function readObject(text: string, open: number): ObjectSpan {
  if (text[open] !== '{') throw new Malformed(open);
  const members: Member[] = [];
  let hasComma = false;
  for (let at = afterSpace(text, open + 1); ;) {
    if (text[at] === '}') return { open, close: at, members, hasComma };
    if (members.length > 0 && !hasComma) throw new Malformed(at);
    const keyEnd = endOfText(text, at);
    const colon = afterSpace(text, keyEnd);
    if (text[colon] !== ':') throw new Malformed(colon);
    const from = afterSpace(text, colon + 1);
    const to = endOfValue(text, from);
    members.push({ key: String(JSON.parse(text.slice(at, keyEnd))), at, from, to });
    at = afterSpace(text, to);
    hasComma = text[at] === ',';
    if (hasComma) at = afterSpace(text, at + 1);
  }
}

const TEXT = /"(?:\\.|[^"\\\n])*"/uy;
const WORD = /-?\d[\d.eE+-]*|true|false|null/uy;

const endOfText = (text: string, at: number): number => endOf(TEXT, text, at);

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  if (pattern.exec(text) === null) throw new Malformed(at);
  return pattern.lastIndex;
}

function endOfValue(text: string, at: number): number {
  if (text[at] === '{') return readObject(text, at).close + 1;
  if (text[at] === '[') return endOfList(text, at);
  return text[at] === '"' ? endOfText(text, at) : endOf(WORD, text, at);
}

function endOfList(text: string, open: number): number {
  for (let at = afterSpace(text, open + 1), isFirst = true, hasComma = false; ; isFirst = false) {
    if (text[at] === ']') return at + 1;
    if (!isFirst && !hasComma) throw new Malformed(at);
    at = afterSpace(text, endOfValue(text, at));
    hasComma = text[at] === ',';
    if (hasComma) at = afterSpace(text, at + 1);
  }
}
