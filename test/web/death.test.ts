// The server dies, the coordinator dies: the page says so, keeps what was typed, and goes on without a reload.
import { expect, test } from 'vitest';
import { processesOf, signal } from '../e2e/world/processes.given.ts';
import { browser, skipUnless } from '../needs.given.ts';
import { PATIENCE_MS } from '../patience.given.ts';
import { givenDashboard, openPage, useBrowser } from './dashboard.given.ts';
import { freePort } from './free-port.given.ts';

skipUnless(browser());
useBrowser();

test('an answer that met a dead server is sent to the next one, which a tab reaches as soon as another tab does', async () => {
  const dashboard = givenDashboard(
    'tasks:\n  pay: { prompt: "@once asked @ask Stripe or Adyen?\\n@write a.txt x\\\\n" }\n',
  );
  const going = dashboard.begin();
  await going.sees(({ type }) => type === 'claim.asked');
  const port = String(await freePort());
  const page = await openPage({
    url: await dashboard.serve('--port', port),
    to: '/inbox',
    complaint: 'Failed to load',
  });
  await page.getByLabel('Your answer to pay').fill('Stripe');
  dashboard.endServers();
  await page.getByRole('button', { name: 'Send the answer' }).click();
  await page.getByText('The server is away, so nothing was done.').waitFor();
  const url = await dashboard.serve('--port', port);
  await page.getByText('This tab has no access').waitFor();
  const other = await page.context().newPage();
  await other.goto(url);
  await page.getByText('This tab has no access').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Send the answer' }).click();
  await page.getByText('Answered: your answer').waitFor();
  expect((await going.ended).code).toBe(0);
  expect((await dashboard.events()).filter(({ type }) => type === 'claim.answered')).toHaveLength(1);
});

test('a run whose coordinator was killed is resumed from the page, with the answer that it was given meanwhile', async () => {
  const dashboard = givenDashboard('tasks:\n  ship: { gate: "Ship it?" }\n');
  const going = dashboard.begin();
  await going.sees(({ type }) => type === 'task.opened');
  const page = await openPage({ url: await dashboard.serve(), to: '/inbox' });
  await page.getByRole('article', { name: 'ship' }).waitFor();
  going.child.kill('SIGKILL');
  await page.getByText('The run has no coordinator').waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Sent: Approve.').waitFor();
  await page.getByRole('link', { name: 'web-1' }).click();
  await page.getByText('The coordinator is not running').waitFor();
  await page.getByRole('button', { name: 'Resume in the background' }).click();
  await page.getByText('✓ ended').first().waitFor();
  const ending = async (): Promise<unknown> => (await dashboard.events()).find(({ type }) => type === 'task.ended');
  await expect.poll(ending, { timeout: PATIENCE_MS }).toMatchObject({ task: 'ship', ending: 'done' });
});

test('a server beside a run that is killed is started again, and its tabs and the run go on', async () => {
  const dashboard = givenDashboard('tasks:\n  ship: { gate: "Ship it?" }\n  stay: { gate: "Stay?" }\n');
  const going = dashboard.start('run', 'plan.yaml', '--json', '--web', '--wait', '1h');
  await going.sees(({ type, task }) => type === 'task.opened' && task === 'stay');
  const address = (): string => /http\S+#token=[\w-]+/.exec(going.errors())?.[0] ?? '';
  await expect.poll(address, { timeout: PATIENCE_MS }).not.toBe('');
  const page = await openPage({ url: address(), to: '/inbox', complaint: 'Failed to load' });
  await page.getByRole('article', { name: 'ship' }).waitFor();
  const servers = (): readonly number[] =>
    processesOf(dashboard.folder).flatMap(({ pid, command }) => (command.includes('--with-parent') ? [pid] : []));
  const [first = 0] = servers();
  signal(first, 'SIGKILL');
  await expect.poll(() => servers().filter((pid) => pid !== first), { timeout: PATIENCE_MS }).toHaveLength(1);
  // The first click may still meet the dead server, and is told so.
  const answer = async (): Promise<boolean> => {
    const approve = page.getByRole('article', { name: 'ship' }).getByRole('button', { name: 'Approve' });
    if (await approve.isVisible()) await approve.click();
    return page.getByText('Answered: Approve').isVisible();
  };
  await expect.poll(answer, { timeout: PATIENCE_MS, interval: 500 }).toBe(true);
  await dashboard.heddle('approve', 'stay');
  expect((await going.ended).code).toBe(0);
});
