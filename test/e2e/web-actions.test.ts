// What a person does from the dashboard, with a real coordinator and real git: amend, retry with words, land; and a coordinator
// that dies and comes back.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PATIENCE_MS } from '../patience.given.ts';
import { heddle, ROOT } from './heddle.given.ts';

const IDENTITY = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];

function givenRepository(plan: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-actions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q', '-b', 'main', folder]);
  writeFileSync(join(folder, 'plan.yaml'), plan);
  execFileSync('git', ['-C', folder, 'add', '.']);
  execFileSync('git', ['-C', folder, ...IDENTITY, 'commit', '-qm', 'first']);
  return folder;
}

interface Dashboard {
  readonly get: (what: string) => Promise<unknown>;
  readonly post: (what: string, body: unknown) => Promise<unknown>;
}

/** `heddle web`, as seen from the page of one run. */
async function openDashboard(cwd: string, run: string): Promise<Dashboard> {
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'heddle.js'), 'web', run], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line]: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
  const [, base, token, page] = /^(.*)\/#token=([\w-]+)&to=(.*)$/.exec(String(line)) ?? [];
  const headers = { authorization: `Bearer ${token}` };
  return {
    get: async (what) => (await fetch(`${base}/api${page}/${what}`, { headers })).json(),
    post: async (what, body) =>
      (await fetch(`${base}/api${page}/${what}`, { method: 'POST', headers, body: JSON.stringify(body) })).json(),
  };
}

const SANDBOX = 'sandbox: { isolation: none }\n';

test('a run is amended as it was shown, and landed as it was shown', async () => {
  const plan = `heddle: 1\nname: shop\n${SANDBOX}tasks:\n  a: { run: echo a > a.txt }\n`;
  const folder = givenRepository(plan);
  expect(heddle(['run', '--plain'], { cwd: folder }).code).toBe(0);
  const { post } = await openDashboard(folder, 'shop-1');
  const text = `${plan}  b: { needs: [a], run: echo b > b.txt }\n`;
  expect(await post('amend/preview', { text: 'tasks: {' })).toMatchObject({ type: 'wrong', diagnostics: [{}] });
  const shown = await post('amend/preview', { text });
  expect(shown).toMatchObject({
    type: 'preview',
    preview: { expects: { added: ['b'], restarted: [], cancelled: [] } },
  });
  const other = { added: ['c'], restarted: [], cancelled: [] };
  expect(await post('amend', { text, expects: other })).toMatchObject({ type: 'outdated' });
  const expects = { added: ['b'], restarted: [], cancelled: [] };
  expect(await post('amend', { text, expects, start: true })).toEqual({ type: 'started' });
  const status = (): { readonly stage: string; readonly total: number; readonly hasCoordinator: boolean } =>
    JSON.parse(heddle(['status', '--json'], { cwd: folder }).out);
  await vi.waitFor(() => expect(status()).toMatchObject({ stage: 'ended', total: 2, hasCoordinator: false }), {
    timeout: PATIENCE_MS,
    interval: 200,
  });
  const landing = await post('land/preview', {});
  expect(landing).toMatchObject({
    type: 'ready',
    preview: { target: 'main', files: 2 },
    stat: expect.stringContaining('b.txt'),
  });
  expect(await post('land', { expects: 'something else' })).toEqual({ type: 'outdated' });
  const named = /"expects":"([^"]+)"/.exec(JSON.stringify(landing))?.[1];
  expect(await post('land', { expects: named })).toMatchObject({ type: 'landed', target: 'main' });
  expect(execFileSync('git', ['-C', folder, 'ls-tree', '--name-only', 'main'], { encoding: 'utf8' })).toContain(
    'b.txt',
  );
});

test('a task is retried with the words of a person, by a coordinator that the server starts', async () => {
  const folder = givenRepository(
    `heddle: 1\nname: told\n${SANDBOX}attempts: 1\ntasks:\n  a: { run: test -e /nowhere }\n`,
  );
  expect(heddle(['run', '--plain'], { cwd: folder }).code).toBe(1);
  const { post, get } = await openDashboard(folder, 'told-1');
  const retry = { type: 'retry', tasks: ['a'], text: 'Keep the old route.' };
  expect(await post('commands', { ...retry, start: true })).toEqual({ type: 'started' });
  await vi.waitFor(
    async () => expect(await get('status')).toMatchObject({ hasCoordinator: false, status: { stage: 'ended' } }),
    { timeout: PATIENCE_MS, interval: 200 },
  );
  expect(heddle(['events', '--raw'], { cwd: folder }).out).toContain(
    '"told":{"tasks":["a"],"text":"Keep the old route."}',
  );
});

test('a killed coordinator is reported, and the one that the server starts continues the run', async () => {
  const folder = givenRepository(`heddle: 1\nname: long\n${SANDBOX}tasks:\n  ask: { gate: Go on? }\n`);
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'heddle.js'), 'run', '--plain', '--wait', '10m'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('asks')) break;
  child.stdout.resume();
  const { post, get } = await openDashboard(folder, 'long-1');
  expect(await get('status')).toMatchObject({ hasCoordinator: true });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await get('status')).toMatchObject({ hasCoordinator: false });
  expect(await post('commands', { type: 'approve', task: 'ask' })).toEqual({ type: 'posted' });
  expect(await post('commands', { type: 'resume', tasks: [] })).toMatchObject({ type: 'vacant' });
  expect(await post('commands', { type: 'resume', tasks: [], start: true })).toEqual({ type: 'started' });
  await vi.waitFor(async () => expect(await get('status')).toMatchObject({ status: { stage: 'ended' } }), {
    timeout: PATIENCE_MS,
    interval: 200,
  });
});
