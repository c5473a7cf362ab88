// Pages over one run: foreign text stays text, wrong and foreign addresses are told apart, a cut stream goes on.
import { createServer, connect, type Socket } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, onTestFinished, test } from 'vitest';
import { damageStore } from '../../src/app/web/damage-store.given.ts';
import type { Line } from '../e2e/world/project.given.ts';
import { browser, skipUnless } from '../needs.given.ts';
import { PATIENCE_MS } from '../patience.given.ts';
import { givenDashboard, goTo, openPage, useBrowser } from './dashboard.given.ts';
import { freePort, portOf } from './free-port.given.ts';
import { givenHostileRun } from './hostile-run.given.ts';

skipUnless(browser());
useBrowser();

const TABS = ['Output', 'Diff', 'Turns', 'Checks', 'Why', 'History'] as const;

const toPage = async (page: Page, id: string): Promise<void> => {
  await goTo(page, (hash) => hash.replace(/\/[a-z]+(?:\?.*)?$/, `/${id}`));
  await page.locator(`main.page-${id}`).waitFor();
};

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
  await page.getByText('if (isAdmin[U+202E]) {').waitFor();
  await page.getByLabel('Another task').selectOption('broken');
  await page.getByRole('tab', { name: 'Checks' }).click();
  await page.getByText('<script>alert(3)</script>').first().waitFor();
  await goTo(page, () => '#/inbox');
  await page.getByText('<script>alert(4)</script> Ship it?').waitFor();
  expect(await page.locator('img, script:not([src])').count()).toBe(0);
});

test('a damaged log is shown as far as it reads, and a store that cannot be read is no store without runs', async () => {
  const dashboard = givenDashboard('tasks:\n  a: { run: "true" }\n  b: { needs: [a], run: "true" }\n');
  expect((await dashboard.heddle('run')).code).toBe(0);
  damageStore(dashboard.folder, `UPDATE events SET json = json || ' ' WHERE position = 5`);
  const page = await openPage({ url: await dashboard.serve(), complaint: 'status of 503' });
  await page.getByText('The log reads up to event 5, which is shown. The log of the run web-1 is broken').waitFor();
  await page.getByText('1 waiting').first().waitFor();
  expect(await page.getByText('heddle resume web-1').count()).toBe(0);
  writeFileSync(join(dashboard.folder, '.heddle', 'store.sqlite'), 'no store at all, and no runs in it'.repeat(100));
  await goTo(page, () => '#/runs');
  await page.getByText('is damaged or is not a store').waitFor();
  expect(await page.getByText('No run yet').count()).toBe(0);
});

test('the prefixes of the merge queue are seen while they are under check', async () => {
  const check = 'until [ -e "$HEDDLE_HOME/go" ]; do sleep 0.1; done';
  const dashboard = givenDashboard(
    `merge: { check: '${check}' }\ntasks:\n  a: { run: echo a > a.txt }\n  b: { needs: [a], run: echo b > b.txt }\n`,
  );
  const going = dashboard.start('run', '--json');
  await going.sees(({ type, work }) => type === 'claim.made' && work === 'merge');
  const page = await openPage({ url: await dashboard.serve() });
  await page.locator('main.page-run').waitFor();
  await toPage(page, 'merge');
  await page.getByRole('list', { name: 'Prefixes under check' }).getByText(/^a /).waitFor();
  writeFileSync(join(dashboard.folder, '.heddle', 'go'), '');
  expect((await going.ended).code).toBe(0);
  await page.getByText('Nothing.').waitFor();
  expect(await page.getByRole('list', { name: 'Prefixes under check' }).count()).toBe(0);
});

test('an address with a wrong name says which name is near', async () => {
  const { url } = await givenHostileRun();
  const page = await openPage({ url, complaint: 'status of 404' });
  await page.locator('main.page-run').waitFor();
  await goTo(page, (hash) => hash.replace('/r/web-1', '/r/wbe-1'));
  await page.getByText('There is no run wbe-1 here. Did you mean web-1?').waitFor();
});

test('an address without the token works in another tab of the same browser, and in no other browser', async () => {
  const { url } = await givenHostileRun();
  const page = await openPage({ url, complaint: '401' });
  await page.locator('main.page-run').waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.locator('main.page-run').waitFor();
  const stranger = await openPage({ url: page.url(), complaint: '401' });
  await stranger.getByText('This tab has no access').waitFor();
});

test('a run that is named on the command line is shown first, though another began later', async () => {
  const { dashboard } = await givenHostileRun();
  const second = dashboard.begin();
  await second.sees(({ type }) => type === 'task.opened');
  const page = await openPage({ url: await dashboard.serve('web-1'), keepsPlace: true });
  await page.getByRole('heading', { level: 1, name: 'web-1' }).waitFor();
});

test('a dashboard that is read-only shows everything and offers nothing', async () => {
  const { dashboard } = await givenHostileRun();
  const page = await openPage({ url: await dashboard.serve('--read-only'), to: '/' });
  await page.locator('main.page-run').waitFor();
  await page.getByRole('link', { name: 'ship' }).click();
  const approve = page.getByRole('complementary').getByRole('button', { name: 'Approve' });
  await approve.waitFor();
  expect(await approve.isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: /Amend|Land/ }).count()).toBe(0);
});

test('a line of ten megabytes is cut with a mark, and what was printed before it can be reached', async () => {
  const dashboard = givenDashboard(`tasks:
  long: { run: "echo first; head -c 10000000 /dev/zero | tr '\\\\0' x; echo; echo last" }
`);
  expect((await dashboard.heddle('run', 'plan.yaml', '--no-git', '--json')).code).toBe(0);
  const page = await openPage({ url: await dashboard.serve() });
  await page.locator('main.page-run').waitFor();
  await toPage(page, 'task');
  await page.getByText('last', { exact: true }).waitFor();
  await page.getByText('more characters').waitFor();
  // The start of the list comes into sight again and again, and what was before it is loaded: over two parts of the output.
  await page.getByRole('checkbox', { name: 'following' }).uncheck();
  await page.getByRole('button', { name: /^Earlier output/ }).waitFor();
  const showEarlier = async (): Promise<boolean> => {
    await page.evaluate("document.querySelector('.output .tool-row > .button')?.click()");
    return page.getByText('first', { exact: true }).isVisible();
  };
  await expect.poll(showEarlier, { timeout: PATIENCE_MS }).toBe(true);
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

test('a stream that is cut goes on where it was, without a gap and without a repeat', async () => {
  const dashboard = givenDashboard(
    'tasks:\n  one: { gate: "Go?" }\n  two: { needs: [one], prompt: "@write a.txt x\\n" }\n',
  );
  const going = dashboard.begin();
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
  const going = dashboard.begin();
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
