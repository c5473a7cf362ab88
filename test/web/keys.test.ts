// Everything by keys alone: pages, tasks, tabs, replay, control, and the sheet that lists the keys.
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { browser, skipUnless } from '../needs.given.ts';
import { PATIENCE_MS } from '../patience.given.ts';
import { givenDashboard, openPage, useBrowser } from './dashboard.given.ts';

skipUnless(browser());
useBrowser();

const focused = 'document.activeElement.textContent.trim()';

/** Presses Tab until the element with a text has the focus. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(focused)) === text) return;
  }
  throw new Error(`No press of Tab leads to ${text}.`);
}

test('a person without a mouse finds a task, reads it, replays the run and cancels the task', async () => {
  const dashboard = givenDashboard(`tasks:
  slow: { run: "sleep 600" }
  part: { tasks: { ship: { gate: "Ship it?" } } }
`);
  const going = dashboard.begin();
  await going.sees(({ type, task }) => type === 'claim.made' && task === 'slow');
  await going.sees(({ type, task }) => type === 'task.opened' && task === 'part.ship');
  const page = await openPage({ url: await dashboard.serve() });
  await page.locator('main.page-run').waitFor();

  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  await page.keyboard.press('/');
  await page.keyboard.type('slow');
  await page.getByRole('link', { name: 'part.ship' }).waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Task slow' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('main.page-task').waitFor();

  await tabTo(page, 'Output');
  for (const tab of ['Diff', 'Turns', 'Checks', 'Why', 'History']) {
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tabpanel', { name: tab }).waitFor();
  }
  await page.evaluate('document.activeElement.blur()');
  for (const [key, id] of [
    ['5', 'timeline'],
    ['9', 'events'],
    ['3', 'plan'],
  ] as const) {
    await page.keyboard.press(key);
    await page.locator(`main.page-${id}`).waitFor();
  }
  await page.keyboard.press('[');
  await page.locator('.replay-past').waitFor();
  await page.keyboard.press('l');
  await page.locator('.replay-past').waitFor({ state: 'hidden' });

  await page.keyboard.press('2');
  await tabTo(page, 'Cancel');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Cancel: sure?' }).waitFor();
  await page.keyboard.press('Enter');
  await going.sees(({ type, task, to }) => type === 'task.ended' && task === 'slow' && to === 'cancelled');
});

test('subplans fold and unfold by keys, and every task of the picture is in the table', async () => {
  const dashboard = givenDashboard('tasks:\n  part: { tasks: { a: { gate: "A?" }, b: { gate: "B?" } } }\n');
  const going = dashboard.begin();
  await going.sees(({ type, task }) => type === 'task.opened' && task === 'part.b');
  const page = await openPage({ url: await dashboard.serve(), to: '/' });
  await page.locator('main.page-run').waitFor();
  await page.keyboard.press('3');
  const fold = page.getByRole('region', { name: 'Subplans' }).getByRole('button', { name: /part/ });
  await fold.waitFor();
  expect(await fold.getAttribute('aria-expanded')).toBe('true');
  await fold.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => fold.getAttribute('aria-expanded'), { timeout: PATIENCE_MS }).toBe('false');
  expect(await page.getByRole('rowheader').allTextContents()).toEqual(['part.a', 'part.b']);
  await page.getByRole('button', { name: 'Net' }).click();
  await page.getByRole('complementary', { name: 'The net as tables' }).getByText('Places with tokens').waitFor();
});
