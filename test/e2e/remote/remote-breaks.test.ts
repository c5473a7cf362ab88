// What goes wrong between a client and a server: each end goes away, many come at once, and callers mean harm.
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { skipUnless } from '../../needs.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';
import { clientOf, givenFolder, givenServed, postTo, posted, type GivenServed } from './served.given.ts';

const ASKS = `heddle: 1
name: asks
sandbox: { tree: none }
tasks:
  a: { run: echo hi }
  ship: { needs: [a], gate: Ship it? }
`;

const soon = { timeout: PATIENCE_MS, interval: 50 };

/** Processes that a server has started for commands, by their parent, which nobody can fake. */
function executing(parent: number): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state, of] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const isOurs = Number(of) === parent && state !== 'Z';
      return isOurs && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('execute') ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

async function givenAsking(): Promise<GivenServed> {
  const served = await givenServed({ 'a.txt': 'a\n' });
  const client = served.client({ 'plan.yaml': ASKS });
  expect(await client.ask(['run', '--no-git', '--detach'])).toMatchObject({ code: 0, out: 'asks-1\n' });
  return served;
}

describe('on a system that lists its processes', () => {
  skipUnless({ name: 'other', missing: existsSync('/proc/self/stat') ? undefined : 'there is no /proc here' });

  test('a client that goes away ends its command at once, and not the run', async () => {
    const served = await givenAsking();
    const client = served.client();
    const following = client.start(['events', '--follow']);
    await vi.waitFor(() => expect(executing(served.server.pid ?? 0)).toHaveLength(1), soon);
    following.child.kill('SIGKILL');
    await vi.waitFor(() => expect(executing(served.server.pid ?? 0)).toEqual([]), soon);
    expect((await client.ask(['status'])).out).toContain('Ship it?');
  });

  test('a server that is killed takes its commands along', async () => {
    const served = await givenAsking();
    const following = served.client().start(['events', '--follow']);
    let pids: readonly number[] = [];
    await vi.waitFor(() => expect((pids = executing(served.server.pid ?? 0))).toHaveLength(1), soon);
    await vi.waitFor(() => expect(following.printed()).toContain('task.opened'), soon);
    served.server.kill('SIGKILL');
    const { code, errors } = await following.ended;
    expect(code).toBe(3);
    expect(errors).toMatch(/^heddle: The connection to \S+ broke off\.\n$/);
    await vi.waitFor(() => expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]), soon);
  });
});

test('an interrupt ends the following of a run, and says that the run goes on', async () => {
  const served = await givenServed();
  const client = served.client({ 'plan.yaml': ASKS });
  const following = client.start(['run', '--no-git', '--wait', '10m']);
  await vi.waitFor(() => expect(following.printed()).toContain('ship asks'), soon);
  following.child.kill('SIGINT');
  const ran = await following.ended;
  expect(ran.code).toBe(130);
  expect(ran.errors).toContain(`asks-1 goes on there; heddle watch asks-1 --on ${served.url} shows it again`);
  expect((await client.ask(['approve', 'ship'])).code).toBe(0);
  await vi.waitFor(async () => expect((await client.ask(['status'])).out).toContain('2 of 2'), soon);
});

test('twenty clients at once are all served', async () => {
  const served = await givenAsking();
  const client = served.client({}, 'reader');
  const all = await Promise.all(Array.from({ length: 20 }, () => client.ask(['runs', '--json'])));
  for (const ran of all) expect(ran).toMatchObject({ code: 0, errors: '', out: all[0]?.out });
  expect(all[0]?.out).toContain('asks-1');
});

describe('a call of another program', () => {
  const NOTHING = '"type":"exit","code":2';

  test('is refused where it is none for another machine', async () => {
    const served = await givenServed();
    const before = readdirSync(served.folder).toSorted();
    const calls: readonly (readonly [what: string, words: readonly string[], told: string])[] = [
      ['an internal command', ['execute'], NOTHING],
      ['the coordinator', ['coordinate', 'x'], NOTHING],
      ['what completes words', ['complete', 'status', ''], NOTHING],
      ['a command that serves', ['web', '--host', '0.0.0.0', '--insecure'], NOTHING],
      ['an option of the runtime', ['--require', '/tmp/evil.js'], NOTHING],
      ['another server', ['--on', 'http://127.0.0.1:1', 'status', 'none'], NOTHING],
      ['a folder of the server to write into', ['recover', 'x', '--into', '/tmp/heddle-never'], NOTHING],
      ['a path instead of a run', ['status', '../../../etc/passwd'], NOTHING],
      ['a word of five megabytes', ['status', 'x'.repeat(5 * 1024 * 1024)], NOTHING],
      ['a NUL', ['status', 'a\0b'], '"code":"malformed-call"'],
      ['too much', ['status', 'x'.repeat(17 * 1024 * 1024)], '"code":"body-too-large"'],
    ];
    for (const [what, words, told] of calls) expect(await posted(served, { words, files: {} }), what).toContain(told);
    expect(readdirSync(served.folder).toSorted()).toEqual(before);
    expect(existsSync('/tmp/heddle-never')).toBe(false);
  });

  test('writes no file of the server, whatever name it gives', async () => {
    const served = await givenServed();
    const place = join(givenFolder(), 'graph.mmd');
    const files = { 'plan.yaml': ASKS };
    for (const name of [place, '../graph.mmd', 'graph.mmd'])
      expect(await posted(served, { words: ['graph', '--out', name], files })).toContain('"type":"file"');
    expect([existsSync(place), existsSync(join(served.folder, 'graph.mmd'))]).toEqual([false, false]);
  });

  test('that is no call, is of another version, or answers nothing, is one refusal', async () => {
    const served = await givenServed();
    for (const [path, body, code] of [
      ['/api/exec', 'no json', 'malformed-json'],
      ['/api/exec', '{"protocol":1}', 'malformed-call'],
      ['/api/exec', '{"protocol":2}', 'other-protocol'],
      ['/api/exec/none', '{"number":1,"line":"yes"}', 'command-over'],
    ] as const)
      expect(await (await postTo(served, path, body)).text()).toContain(`"code":"${code}"`);
  });

  test('may not claim another role than that of its token', async () => {
    const served = await givenServed();
    const call = { role: 'operator', protocol: 1, version: '0', words: ['stop'], files: [], taken: [] };
    const flags = { colour: false, unicode: true, isTty: false, isInteractive: false, canAsk: false };
    const body = JSON.stringify({ ...call, screen: { width: 80, height: 24, ...flags } });
    expect(await (await postTo(served, '/api/exec', body, 'reader')).text()).toContain('Your token may only read');
  });
});

test('a client takes no file from a server that it did not name', async () => {
  const server = createServer((_, response) => {
    response.write('{"type":"started","id":"a"}\n{"type":"file","name":"evil.txt","text":"x","isFirst":true}\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const folder = givenFolder();
  const client = clientOf(
    `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    folder,
    'x'.repeat(43),
  );
  const ran = await client.ask(['runs']);
  server.closeAllConnections();
  server.close();
  expect(ran).toMatchObject({ code: 2, errors: 'heddle: The server sent a file that nobody asked for, evil.txt.\n' });
  expect(existsSync(join(folder, 'evil.txt'))).toBe(false);
});
