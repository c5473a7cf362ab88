// The page of the dashboard stays small and runs under a policy that forbids functions from text.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundlePage } from '../../tools/bundle-page.ts';
import { root } from './source-tree.ts';

const FIRST_LOAD_MAX = 300_000;

let folder: string;
let modules: readonly string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-page-'));
  modules = await bundlePage(root, folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');

test('the first load is at most 300 kB, compressed', () => {
  const document = read('index.html');
  const assets = [...document.matchAll(/"\/assets\/([^"]+)"/g)].map((match) => match[1] ?? '');
  expect(assets.map((name) => name.replace(/^.*\./, '')).toSorted()).toEqual(['css', 'js']);
  const size = assets.reduce((sum, name) => sum + gzipSync(read('assets', name)).length, gzipSync(document).length);
  expect(size, 'STYLE 7: load rarely used pages when they are opened').toBeLessThan(FIRST_LOAD_MAX);
});

test('no script makes functions from text or markup from text, and the parser of plans stays out', () => {
  for (const name of readdirSync(join(folder, 'assets')).filter((each) => each.endsWith('.js')))
    expect(read('assets', name), name).not.toMatch(/\bnew Function\(|\beval\(/);
  expect(modules.filter((path) => /node_modules\/(ajv|js-yaml)\//.test(path))).toEqual([]);
});

test('nothing is fetched from elsewhere', () => {
  expect(
    `${read('index.html')}${readdirSync(join(folder, 'assets'))
      .filter((name) => name.endsWith('.css'))
      .map((name) => read('assets', name))
      .join('')}`,
  ).not.toMatch(/https?:\/\//);
});
