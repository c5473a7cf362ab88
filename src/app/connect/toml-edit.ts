// Sets texts and lists of texts in one table of a TOML file, or removes the table, and leaves every other line as it is.

export type TomlValue = string | readonly string[];

/** The table is added at the end where there is none. Undefined when nothing changes. */
export function setInToml(
  text: string,
  table: readonly [string, string],
  values: Readonly<Record<string, TomlValue>>,
): string | undefined {
  const lines = text.split('\n');
  const head = lines.findIndex((line) => isHead(line, table));
  if (head === -1) return appended(text, table, values);
  const next = lines.findIndex((line, at) => at > head && line.trimStart().startsWith('['));
  const end = next === -1 ? lines.length : next;
  const body = Object.entries(values).reduce<readonly string[]>(
    (kept, [key, value]) => withValue(kept, key, value),
    lines.slice(head + 1, end),
  );
  const after = [...lines.slice(0, head + 1), ...body, ...lines.slice(end)].join('\n');
  return after === text ? undefined : after;
}

/** With the tables inside it. Undefined when there is none. */
export function removeFromToml(text: string, table: readonly [string, string]): string | undefined {
  const lines = text.split('\n');
  const kept: string[] = [];
  let isOurs = false;
  let from = 0;
  for (let at = 0; at <= lines.length; at += 1) {
    const line = lines[at];
    if (line !== undefined && !line.trimStart().startsWith('[')) continue;
    keepPart(kept, lines.slice(from, at), isOurs);
    isOurs = line !== undefined && (isHead(line, table) || isHead(line, table, INSIDE));
    from = at;
  }
  const after = kept.join('\n');
  return after === text ? undefined : after;
}

/** Of a part that goes, what stands before the next table belongs to that table. */
function keepPart(kept: string[], part: readonly string[], isOurs: boolean): void {
  const last = isOurs ? part.findLastIndex((line) => !/^\s*(?:#|$)/u.test(line)) : -1;
  const rest = part.slice(last + 1);
  if (isOurs && kept.at(-1) === '' && rest[0] === '') kept.pop();
  kept.push(...rest);
}

/** The rest of the name of a table inside another. */
const INSIDE = String.raw`\s*\.[^\]]*`;

function isHead(line: string, [outer, inner]: readonly [string, string], rest = ''): boolean {
  const name = (word: string): string => `(?:${word}|"${word}"|'${word}')`;
  const names = String.raw`${name(outer)}\s*\.\s*${name(inner)}${rest}`;
  return new RegExp(String.raw`^\s*\[\s*${names}\s*\]\s*(?:#.*)?$`, 'u').test(line);
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

/** Replaces the line of a key, or the lines of a list that goes over several; a key that is missing becomes the first. */
function withValue(lines: readonly string[], key: string, value: TomlValue): readonly string[] {
  const line = `${key} = ${written(value)}`;
  const at = lines.findIndex((each) => new RegExp(String.raw`^\s*${key}\s*=`, 'u').test(each));
  if (at === -1) return [line, ...lines];
  const count = lines.slice(at).findIndex((_, more) => isClosed(lines.slice(at, at + more + 1).join('\n'))) + 1;
  const found = lines.slice(at, at + Math.max(1, count));
  return sameValue(found.join('\n'), value) ? lines : lines.toSpliced(at, found.length, line);
}

const TEXTS = /"(?:\\.|[^"\\])*"|'[^']*'|#.*/gu;

function isClosed(text: string): boolean {
  const bare = text.replaceAll(TEXTS, '');
  return bare.split('[').length <= bare.split(']').length;
}

/** A text of TOML without line breaks is written as one of JSON is. */
const written = (value: TomlValue): string =>
  typeof value === 'string' ? JSON.stringify(value) : `[${value.map((each) => JSON.stringify(each)).join(', ')}]`;

function sameValue(found: string, value: TomlValue): boolean {
  const texts = [...found.slice(found.indexOf('=') + 1).matchAll(TEXTS)].flatMap(([each]) =>
    each.startsWith('#') ? [] : [each.startsWith("'") ? each.slice(1, -1) : String(JSON.parse(each))],
  );
  return JSON.stringify(texts) === JSON.stringify(typeof value === 'string' ? [value] : value);
}
