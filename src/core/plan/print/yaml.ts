// A small YAML writer. The reader of this folder reads its output back to the same values, for any strings.
// A text is plain where that is safe, a block where it has lines, and in double quotes otherwise.

import { resolveScalar } from '../source/resolve-scalar.ts';

export type Yaml =
  | null
  | boolean
  | number
  | string
  | { readonly type: 'map'; readonly entries: readonly YamlEntry[]; readonly short: boolean }
  | { readonly type: 'list'; readonly items: readonly Yaml[]; readonly short: boolean };

/** An entry whose value is undefined is not written. */
export type YamlEntry = readonly [key: string, value: Yaml | undefined];

/** On one line where it fits, such as `{ usd: 40 }`. */
const SHORT_LENGTH_MAX = 90;

export function map(...entries: readonly YamlEntry[]): Yaml {
  return { type: 'map', entries: entries.filter(([, value]) => value !== undefined), short: false };
}

export function shortMap(...entries: readonly YamlEntry[]): Yaml {
  return { type: 'map', entries: entries.filter(([, value]) => value !== undefined), short: true };
}

export function yamlList(items: readonly Yaml[]): Yaml {
  return { type: 'list', items, short: false };
}

export function shortList(items: readonly Yaml[]): Yaml {
  return { type: 'list', items, short: true };
}

/** Data as JSON has it; a schema is such data, though its type does not say so. */
export function fromJson(value: unknown): Yaml {
  if (Array.isArray(value)) return shortList(value.map(fromJson));
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return null;
  return shortMap(...Object.entries(value).map(([key, child]): YamlEntry => [key, fromJson(child)]));
}

export function writeYaml(value: Yaml): string {
  return `${write(value, 0).replace(/^\n/, '')}\n`;
}

/** The text after the colon or dash: ` value` on the same line, or a line break and a block. */
function write(value: Yaml, indent: number): string {
  if (value === null || typeof value !== 'object') return ` ${writeScalar(value, indent)}`;
  const isEmpty = value.type === 'map' ? value.entries.length === 0 : value.items.length === 0;
  if (isEmpty) return value.type === 'map' ? ' {}' : ' []';
  const short = value.short ? flow(value) : undefined;
  if (short !== undefined && short.length + indent <= SHORT_LENGTH_MAX) return ` ${short}`;
  return value.type === 'map' ? writeMap(value.entries, indent) : writeList(value.items, indent);
}

function writeMap(entries: readonly YamlEntry[], indent: number): string {
  const pad = ' '.repeat(indent);
  return entries
    .map(([key, value]) => (value === undefined ? '' : `\n${pad}${writeKey(key)}:${write(value, indent + 2)}`))
    .join('');
}

/** A map in a list begins on the line of its dash. */
function writeList(items: readonly Yaml[], indent: number): string {
  const pad = ' '.repeat(indent);
  return items.map((item) => `\n${pad}- ${write(item, indent + 2).trimStart()}`).join('');
}

function writeScalar(value: null | boolean | number | string, indent: number): string {
  if (typeof value === 'string') return writeText(value, indent);
  return typeof value === 'number' ? writeNumber(value) : String(value);
}

/** On one line; undefined when a text in it needs several. */
function flow(value: Yaml): string | undefined {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value === 'string') return flowText(value);
  const parts = value.type === 'map' ? value.entries.map(flowEntry) : value.items.map(flow);
  if (parts.includes(undefined)) return undefined;
  if (parts.length === 0) return value.type === 'map' ? '{}' : '[]';
  return value.type === 'map' ? `{ ${parts.join(', ')} }` : `[${parts.join(', ')}]`;
}

function flowEntry([key, value]: YamlEntry): string | undefined {
  const written = value === undefined ? undefined : flow(value);
  return written === undefined ? undefined : `${writeKey(key)}: ${written}`;
}

function flowText(value: string): string | undefined {
  if (value.includes('\n')) return undefined;
  return isPlainInFlow(value) ? value : quote(value);
}

/** Words that older YAML takes for booleans; other tools may read what we print. */
const OLD_BOOLEAN = /^(?:y|n|yes|no|on|off)$/i;
const PLAIN_IN_FLOW = /^[A-Za-z0-9_/$.](?:[\w /.$@%+=*()-]*[\w/.$@%+=*()-])?$/;
/** In a block no bracket, comma or quote inside a text matters, if only it does not come first. */
const PLAIN_IN_BLOCK = /^[A-Za-z0-9_/$.(](?:[\x20-\x7E\p{L}]*[\x21-\x39\x3B-\x7E\p{L}])?$/u;
const NEEDS_ESCAPE = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;
const CONTROL = /[^\t\n\x20-\x7E\p{L}\p{N}\p{P}\p{S}\p{M}]/u;

function writeText(value: string, indent: number): string {
  if (isPlainInBlock(value)) return value;
  return isBlock(value) ? writeBlock(value, indent) : quote(value);
}

function writeKey(key: string): string {
  return isPlainInFlow(key) && !key.includes(' ') ? key : quote(key);
}

/** Large whole numbers are written with an exponent; twenty digits would be refused as not exact. */
function writeNumber(value: number): string {
  if (Object.is(value, -0)) return '-0';
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}

function isPlainInFlow(value: string): boolean {
  return PLAIN_IN_FLOW.test(value) && isText(value);
}

function isPlainInBlock(value: string): boolean {
  return PLAIN_IN_BLOCK.test(value) && !/: | #/.test(value) && isText(value);
}

/** Whether a plain word would be read as text at all. */
function isText(value: string): boolean {
  return typeof resolveScalar(value) === 'string' && !OLD_BOOLEAN.test(value);
}

/** Lines that a literal block keeps exactly as they are. */
function isBlock(value: string): boolean {
  if (!value.includes('\n') || CONTROL.test(value) || value.search(NEEDS_ESCAPE) !== -1) return false;
  const lines = value.endsWith('\n') ? value.slice(0, -1).split('\n') : value.split('\n');
  const [first = '', last = ''] = [lines[0], lines.at(-1)];
  return (
    /^[^ \t]/.test(first) && last !== '' && lines.every((line) => line === '' || /\S/.test(line)) && !/^\t/m.test(value)
  );
}

function writeBlock(value: string, indent: number): string {
  const pad = ' '.repeat(Math.max(indent, 2));
  const body = value.endsWith('\n') ? value.slice(0, -1) : value;
  const lines = body.split('\n').map((line) => (line === '' ? '' : `${pad}${line}`));
  return `|${value.endsWith('\n') ? '' : '-'}\n${lines.join('\n')}`;
}

/** JSON's escapes are YAML's too; some characters that JSON leaves alone YAML does not. */
function quote(value: string): string {
  return JSON.stringify(value).replace(
    NEEDS_ESCAPE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
