// People act from the page, and the run hears them: gates, questions, comments on a diff, cancel and retry.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browser, skipUnless } from '../needs.given.ts';
import { ROOT } from '../e2e/heddle.given.ts';
import type { Going } from '../e2e/world/project.given.ts';
import { givenDashboard, openPage, useBrowser, type Dashboard } from './dashboard.given.ts';

skipUnless(browser());
useBrowser();

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true } as const;

test('a gate, a question and a permission are answered from a phone, and the run is watched to its end', async () => {
  const dashboard = givenDashboard(`tasks:
  ship: { gate: "Ship it to staging?" }
  pay: { prompt: "@once asked @ask Stripe or Adyen?\\n@write pay.txt paid\\\\n" }
  deploy: { prompt: "@use touch used.txt\\n@write deploy.txt x\\\\n" }
  last: { needs: [ship, pay, deploy], prompt: "@write last.txt x\\\\n" }
permissions: { policy: gate }
`);
  const going = dashboard.begin();
  for (const asking of ['pay', 'deploy'])
    await going.sees(({ type, task }) => type === 'claim.asked' && task === asking);
  const url = await dashboard.serve();
  const page = await openPage({ url, to: '/inbox', ...PHONE });
  const gate = page.getByRole('article', { name: 'ship' });
  await gate.getByText('Ship it to staging?').waitFor();
  await gate.getByRole('button', { name: 'Approve' }).click();
  await gate.getByText('Answered: Approve').waitFor();
  const question = page.getByRole('article', { name: 'pay' });
  await question.getByLabel('Your answer to pay').fill('Stripe');
  await question.getByRole('button', { name: 'Send the answer' }).click();
  await question.getByText('Answered: your answer').waitFor();
  const permission = page.getByRole('article', { name: 'deploy' });
  await permission.getByText('touch used.txt', { exact: true }).waitFor();
  await permission.getByRole('button', { name: 'Allow', exact: true }).click();
  await permission.getByText('Answered: Allow').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  const run = await openPage({ url });
  await run.getByText('✓ ended').first().waitFor();
  expect((await going.ended).code).toBe(0);
});

test('a second tab is told that a question was answered elsewhere', async () => {
  const dashboard = givenDashboard('tasks:\n  ship: { gate: "Ship it?" }\n');
  const going = dashboard.begin();
  const url = await servedRun(dashboard, going);
  const [one, other] = [await openPage({ url, to: '/inbox' }), await openPage({ url, to: '/inbox' })];
  for (const page of [one, other]) await page.getByRole('button', { name: 'Approve' }).waitFor();
  await one.getByRole('button', { name: 'Approve' }).click();
  await other.getByText('it was answered elsewhere').waitFor();
  expect((await going.ended).code).toBe(0);
});

test('a second tab that has not heard of the answer is told when it answers too', async () => {
  const dashboard = givenDashboard('tasks:\n  ship: { gate: "Ship it?" }\n  other: { gate: "And this?" }\n');
  const going = dashboard.begin();
  await going.sees(({ type, task }) => type === 'task.opened' && task === 'other');
  const page = await openPage({ url: await dashboard.serve(), to: '/inbox' });
  const card = page.getByRole('article', { name: 'ship' });
  await card.getByRole('button', { name: 'Approve' }).waitFor();
  // This tab hears nothing any more, as one in a tunnel does.
  await page.route('**/api/inbox', () => undefined);
  await dashboard.heddle('approve', 'ship');
  await going.sees(({ type, task }) => type === 'task.ended' && task === 'ship');
  await card.getByRole('button', { name: 'Approve' }).click();
  await page.locator('.toast').getByText('ship').waitFor();
  expect(await page.locator('.toast').textContent()).toMatch(/ship/);
});

test('the command beside an answer does the same in a shell, whatever the answer is', async () => {
  const dashboard = givenDashboard('tasks:\n  pay: { prompt: "@once asked @ask Which?\\n@write a.txt x\\n" }\n');
  const going = dashboard.begin();
  await going.sees(({ type }) => type === 'claim.asked');
  const page = await openPage({ url: await dashboard.serve(), to: '/inbox' });
  const card = page.getByRole('article', { name: 'pay' });
  const answer = `it's "$(touch pwned)" \`touch pwned\` -x`;
  await card.getByLabel('Your answer to pay').fill(answer);
  const line = await card.getByRole('button', { name: 'Copy the command' }).first().getAttribute('title');
  const heddle = `heddle() { '${process.execPath}' '${join(ROOT, 'bin', 'heddle.js')}' "$@"; }`;
  execFileSync('sh', ['-c', `${heddle}\n${line}`], { cwd: dashboard.folder });
  await going.ended;
  expect((await dashboard.heddle('turns', 'pay', '--json')).out).toContain(JSON.stringify(answer));
  expect(existsSync(dashboard.file('pwned'))).toBe(false);
});

test('everything of a question can be done by keys alone', async () => {
  const dashboard = givenDashboard('tasks:\n  ship: { gate: "Ship it?" }\n');
  const going = dashboard.begin();
  const page = await openPage({ url: await servedRun(dashboard, going), to: '/inbox' });
  await page.getByRole('button', { name: 'Reject' }).waitFor();
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement.textContent')) === 'Reject') break;
  }
  await page.keyboard.press('Enter');
  await page.getByText('Answered: Reject').waitFor();
  expect((await going.ended).code).toBe(1);
});

test('a comment on a line of the diff is the next turn of the agent', async () => {
  const dashboard = givenDashboard(`tasks:
  code: { prompt: "@write a.txt one\\\\n", check: "test -e ok" }
  hold: { gate: "Go on?" }
`);
  const going = dashboard.begin();
  await going.sees(({ type, task }) => type === 'task.ended' && task === 'code');
  const url = await dashboard.serve();
  const page = await openPage({ url });
  await page.getByRole('navigation').getByRole('link', { name: 'Task', exact: true }).click();
  await page.getByRole('tab', { name: 'Diff' }).click();
  await page.getByRole('button', { name: /^Comment on line 1 / }).click();
  await page.getByLabel('Comment on a.txt:1').fill('Say two instead.');
  await page.getByRole('button', { name: 'Send to ai as its next turn' }).click();
  const again = await going.sees(({ type, work, task, attempt }) => {
    return type === 'claim.made' && work === 'step' && task === 'code' && attempt === 2;
  });
  expect(again.task).toBe('code');
  const { out } = await dashboard.heddle('turns', 'code', '--json');
  expect(out).toContain(String.raw`About a.txt:1\n> one\n\nSay two instead.`);
});

/** The server refuses to start before there is a run. */
async function servedRun(dashboard: Dashboard, going: Going): Promise<string> {
  await going.sees(({ type }) => type === 'task.opened');
  return await dashboard.serve();
}
