// The documents as a site in a real browser, from a folder: search, light and dark, and a phone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Browser, type Page } from '@playwright/test';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { writeSite } from '../../tools/site.ts';
import { browser, CHROMIUM, skipUnless } from '../needs.given.ts';

skipUnless(browser());

let folder: string;
let program: Browser;

beforeAll(async () => {
  if (browser().missing !== undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'heddle-site-'));
  writeSite(folder);
  program = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  return async () => {
    await program.close();
    rmSync(folder, { recursive: true, force: true });
  };
});

async function givenPage(width = 1280): Promise<Page> {
  const context = await program.newContext({ viewport: { width, height: 900 }, offline: true, colorScheme: 'light' });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.on('pageerror', (error) => expect.fail(error.message));
  await page.goto(`file://${folder}/index.html`);
  return page;
}

test('a page is found by its words, with the keyboard alone', async () => {
  const page = await givenPage();
  await page.keyboard.press('/');
  await page.keyboard.type('retry-after');
  await page.locator('#found [role=option]').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/reference\/traces\.html#delivery$/);
  expect(await page.title()).toBe('Traces and metrics · Heddle');
  // The list of pages is longer than the window, and shows where the reader is.
  const place = 'document.querySelector("nav [aria-current]").getBoundingClientRect().bottom';
  expect(await page.evaluate(`${place} > 0 && ${place} < innerHeight`)).toBe(true);
  await page.keyboard.press('/');
  await page.keyboard.type('zzzz');
  await page.getByText('Nothing found.').waitFor();
});

test('light and dark are the choice of the reader, and stay', async () => {
  const page = await givenPage();
  const paper = (): Promise<unknown> => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const light = await paper();
  await page.locator('#theme').click();
  const dark = await paper();
  expect(dark).not.toBe(light);
  await page.getByRole('link', { name: 'Agents', exact: true }).first().click();
  await page.waitForURL(/guide\/agents\.html$/);
  expect(await paper()).toBe(dark);
});

test.each([1280, 400])('pages can be used by everybody, on a screen of %i', async (width) => {
  const page = await givenPage(width);
  await page.getByRole('link', { name: 'traces', exact: true }).click();
  await page.waitForURL(/reference\/traces\.html$/);
  // The same class, installed twice.
  const scanned = page as unknown as ConstructorParameters<typeof AxeBuilder>[0]['page'];
  const { violations } = await new AxeBuilder({ page: scanned }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  expect(isWide).toBe(false);
});
