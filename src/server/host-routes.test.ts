// Who may call the routes of hosts, and what is said to those who may not.
import { gzipSync } from 'node:zlib';
import { once } from 'node:events';
import * as http from 'node:http';
import { mkdirSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CLOCK } from '../app/local-parts.ts';
import { MESSAGE } from '../app/serve/fake-host.given.ts';
import { deliveredWork } from '../app/serve/delivered-work.ts';
import { openGateway, type Gateway } from '../app/serve/gateway.ts';
import { openHostFiles } from '../app/serve/host-files.ts';
import { openTokenBook } from '../app/serve/token-book.ts';
import { addAccessToken, revokeToken, type Role } from '../app/serve/token-list.ts';
import { projectInMemory } from '../app/web/served-project.given.ts';
import { hostRoutes } from './host-routes.ts';
import { givenWebServer, type Called } from './web-client.given.ts';

const LEASE_MS = 60_000;

interface GivenRoutes {
  readonly home: string;
  readonly port: number;
  readonly gateway: Gateway;
  readonly token: (name: string, role?: Role) => string;
  readonly call: (path: string, token: string, body?: unknown) => Promise<Called>;
}

async function givenRoutes(pollMs = 20): Promise<GivenRoutes> {
  const { served } = projectInMemory();
  const open = served.open('read');
  const { home } = open.project;
  mkdirSync(home, { recursive: true });
  const gateway = openGateway({
    clock: CLOCK,
    leaseMs: LEASE_MS,
    pollMs,
    width: undefined,
    standingOf: () => 'elsewhere',
    onTails: () => undefined,
    onChange: () => undefined,
  });
  const files = openHostFiles({ ...open, ask: gateway.ask });
  onTestFinished(() => {
    gateway.close();
    files.close();
  });
  const routes = hostRoutes({
    gateway,
    files,
    delivered: deliveredWork(() => Promise.reject(new Error('There is no git here.'))),
  });
  const { server, call } = await givenWebServer([served], { routes, book: openTokenBook(home, CLOCK) });
  return {
    home,
    port: server.port,
    gateway,
    token: (name, role = 'host') => addAccessToken(home, { name, role, days: undefined, now: CLOCK.now() }),
    call: (path, token, body) =>
      call(path, { method: body === undefined ? 'GET' : 'POST', body, headers: { authorization: `Bearer ${token}` } }),
  };
}

const SYNC = '/hosts/sync';
/** The first message of a program is answered at once. */
const SECOND = { ...MESSAGE, number: 2 };

describe('the route of hosts', () => {
  test('answers the message of a host', async () => {
    const { call, token } = await givenRoutes();
    const { status, json } = await call(SYNC, token('one'), MESSAGE);
    expect([status, json]).toEqual([200, { protocol: 2, number: 1, runs: [], heard: [], over: [], asks: [] }]);
  });

  test('refuses wrong, expired and revoked tokens, each by its name', async () => {
    const { call, token, home } = await givenRoutes();
    const expired = addAccessToken(home, { name: 'old', role: 'host', days: 1, now: 0 });
    const revoked = token('gone');
    revokeToken(home, 'gone', 1);
    const whys = [];
    for (const each of ['wrong', expired, revoked, token('anna', 'operator')])
      whys.push(await call(SYNC, each, MESSAGE));
    expect(whys.map(({ status, json }) => [status, json])).toEqual([
      [401, { type: 'token', why: 'wrong' }],
      [401, { type: 'token', why: 'expired' }],
      [401, { type: 'token', why: 'revoked' }],
      [403, { type: 'token', why: 'role' }],
    ]);
  });

  test('turns an address away that brings wrong tokens again and again, and takes right ones from it', async () => {
    const { call, token } = await givenRoutes();
    const statuses = new Set<number>();
    for (let times = 0; times < 25; times += 1) statuses.add((await call(SYNC, 'wrong', MESSAGE)).status);
    expect([...statuses]).toEqual([401, 429]);
    expect((await call(SYNC, token('one'), MESSAGE)).status).toBe(200);
  });

  test('refuses another protocol before it reads anything else', async () => {
    const { call, token } = await givenRoutes();
    const { status, json } = await call(SYNC, token('one'), { protocol: 1, nonsense: true });
    expect([status, json]).toEqual([426, { type: 'protocol', protocol: 2, version: expect.any(String) }]);
  });

  test('refuses what is no message', async () => {
    const { call, token } = await givenRoutes();
    const one = token('one');
    for (const body of ['', '[', '{}', JSON.stringify({ ...MESSAGE, width: -1 })])
      expect((await call(SYNC, one, body)).status).toBeGreaterThanOrEqual(400);
    expect((await call(SYNC, one, { ...MESSAGE, runs: 'all' })).json).toEqual({ type: 'malformed' });
  });

  test('reads a compressed message', async () => {
    const { port, token } = await givenRoutes();
    const response = await fetch(`http://127.0.0.1:${port}${SYNC}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token('one')}`, 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify(MESSAGE)),
    });
    expect(response.status).toBe(200);
  });

  test('refuses a small body that unpacks to a large one', async () => {
    const { port, token } = await givenRoutes();
    const response = await fetch(`http://127.0.0.1:${port}${SYNC}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token('one')}`, 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(65 * 1024 * 1024, ' ')),
    });
    expect([response.status, await response.json()]).toEqual([413, { type: 'too-large', bytesMax: 64 * 1024 * 1024 }]);
  });

  test('refuses the second of two programs with one name', async () => {
    const { call, token } = await givenRoutes();
    const one = token('one');
    await call(SYNC, one, MESSAGE);
    const { status, json } = await call(SYNC, one, { ...MESSAGE, instance: 'another' });
    expect([status, json]).toEqual([409, { type: 'name-taken', host: 'one' }]);
  });

  test('ends the poll of a host whose token is revoked', async () => {
    const { port, token, home, gateway } = await givenRoutes(600_000);
    const ended = pollEnds(port, token('one'));
    await joined(gateway);
    revokeToken(home, 'one', 1);
    expect(await ended).toBe('cut off');
  });

  test('takes a program anew when the connection of the one before was lost', async () => {
    const { port, token, gateway, call } = await givenRoutes(600_000);
    const one = token('one');
    const gone = new AbortController();
    const first = fetch(`http://127.0.0.1:${port}${SYNC}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${one}` },
      body: JSON.stringify(SECOND),
      signal: gone.signal,
    }).catch(() => 'gone');
    await joined(gateway);
    gone.abort();
    expect(await first).toBe('gone');
    const leaving = { ...MESSAGE, instance: 'another', isLeaving: true };
    let status = 409;
    // The server notices the end of a connection a moment later.
    while (status === 409) ({ status } = await call(SYNC, one, leaving));
    expect(status).toBe(200);
  });
});

describe('other routes', () => {
  test('are not for hosts', async () => {
    const { call, token } = await givenRoutes();
    const { status, json } = await call('/api/runs', token('one'));
    expect([status, json]).toEqual([403, { code: 'wrong-role' }]);
  });

  test('let a reader read and an operator act', async () => {
    const { call, token } = await givenRoutes();
    expect((await call('/api/runs', token('rita', 'reader'))).json).toMatchObject({ isReadOnly: true });
    expect((await call('/api/runs', token('otto', 'operator'))).json).toMatchObject({ isReadOnly: false });
  });
});

async function joined(gateway: Gateway): Promise<void> {
  while (gateway.hosts().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

const pollEnds = (port: number, token: string): Promise<'answered' | 'cut off'> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    const request = http.request({ host: '127.0.0.1', port, path: SYNC, method: 'POST', headers }, () =>
      resolve('answered'),
    );
    request.on('error', () => resolve('cut off'));
    request.end(JSON.stringify(SECOND));
  });

const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

test('a caller that hangs up in the middle of a message is no bug', async () => {
  const given = await givenRoutes();
  const headers = { authorization: `Bearer ${given.token('one')}`, 'content-length': 100 };
  const request = http.request({ port: given.port, method: 'POST', path: '/hosts/sync', headers });
  const hungUp = once(request, 'error');
  request.write('{');
  await once(request, 'socket');
  // The server has read the beginning.
  await moment();
  request.destroy(new Error('hung up'));
  await hungUp;
  await moment();
  expect((await given.call('/hosts/sync', given.token('two'), MESSAGE)).status).toBe(200);
});
