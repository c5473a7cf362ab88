// The documents as a whole: what they point to exists, and every page can be found from the first.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFiles } from '../../tidy/source-tree.ts';
import { ROOT } from '../heddle.given.ts';

const PAGES = listFiles().filter((path) => path.startsWith('docs/') && path.endsWith('.md'));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Without what stands in code, where brackets mean other things. */
const prose = (text: string): string => text.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, 'code');

interface Link {
  readonly page: string;
  readonly to: string;
  readonly anchor: string | undefined;
}

const isOfWeb = (path: string): boolean => /^https?:/.test(path);

const linksOf = (page: string): readonly Link[] =>
  [...prose(read(page)).matchAll(/\]\(([^)#]*)(?:#([^)]+))?\)/g)].map(([, path = '', anchor]) => ({
    page,
    to: path === '' ? page : isOfWeb(path) ? path : normalize(join(dirname(page), path)),
    anchor,
  }));

/** As people's browsers and the sites that show repositories spell them. */
const anchorsOf = (path: string): readonly string[] =>
  [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const LINKS = [...PAGES, 'README.md'].flatMap(linksOf);

describe('the documents', () => {
  test('link only to files that are there', () => {
    expect(LINKS.length).toBeGreaterThan(50);
    expect(LINKS.filter(({ to }) => !isOfWeb(to) && !existsSync(join(ROOT, to)))).toEqual([]);
  });

  test('link only to headings that are there', () => {
    const broken = LINKS.filter(({ to, anchor }) => anchor !== undefined && !anchorsOf(to).includes(anchor));
    expect(broken).toEqual([]);
  });

  test('name no place in the web that somebody would have to keep', () => {
    expect(LINKS.filter(({ to }) => isOfWeb(to))).toEqual([]);
  });

  test('can be found from the first page', () => {
    const found = new Set(
      ['docs/README.md', 'docs/promises/README.md'].flatMap((page) => linksOf(page).map(({ to }) => to)),
    );
    const listed = PAGES.filter((page) => /^docs\/(guide|cookbook|reference|promises)\//.test(page));
    expect(listed.filter((page) => !found.has(page))).toEqual([]);
  });
});

describe('a page of a promise', () => {
  const promises = PAGES.filter((page) => /^docs\/promises\/p\d+\.md$/.test(page));

  test('is there for each of the eleven, with the title that the list has', () => {
    const told = [...read('ARCHITECTURE.md').matchAll(/^- \*\*P(\d+)\*\*/gm)].map(([, number = '']) => number);
    expect(promises).toEqual(told.map((number) => `docs/promises/p${number.padStart(2, '0')}.md`).toSorted());
    const titles = promises.map((page) => /^# (P\d+): (.*)$/m.exec(read(page))).map((title) => title?.slice(1));
    for (const [number, title] of titles.map((parts) => parts ?? []))
      expect(read('docs/promises/README.md')).toMatch(new RegExp(`\\[${number ?? ''}\\].*\\| ${title ?? ''} \\|`));
  });

  test.each(promises)('%s names files that are there, and tests among them', (page) => {
    const named = [...read(page).matchAll(/^\| `([^`]+)` \|/gm)].map(([, path = '']) => path);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(named.filter((path) => /^(sim|test|bench)\/|\.test\.ts$/.test(path)).length).toBeGreaterThan(1);
  });
});
