// The page of examples/programs in a real browser, with the bundle of core that is published and nothing else.
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { expect, onTestFinished, test } from 'vitest';
import { browser, CHROMIUM, skipUnless } from '../needs.given.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

async function serve(): Promise<string> {
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const file = path.startsWith('/core/') ? join(ROOT, 'dist', path) : join(ROOT, 'examples', 'programs', path);
    response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain');
    // Browsers ask for an icon, too.
    if (!existsSync(file)) response.statusCode = 404;
    response.end(existsSync(file) ? readFileSync(file) : '');
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address with one.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/verify.html`;
}

skipUnless(browser());

test('the verifier says in a browser whether a plan can finish, and what is wrong with one', async () => {
  const shown = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  onTestFinished(() => shown.close());
  const page = await shown.newPage();
  const troubles: string[] = [];
  page.on('pageerror', ({ message }) => troubles.push(message));
  await page.goto(await serve());
  await page.getByText('It can always finish.').waitFor();
  expect(await page.locator('#picture svg').count()).toBe(1);
  await page.getByLabel('A plan').fill('heddle: 1\ntasks:\n  a: { needs: [b], run: x }\n');
  await page.getByText('It cannot be read as a plan.').waitFor();
  expect(await page.locator('#details').textContent()).toContain('line 3:');
  expect(troubles).toEqual([]);
});
