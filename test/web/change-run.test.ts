// Changes of a whole run from the page: another plan, and landing its work.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { browser, skipUnless } from '../needs.given.ts';
import { PATIENCE_MS } from '../patience.given.ts';
import { givenDashboard, goTo, openPage, PLAN_HEAD, useBrowser } from './dashboard.given.ts';

skipUnless(browser());
useBrowser();

const FIRST = `tasks:
  one: { prompt: "@write one.txt x\\\\n" }
  ship: { needs: [one], gate: "Ship it?" }
`;

test('a plan is amended as it was shown, and the page shows both plans at their positions', async () => {
  const dashboard = givenDashboard(FIRST);
  const going = dashboard.begin();
  await going.sees(({ type, task }) => type === 'task.opened' && task === 'ship');
  const page = await openPage({ url: await dashboard.serve() });
  await page.getByRole('button', { name: 'Amend …' }).click();
  const plan = page.getByLabel('The whole plan as it should be from now on');
  // The plan of the run comes first: while it comes, the browser would type behind it.
  await expect.poll(() => plan.inputValue(), { timeout: PATIENCE_MS }).toContain('Ship it?');
  await plan.fill(`${PLAN_HEAD}${FIRST}  two: { prompt: "@write two.txt x\\\\n" }\n`);
  await page.getByRole('button', { name: 'Show what it changes' }).click();
  await page.getByRole('region', { name: 'What it changes' }).getByText('two').first().waitFor();
  await page.getByRole('button', { name: 'Amend the run' }).click();
  await going.sees(({ type }) => type === 'plan.amended');
  const total = (): Promise<string | null> =>
    page.getByRole('progressbar', { name: 'Tasks done' }).getAttribute('aria-valuemax');
  await expect.poll(total, { timeout: PATIENCE_MS }).toBe('3');
  const amendedAt = (await dashboard.events()).findIndex(({ type }) => type === 'plan.amended');
  for (const [at, tasks] of [
    [amendedAt, '2'],
    [amendedAt + 1, '3'],
    [amendedAt - 1, '2'],
  ] as const) {
    await goTo(page, (hash) => `${hash.replace(/\?.*/, '')}?at=${at}`);
    await expect.poll(total, { timeout: PATIENCE_MS }).toBe(tasks);
  }
});

test('a run lands on its target as it was shown', async () => {
  const dashboard = givenDashboard('merge: { auto: manual }\ntasks:\n  one: { prompt: "@write one.txt x\\\\n" }\n');
  expect((await dashboard.heddle('run', 'plan.yaml', '--json')).code).toBe(0);
  const page = await openPage({ url: await dashboard.serve() });
  await page.getByRole('button', { name: 'Land …' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('one.txt').first().waitFor();
  await sheet.getByRole('button', { name: /^Land/ }).click();
  const files = (): string =>
    execFileSync('git', ['ls-tree', '--name-only', 'main'], { cwd: dashboard.folder, encoding: 'utf8' });
  await expect.poll(files, { timeout: PATIENCE_MS }).toContain('one.txt');
});
