// Every page over one run: readable by all, in light and dark, on a phone; foreign text stays text; the past is shown as it was.
import { createServer, connect, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, onTestFinished, test } from 'vitest';
import type { Line } from '../e2e/world/project.given.ts';
import { browser, skipUnless } from '../needs.given.ts';
import { PATIENCE_MS } from '../patience.given.ts';
import { givenDashboard, goTo, openPage, useBrowser, type Dashboard } from './dashboard.given.ts';

skipUnless(browser());
useBrowser();

const OF_RUN = ['run', 'plan', 'task', 'timeline', 'money', 'pools', 'merge', 'events'] as const;
const TABS = ['Output', 'Diff', 'Turns', 'Checks', 'Why', 'History'] as const;

/** A run that is over but for a question, with text that wants to be more than text. */
async function givenHostileRun(): Promise<{ readonly dashboard: Dashboard; readonly url: string }> {
  const dashboard = givenDashboard(`pools: { models: 2 }
budget: { usd: 5 }
tasks:
  code:
    description: "<script>alert(1)</script>"
    prompt: |
      @spend usd=0.2 tokens=100
      @run printf '<img src=x onerror=alert(1)> \\033[31mred\\033[0m \\033]0;title\\007 \\342\\200\\256evil\\n'
      @write <b>.txt <script>alert(2)</script>\\n
  broken: { prompt: "@write b.txt x\\\\n", check: "echo '<script>alert(3)</script>'; exit 1" }
  ship: { needs: [code], gate: "<script>alert(4)</script> Ship it?" }
`);
  const going = dashboard.start('run', 'plan.yaml', '--json');
  await going.sees(({ type, task }) => type === 'task.ended' && task === 'code');
  await going.sees(({ type, task }) => type === 'task.ended' && task === 'broken');
  return { dashboard, url: await dashboard.serve() };
}

const toPage = async (page: Page, id: string): Promise<void> => {
  await goTo(page, (hash) => hash.replace(/\/[a-z]+(?:\?.*)?$/, `/${id}`));
  await page.locator(`main.page-${id}`).waitFor();
};

async function violationsOn(page: Page): Promise<readonly string[]> {
  // The package of axe has types of another version of the same class.
  const scanned = page as unknown as ConstructorParameters<typeof AxeBuilder>[0]['page'];
  const { violations } = await new AxeBuilder({ page: scanned }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

test('every page has no violation of accessibility, in light and dark, on a desk and on a phone', async () => {
  const { url } = await givenHostileRun();
  for (const colorScheme of ['light', 'dark'] as const) {
    const viewport = colorScheme === 'light' ? { width: 1440, height: 900 } : { width: 360, height: 740 };
    const page = await openPage({ url, colorScheme, viewport, reducedMotion: 'reduce' });
    await page.locator('main.page-run').waitFor();
    for (const id of OF_RUN) {
      await toPage(page, id);
      expect(await violationsOn(page), `${id}, ${colorScheme}`).toEqual([]);
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      expect(wide, `${id} fits its width`).toBeLessThanOrEqual(viewport.width);
    }
    for (const id of ['Inbox', 'Runs']) {
      await goTo(page, () => `#/${id.toLowerCase()}`);
      await page.getByRole('heading', { level: 1, name: id }).waitFor();
      expect(await violationsOn(page), `${id}, ${colorScheme}`).toEqual([]);
    }
  }
});

test('what agents, plans and checks say is shown as text, with its marks in sight', async () => {
  const { url } = await givenHostileRun();
  const page = await openPage({ url });
  await page.locator('main.page-run').waitFor();
  await toPage(page, 'task');
  await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
  expect(await page.locator('.output-line .ansi-1').first().textContent()).toBe('red');
  await page.getByText('[U+202E]').first().waitFor();
  for (const name of TABS) {
    await page.getByRole('tab', { name }).click();
    await page.getByRole('tabpanel', { name }).waitFor();
  }
  await page.getByRole('tab', { name: 'Diff' }).click();
  await page.getByText('<script>alert(2)</script>').first().waitFor();
  await page.getByLabel('Another task').selectOption('broken');
  await page.getByRole('tab', { name: 'Checks' }).click();
  await page.getByText('<script>alert(3)</script>').first().waitFor();
  await goTo(page, () => '#/inbox');
  await page.getByText('<script>alert(4)</script> Ship it?').waitFor();
  expect(await page.locator('img, script:not([src])').count()).toBe(0);
});

test('each position of the log shows the counts that the status has there', async () => {
  const { url } = await givenHostileRun();
  const page = await openPage({ url });
  await page.locator('main.page-run').waitFor();
  const [, project = '', run = ''] = /#\/p\/([^/]+)\/r\/([^/]+)/.exec(page.url()) ?? [];
  const read = async (path: string): Promise<unknown> => {
    const token = /token=([^&]+)/.exec(url)?.[1] ?? '';
    const address = `${new URL(url).origin}/api/p/${project}/r/${run}/${path}`;
    return (await fetch(address, { headers: { authorization: `Bearer ${token}` } })).json();
  };
  for (const at of [1, 2, 3, 4, 5, 6, 8, 10, 12, 15]) {
    await goTo(page, (hash) => `${hash.replace(/\?.*/, '')}?at=${at}`);
    // The server wrote it, and only these fields of it are looked at.
    const { status } = (await read(`status?at=${at}`)) as {
      readonly status: { readonly total: number; readonly counts: { readonly completed: number } };
    };
    const bar = page.getByRole('progressbar', { name: 'Tasks done' });
    await expect
      .poll(() => bar.getAttribute('aria-valuenow'), { timeout: PATIENCE_MS })
      .toBe(String(status.counts.completed));
    expect(await bar.getAttribute('aria-valuemax')).toBe(String(status.total));
  }
});

test('an address with a wrong name says which name is near', async () => {
  const { url } = await givenHostileRun();
  const page = await openPage({ url, complaint: 'status of 404' });
  await page.locator('main.page-run').waitFor();
  await goTo(page, (hash) => hash.replace('/r/web-1', '/r/wbe-1'));
  await page.getByText('There is no run wbe-1 here. Did you mean web-1?').waitFor();
});

interface Cable {
  readonly port: number;
  /** Leads to a port; to none, every connection fails. */
  readonly leadTo: (port: number | undefined) => void;
  readonly cut: () => void;
}

/** Stands between the page and the server, so that the connection can be cut. */
async function givenCable(): Promise<Cable> {
  const sockets = new Set<Socket>();
  let target: number | undefined;
  const server = createServer((socket) => {
    if (target === undefined) return void socket.destroy();
    const onward = connect(target, '127.0.0.1');
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on('error', () => each.destroy());
      each.on('close', () => sockets.delete(each));
    }
    socket.pipe(onward).pipe(socket);
  });
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return { port: await portOf(server), leadTo: (port) => (target = port), cut };
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

/** Free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

test('a stream that is cut goes on where it was, without a gap and without a repeat', async () => {
  const dashboard = givenDashboard(
    'tasks:\n  one: { gate: "Go?" }\n  two: { needs: [one], prompt: "@write a.txt x\\n" }\n',
  );
  const going = dashboard.start('run', 'plan.yaml', '--json');
  await going.sees(({ type }) => type === 'task.opened');
  const [cable, port] = [await givenCable(), await freePort()];
  const url = await dashboard.serve('--port', String(port), '--public-url', `http://127.0.0.1:${cable.port}`);
  cable.leadTo(port);
  const page = await openPage({ url, complaint: 'net::ERR_' });
  await page.locator('main.page-run').waitFor();
  await toPage(page, 'task');
  await toPage(page, 'events');
  await page.locator('.event-row').first().waitFor();
  cable.leadTo(undefined);
  cable.cut();
  await page.getByText('The server is away.').waitFor();
  await toPage(page, 'task');
  await page.getByText('The server is away, so nothing was done. Try again when it is back.').waitFor();
  await toPage(page, 'events');
  await dashboard.heddle('approve', 'one');
  await going.ended;
  cable.leadTo(port);
  const wanted = (await dashboard.events()).map((_, at) => String(at + 1));
  await expect
    .poll(() => page.locator('.event-row > :first-child').allTextContents(), { timeout: PATIENCE_MS })
    .toEqual(wanted);
});

test('a task is cancelled and tried again from the page', async () => {
  const dashboard = givenDashboard(
    'tasks:\n  slow: { run: "test -e ../../../../go || sleep 600" }\n  ship: { gate: "Ship?" }\n',
  );
  const going = dashboard.start('run', 'plan.yaml', '--json');
  await going.sees(({ type, task }) => type === 'claim.made' && task === 'slow');
  const page = await openPage({ url: await dashboard.serve() });
  await page.locator('main.page-run').waitFor();
  await goTo(page, (hash) => `${hash.replace(/\?.*/, '')}?task=slow`);
  const pane = page.getByRole('complementary', { name: 'Task slow' });
  await pane.getByRole('button', { name: 'Cancel', exact: true }).click();
  await pane.getByRole('button', { name: 'Cancel: sure?' }).click();
  await going.sees(({ type, task, to }) => type === 'task.ended' && task === 'slow' && to === 'cancelled');
  await pane.getByRole('button', { name: 'Retry', exact: true }).click();
  const again = ({ type, task, attempt }: Line): boolean => type === 'claim.made' && task === 'slow' && attempt === 2;
  expect(await going.sees(again)).toMatchObject({ task: 'slow' });
});
