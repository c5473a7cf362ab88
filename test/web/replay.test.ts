// The past of a run: every position of the log shows what `heddle status` says of it, through four amendments; a position that
// is not there yet is waited for.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { browser, skipUnless } from '../needs.given.ts';
import { PATIENCE_MS } from '../patience.given.ts';
import { givenDashboard, goTo, openPage, PLAN_HEAD, useBrowser, type Dashboard } from './dashboard.given.ts';

skipUnless(browser());
useBrowser();

const AMENDMENTS = 4;

const tasksOf = (amendments: number): string =>
  [
    'tasks:',
    '  one: { prompt: "@spend usd=0.2 tokens=5\\n@write one.txt x\\n" }',
    '  broken: { prompt: "@write b.txt x\\n", check: "exit 1" }',
    '  ship: { needs: [one], gate: "Ship it?" }',
    ...Array.from({ length: amendments }, (_, at) => `  more-${at}: { run: "true" }`),
    '',
  ].join('\n');

/** A run that waits at a gate, after its plan was changed four times. */
async function givenAmendedRun(): Promise<Dashboard> {
  const dashboard = givenDashboard(tasksOf(0));
  const going = dashboard.begin();
  await going.sees(({ type, task }) => type === 'task.opened' && task === 'ship');
  await going.sees(({ type, task }) => type === 'task.ended' && task === 'broken');
  for (let count = 1; count <= AMENDMENTS; count += 1) {
    writeFileSync(dashboard.file('next.yaml'), `${PLAN_HEAD}${tasksOf(count)}`);
    const amended = await dashboard.heddle('amend', 'next.yaml', '--yes');
    expect([amended.code, amended.errors]).toEqual([0, '']);
    await going.sees(({ type, task }) => type === 'task.ended' && task === `more-${count - 1}`);
  }
  return dashboard;
}

interface ShownTask {
  readonly path: string;
  readonly stage: string;
  readonly usd: number;
  readonly attempts: number;
  readonly elapsedMs?: number;
}

/** What the page saves of the tasks that it shows. */
async function shownTasks(page: Page): Promise<readonly ShownTask[]> {
  await page.locator('.menu summary').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save JSON' }).click(),
  ]);
  // The page wrote it.
  return JSON.parse(readFileSync(await download.path(), 'utf8')) as readonly ShownTask[];
}

interface SaidTask extends Omit<ShownTask, 'path'> {
  readonly task: string;
  readonly children: readonly SaidTask[];
}

async function saidTasks(dashboard: Dashboard, at: number): Promise<readonly SaidTask[]> {
  const { out } = await dashboard.heddle('status', '--json', '--at', String(at));
  // The program wrote it.
  return (JSON.parse(out) as { readonly tasks: readonly SaidTask[] }).tasks;
}

test('every position shows the tasks as heddle status has them there, before and after each of four amendments', async () => {
  const dashboard = await givenAmendedRun();
  const events = await dashboard.events();
  const amendments = events.flatMap(({ type }, index) => (type === 'plan.amended' ? [index, index + 1] : []));
  expect(amendments).toHaveLength(2 * AMENDMENTS);
  const spread = Array.from({ length: 10 }, (_, at) => 1 + Math.floor((at * (events.length - 1)) / 9));
  const page = await openPage({ url: await dashboard.serve() });
  await page.locator('main.page-run').waitFor();
  for (const at of [...spread, ...amendments].toSorted((one, other) => ((one * 7919) % 31) - ((other * 7919) % 31))) {
    await goTo(page, (hash) => `${hash.replace(/\?.*/, '')}?at=${at}`);
    await page.getByText(`${at} of ${events.length}`).waitFor();
    const said = await saidTasks(dashboard, at);
    // Fields that are undefined are absent in both.
    const wanted = said.map(({ task, stage, usd, attempts, elapsedMs }) => ({
      path: task,
      stage,
      usd,
      attempts,
      elapsedMs,
    }));
    expect(await shownTasks(page), `position ${at}`).toMatchObject(JSON.parse(JSON.stringify(wanted)));
  }
});

test('a position past the end is waited for, and the slider jumps to each amendment', async () => {
  const dashboard = await givenAmendedRun();
  const events = await dashboard.events();
  const page = await openPage({ url: await dashboard.serve() });
  await page.locator('main.page-run').waitFor();
  await goTo(page, (hash) => `${hash.replace(/\?.*/, '')}?at=${events.length + 2}`);
  await page.getByText(`waits for event ${events.length + 2}`).waitFor();
  await dashboard.heddle('reject', 'ship');
  await page.getByText(new RegExp(`^${events.length + 2} of `)).waitFor();
  const positions: string[] = [];
  await goTo(page, (hash) => `${hash.replace(/\?.*/, '')}?at=1`);
  await page.getByText(/^1 of /).waitFor();
  for (let count = 0; count < AMENDMENTS; count += 1) {
    await page.keyboard.press('a');
    const clock = page.locator('.replay-clock');
    const before = positions.at(-1) ?? '1 of';
    await expect.poll(() => clock.textContent(), { timeout: PATIENCE_MS }).not.toContain(before);
    positions.push(/(\d+) of /.exec((await clock.textContent()) ?? '')?.[0] ?? '');
  }
  const wanted = events.flatMap(({ type }, index) => (type === 'plan.amended' ? [`${index + 1} of `] : []));
  expect(positions).toEqual(wanted);
});
