// Settings of agents as values: JSON with comments, and the part of TOML in which servers are written. What cannot be read
// counts as empty, because the agent reports faults of its settings itself.

export type Table = { readonly [key: string]: unknown };

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const tableAt = (table: Table, key: string): Table => {
  const value = table[key];
  return isTable(value) ? value : {};
};

/** Comments and commas before a closing bracket are left out; texts stay as they are. */
const BESIDES = /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu;
const LAST_COMMA = /("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/gu;

export function readJsonTable(text: string): Table {
  const plain = text.replaceAll(BESIDES, (_, kept = '') => kept).replaceAll(LAST_COMMA, (_, kept = '') => kept);
  const value = parsed(plain);
  return isTable(value) ? value : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const KEY = String.raw`(?:[\w-]+|"(?:\\.|[^"\\])*"|'[^']*')`;
const HEAD = new RegExp(String.raw`^\[\s*(${KEY}(?:\s*\.\s*${KEY})*)\s*\]\s*(?:#.*)?$`, 'u');
const PAIR = new RegExp(String.raw`^(${KEY}(?:\s*\.\s*${KEY})*)\s*=\s*(.*)$`, 'su');

/** Tables, texts, lists of texts, inline tables and booleans; what else TOML has is passed by. */
export function readTomlTable(text: string): Table {
  const whole: Record<string, unknown> = {};
  let at: readonly string[] = [];
  for (const line of logicalLines(text)) {
    const head = HEAD.exec(line)?.[1];
    const [, key, value] = PAIR.exec(line) ?? [];
    // A list of tables holds no servers.
    if (line.startsWith('[')) at = head === undefined ? [''] : keysIn(head);
    else if (key !== undefined && value !== undefined) put(whole, [...at, ...keysIn(key)], tomlValue(value));
  }
  return whole;
}

/** A list or an inline table may go on over several lines. */
function logicalLines(text: string): readonly string[] {
  const lines: string[] = [];
  let open = '';
  for (const line of text.split('\n')) {
    const joined = open === '' ? line.trim() : `${open}\n${line.trim()}`;
    const isOpen = PAIR.test(joined) && depthOf(joined) > 0 && joined.length < LINE_LENGTH_MAX;
    open = isOpen ? joined : '';
    if (!isOpen) lines.push(joined);
  }
  return lines;
}

const LINE_LENGTH_MAX = 100_000;

const TEXT_OR_COMMENT = /"(?:\\.|[^"\\])*"|'[^']*'|#.*/gu;

function depthOf(line: string): number {
  const bare = line.replaceAll(TEXT_OR_COMMENT, '');
  return [...bare].reduce((depth, sign) => depth + ('[{'.includes(sign) ? 1 : ']}'.includes(sign) ? -1 : 0), 0);
}

const keysIn = (dotted: string): readonly string[] =>
  [...dotted.matchAll(new RegExp(KEY, 'gu'))].map(([key]) => (/^["']/.test(key) ? String(tomlValue(key)) : key));

/** Written as JSON and read as such. */
function tomlValue(text: string): unknown {
  const json = text
    .replaceAll(new RegExp(String.raw`'([^']*)'|("(?:\\.|[^"\\])*")|#.*$|(${KEY})\s*=`, 'gmu'), (...found) => {
      const [, literal, basic, key] = found.map((part: unknown) => (typeof part === 'string' ? part : undefined));
      if (literal !== undefined) return JSON.stringify(literal);
      if (basic !== undefined) return basic;
      return key === undefined ? '' : `${JSON.stringify(key)}:`;
    })
    .trim();
  return parsed(json.replaceAll(LAST_COMMA, (_, kept = '') => kept));
}

function put(whole: Record<string, unknown>, keys: readonly string[], value: unknown): void {
  const [first = '', ...rest] = keys;
  if (rest.length === 0) {
    whole[first] = value;
    return;
  }
  const inner: Record<string, unknown> = { ...tableAt(whole, first) };
  put(inner, rest, value);
  whole[first] = inner;
}
