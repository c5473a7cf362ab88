// Every page is readable by all: in light and dark, on a desk and on a phone, no violation that axe finds, and no page wider than
// its screen.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { browser, skipUnless } from '../needs.given.ts';
import { goTo, openPage, useBrowser } from './dashboard.given.ts';
import { givenHostileRun } from './hostile-run.given.ts';

skipUnless(browser());
useBrowser();

const PAGES = ['run', 'plan', 'task', 'timeline', 'money', 'pools', 'merge', 'events'] as const;
const DESK = { width: 1440, height: 900 } as const;
const PHONE = { width: 360, height: 740 } as const;

/** Other states of pages: views, tabs, the past. */
const STATES = [
  'run?view=table&task=ship',
  'plan?show=net',
  'plan?task=broken',
  'timeline?lanes=slot',
  'events?event=1',
  'run?at=3',
  ...['diff', 'turns', 'checks', 'why', 'history'].map((tab) => `task?task=broken&tab=${tab}`),
];

const CASES = [
  { colorScheme: 'light', viewport: DESK, states: [...PAGES, ...STATES] },
  { colorScheme: 'light', viewport: PHONE, states: PAGES },
  { colorScheme: 'dark', viewport: DESK, states: PAGES },
  { colorScheme: 'dark', viewport: PHONE, states: PAGES },
] as const;

async function examine(page: Page, what: string): Promise<void> {
  // The package of axe has types of another version of the same class.
  const scanned = page as unknown as ConstructorParameters<typeof AxeBuilder>[0]['page'];
  const { violations } = await new AxeBuilder({ page: scanned })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  expect(found, what).toEqual([]);
  const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(wide, `${what} is no wider than the screen`).toBeLessThanOrEqual(0);
}

test('no page violates accessibility or is wider than its screen, in light and dark, on a desk and on a phone', async () => {
  const { url } = await givenHostileRun();
  for (const { colorScheme, viewport, states } of CASES) {
    const page = await openPage({ url, colorScheme, viewport, reducedMotion: 'reduce' });
    const where = `${colorScheme}, ${viewport.width} px`;
    await page.locator('main.page-run').waitFor();
    for (const state of states) {
      await goTo(page, (hash) => hash.replace(/\/[a-z]+(?:\?.*)?$/, `/${state}`));
      await page.locator(`main.page-${state.replace(/\?.*/, '')}`).waitFor();
      await examine(page, `${state}, ${where}`);
    }
    for (const id of ['Inbox', 'Runs']) {
      await goTo(page, () => `#/${id.toLowerCase()}`);
      await page.getByRole('heading', { level: 1, name: id }).waitFor();
      await examine(page, `${id}, ${where}`);
    }
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await examine(page, `keys, ${where}`);
  }
});
