// The reference says what the program does: pages that are made are current, and those that are written name everything.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DRAFT_CODES } from '../../../src/core/draft/draft-finding.ts';
import { EXIT } from '../../../src/cli/terminal/exit-code.ts';
import { stalePages } from '../../../tools/reference/stale-pages.ts';
import { listFiles } from '../../tidy/source-tree.ts';
import { heddle, ROOT } from '../heddle.given.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The words in code font that begin the rows of a page's tables. */
const namedFirst = (page: string): readonly string[] =>
  [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);

test('the pages that are made from commands and schema are current; npm run reference makes them', () => {
  expect([...stalePages().keys()]).toEqual([]);
});

test('every exit code is documented, and no other', () => {
  const rows = [...read('docs/reference/exit-codes.md').matchAll(/^\| (\d+) \| `(\w+)` \|/gm)];
  expect(Object.fromEntries(rows.map(([, code, name = '']) => [name, Number(code)]))).toEqual(EXIT);
});

test('every finding of a draft is documented, and no other', () => {
  const titles = [...read('docs/reference/drafting.md').matchAll(/^### `([^`]+)`$/gm)].map(([, code = '']) => code);
  expect(titles.toSorted()).toEqual(Object.keys(DRAFT_CODES).toSorted());
  expect(heddle(['help', 'half-plan']).out).toContain('its fence is not closed');
});

const SOURCES = listFiles().filter((path) => /^(src|bin)\/.*\.[jt]s$/.test(path) && !/\.(test|given)\.ts$/.test(path));

/** Names of variables in a source: read one by one, taken apart together, or ours and OpenTelemetry's by their beginning. */
function variablesIn(text: string): readonly string[] {
  const single = [...text.matchAll(/process\.env(?:\['(\w+)'\]|\.(\w+))/g)].map(
    ([, quoted, dotted]) => quoted ?? dotted,
  );
  const taken = [...text.matchAll(/\{([^{}]*)\} = process\.env/g)].flatMap(([, names = '']) =>
    [...names.matchAll(/(\w+)(?:: \w+)?(?: = '[^']*')?(?:,|$|\s*$)/g)].map(([, name]) => name),
  );
  const ours = [...text.matchAll(/\b(?:HEDDLE|OTEL)_[A-Z]+(?:_[A-Z]+)*/g)].map(([name]) => name);
  return [...single, ...taken, ...ours].filter((name) => name !== undefined);
}

/** Numbers at the end of a name are told by their first. */
const family = (name: string): string => name.replace(/_\d+$/, '');

test('every variable that the sources read or set is documented, and no other', () => {
  const used = [...new Set(SOURCES.flatMap((path) => variablesIn(read(path))))];
  // The beginning of several names is none itself.
  const names = used.filter((name) => !used.some((other) => other.startsWith(`${name}_`)));
  const documented = namedFirst(read('docs/reference/environment.md')).map(family);
  // Set for programs of a sandbox by its plain name.
  expect([...names, 'TMPDIR'].toSorted()).toEqual(documented.toSorted());
});

test('colours are where they are wanted', () => {
  const coloured = (env: Readonly<Record<string, string>>): boolean =>
    heddle(['--help'], { env }).out.includes('\u001B[');
  expect(coloured({})).toBe(false);
  expect(coloured({ FORCE_COLOR: '1' })).toBe(true);
  expect(coloured({ FORCE_COLOR: '0' })).toBe(false);
  expect(coloured({ FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
  expect(coloured({ FORCE_COLOR: '1', NO_COLOR: '' })).toBe(true);
});
