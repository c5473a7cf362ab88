// `heddle web` as a real process: over a run that is over, beside a run that asks, and out of the reach of steps.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { PATIENCE_MS } from '../patience.given.ts';
import { isolation, skipUnless } from '../needs.given.ts';
import { heddle, ROOT } from './heddle.given.ts';

const ISOLATION = await isolation();

const PLAN =
  'heddle: 1\nname: small\nsandbox: { tree: none }\ntasks:\n  a: { run: echo hi }\n  b: { needs: [a], run: echo b }\n';

function givenFolder(plan: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-serve-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q', '-b', 'main', folder]);
  writeFileSync(join(folder, 'plan.yaml'), plan);
  return folder;
}

interface Served {
  readonly child: ChildProcess;
  readonly base: string;
  readonly token: string;
  readonly get: (path: string) => Promise<Response>;
}

/** A program of Heddle's that prints the address of a dashboard on one of its streams. */
async function started(cwd: string, words: readonly string[], stream: 'stdout' | 'stderr' = 'stdout'): Promise<Served> {
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'heddle.js'), ...words], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child[stream] });
  for await (const line of lines) {
    const [, base, token] = /(http:\/\/[^/]+)\/#token=([\w-]{43})/.exec(line) ?? [];
    if (base === undefined || token === undefined) continue;
    child[stream].resume();
    return {
      child,
      base,
      token,
      get: (path) => fetch(`${base}${path}`, { headers: { authorization: `Bearer ${token}` } }),
    };
  }
  throw new Error('No address was printed.');
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);

/** What any process of the same person can read of a process. */
const shownOf = (pid: number | undefined): string =>
  ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'latin1')).join('\n');

describe('heddle web', () => {
  test('serves the page and the whole log of a run until it is interrupted', async () => {
    const folder = givenFolder(PLAN);
    expect(heddle(['run', '--no-git'], { cwd: folder }).code).toBe(0);
    const { child, get, base } = await started(folder, ['web', 'small-1']);
    expect(await (await fetch(`${base}/`)).text()).toContain('<!doctype html>');
    const runs: unknown = await (await get('/api/runs')).json();
    expect(runs).toMatchObject({
      projects: [{ runs: [{ run: 'small-1', stage: 'ended', counts: { completed: 2 } }] }],
    });
    const id = /"id":"([\w-]+)"/.exec(JSON.stringify(runs))?.[1] ?? '';
    const stream = await get(`/api/stream?project=${id}&run=small-1`);
    let text = '';
    for await (const part of stream.body ?? []) {
      text += Buffer.from(part).toString('utf8');
      if (text.includes('"caught-up"')) break;
    }
    const { out } = heddle(['events', '--raw'], { cwd: folder });
    const streamed = [...text.matchAll(/^\{"type":"event","position":\d+,"event":(.*)\}$/gm)].map(([, event]) => event);
    expect(streamed.map((event) => JSON.parse(event ?? ''))).toHaveLength(out.trimEnd().split('\n').length);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('leaves its token in no file, environment or list of arguments', async () => {
    const folder = givenFolder(PLAN);
    heddle(['run', '--no-git'], { cwd: folder });
    const { child, token } = await started(folder, ['web']);
    for (const file of filesBelow(folder)) expect(readFileSync(file, 'latin1').includes(token), file).toBe(false);
    if (process.platform === 'linux') expect(shownOf(child.pid)).not.toContain(token);
  });

  test('says in one sentence why it cannot start', async () => {
    const folder = givenFolder(PLAN);
    expect(heddle(['web'], { cwd: folder }).errors).toMatch(/^heddle: There is no run in .*\n$/);
    heddle(['run', '--no-git'], { cwd: folder });
    const { base } = await started(folder, ['web']);
    const { port } = new URL(base);
    expect(heddle(['web', '--port', port], { cwd: folder })).toMatchObject({
      code: 2,
      errors: `heddle: Port ${port} of 127.0.0.1 is taken. Give another; 0 takes a free one.\n`,
    });
    expect(heddle(['web', '--host', '0.0.0.0'], { cwd: folder })).toMatchObject({ code: 2 });
    expect(heddle(['web', 'smal-1'], { cwd: folder }).errors).toContain('small-1');
  });
});

/** Keeps the notifications that it is sent. */
async function givenWebhook(): Promise<{ readonly address: string; readonly notes: string[] }> {
  const notes: string[] = [];
  const server: Server = createServer((request, response) => {
    request.setEncoding('utf8');
    let text = '';
    request.on('data', (part: string) => (text += part));
    request.on('end', () => {
      notes.push(text);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return { address: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`, notes };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('a link in a notification answers its question, and the dashboard ends with the run', async () => {
  const { address, notes } = await givenWebhook();
  const folder = givenFolder(
    `heddle: 1\nname: asks\nsandbox: { tree: none }\nnotify: { webhook: "${address}", on: [needed] }\ntasks:\n  ship: { gate: Ship it? }\n`,
  );
  const port = await freePort();
  const words = ['run', '--no-git', '--plain', '--web', '--web-port', String(port), '--wait', '10m'];
  const run = await started(folder, [...words, '--public-url', `http://localhost:${port}`], 'stderr');
  await vi.waitFor(() => expect(notes).toHaveLength(1), { timeout: PATIENCE_MS, interval: 50 });
  const [, ticket] = /"link":"[^"#]+\/answer#([\w.-]+)"/.exec(notes[0] ?? '') ?? [];
  const headers = { authorization: `Ticket ${ticket}` };
  const ask = (init: RequestInit = {}): Promise<Response> =>
    fetch(`http://localhost:${port}/api/answer`, { headers, ...init });
  expect(await (await ask()).json()).toMatchObject({ item: { task: 'ship', text: 'Ship it?' } });
  const exit = once(run.child, 'exit');
  const answered = await ask({ method: 'POST', body: JSON.stringify({ answer: 'approve' }) });
  expect(await answered.json()).toMatchObject({ type: 'replied', replies: [{ reply: { takesEffect: true } }] });
  expect(await exit).toEqual([0, null]);
  await vi.waitFor(() => expect(fetch(run.base)).rejects.toThrow(), { timeout: PATIENCE_MS, interval: 50 });
});

describe('a step in a sandbox', () => {
  skipUnless(ISOLATION);

  test('does not reach the server of its own run', async () => {
    const folder = givenFolder(PLAN);
    execFileSync('git', ['-C', folder, 'add', '.']);
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first']);
    heddle(['run', '--no-git'], { cwd: folder });
    const { base } = await started(folder, ['web']);
    const { port } = new URL(base);
    const reach = `if bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}'; then echo reached; exit 1; fi; echo apart`;
    const plan = `heddle: 1\nname: reach\nsandbox: { isolation: os }\ntasks:\n  a:\n    run: |\n      ${reach}\n`;
    writeFileSync(join(folder, 'reach.yaml'), plan);
    expect(heddle(['run', 'reach.yaml', '--plain'], { cwd: folder })).toMatchObject({ code: 0 });
    expect(heddle(['logs', 'a', '--run', 'reach-1'], { cwd: folder }).out).toContain('apart');
  });
});
