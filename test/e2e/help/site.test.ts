// The documents as a site: every page is there, every link leads somewhere, and nothing comes from elsewhere.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeSite } from '../../../tools/site.ts';
import { listFiles } from '../../tidy/source-tree.ts';

const SITE = mkdtempSync(join(tmpdir(), 'heddle-site-'));
const count = writeSite(SITE);
afterAll(() => rmSync(SITE, { recursive: true, force: true }));

const FILES = readdirSync(SITE, { recursive: true, encoding: 'utf8' });
const PAGES = FILES.filter((file) => file.endsWith('.html'));
const read = (file: string): string => readFileSync(join(SITE, file), 'utf8');

/** Without what stands in code, which loads nothing. */
const withoutCode = (html: string): string => html.replaceAll(/<code[^]*?<\/code>/g, '');

interface SiteLink {
  readonly page: string;
  readonly to: string;
  readonly anchor: string | undefined;
}

const linksOf = (page: string): readonly SiteLink[] =>
  [...withoutCode(read(page)).matchAll(/(?:href|src)="([^"#]*)(?:#([^"]*))?"/g)].map(([, path = '', anchor]) => ({
    page,
    to: path === '' ? page : normalize(join(dirname(page), path)),
    anchor,
  }));

const LINKS = PAGES.flatMap(linksOf);

test('the site has a page for every document, and no other files than are published', () => {
  const documents = listFiles().filter((path) => path.startsWith('docs/') && path.endsWith('.md'));
  expect([count, PAGES.length]).toEqual([documents.length, documents.length]);
  const others = FILES.filter(
    (file) => /\.\w+$/.test(file) && !file.endsWith('.html') && !file.startsWith('pictures/'),
  );
  expect(others.toSorted()).toEqual(['search-index.js', 'search.js', 'site.css', 'theme.js']);
});

test('links of the site lead to files and headings that are there', () => {
  expect(LINKS.length).toBeGreaterThan(1_000);
  expect(LINKS.filter(({ to }) => !existsSync(join(SITE, to)))).toEqual([]);
  const anchors = new Map(
    PAGES.map((page) => [page, new Set([...read(page).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]),
  );
  expect(LINKS.filter(({ to, anchor }) => anchor !== undefined && anchors.get(to)?.has(anchor) !== true)).toEqual([]);
});

test('nothing of the site is loaded from elsewhere', () => {
  const loads = /(?:href|src)="(?:https?:)?\/\/|url\(|@import|fetch\(|XMLHttpRequest/;
  const texts = [
    ...PAGES.map((page) => [page, withoutCode(read(page))]),
    ...['site.css', 'search.js', 'theme.js'].map((file) => [file, read(file)]),
  ];
  expect(texts.filter(([, text = '']) => loads.test(text)).map(([file]) => file)).toEqual([]);
});

test('the search knows every page and every heading', () => {
  const known = read('search-index.js');
  for (const page of PAGES) expect(known).toContain(`"${page}`);
  expect(known).toContain('reference/traces.html#metrics');
});
