import { afterEach, describe, expect, test } from 'vitest';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { HostMessageReply, HostRun } from '../../core/protocol/host-message.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import { startHostServer, type HostServer } from './host-server.given.ts';
import { openServerClient } from './server-client.ts';
import { openServerLink, type LinkChange, type ServerLink } from './server-link.ts';

const TOKEN = 't'.repeat(40);
const A: ClaimRef = { work: 'step', task: 'a', step: 'main', attempt: 1 };
const LOST: WorkOutcome = { type: 'lost', ...A, spend: { usd: 0, tokens: 0 } };

interface Heard {
  readonly reply: HostMessageReply;
  readonly isLatest: boolean;
}

interface Given {
  readonly link: ServerLink;
  readonly heard: readonly Heard[];
  readonly changes: readonly LinkChange[];
  /** What the next messages say of one run. */
  readonly says: (done: readonly WorkOutcome[]) => void;
}

let open: (() => void)[] = [];
let servers: HostServer[] = [];
afterEach(async () => {
  for (const close of open) close();
  open = [];
  for (const server of servers) await server.close().catch(() => undefined);
  servers = [];
});

async function givenServer(port?: number): Promise<HostServer> {
  const server = await startHostServer(port);
  servers.push(server);
  return server;
}

function given(url: URL): Given {
  let runs: readonly HostRun[] = [];
  const heard: Heard[] = [];
  const changes: LinkChange[] = [];
  const client = openServerClient({ url, token: TOKEN, userAgent: 'heddle/test' });
  const link = openServerLink({
    client,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    chance: () => 0,
    compose: () => ({
      version: '0',
      instance: 'one',
      labels: [],
      agents: undefined,
      width: 1,
      isDraining: false,
      isLeaving: false,
      room: { diskBytes: 0, memoryBytes: 0 },
      at: 0,
      runs,
      tails: [],
    }),
    onReply: (reply, { isLatest }) => heard.push({ reply, isLatest }),
    onChange: (change) => changes.push(change),
  });
  open.push(() => {
    link.close();
    client.close();
  });
  return {
    link,
    heard,
    changes,
    says: (done) => {
      runs = [{ run: 'r', done, held: [], warm: [] }];
    },
  };
}

const typesOf = (changes: readonly LinkChange[]): readonly string[] => changes.map(({ type }) => type);

describe('the link of a host', () => {
  test('speaks at once, with the token in one header, and again after every answer', async () => {
    const server = await givenServer();
    const { changes } = given(new URL('/below/', server.url));
    const first = await server.next();
    expect(first).toMatchObject({ path: '/below/hosts/sync', message: { number: 1 } });
    expect(first.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'content-encoding': 'gzip' });
    first.answer();
    expect((await server.next()).message.number).toBe(2);
    expect(typesOf(changes)).toEqual(['up']);
  });

  test('says news beside a message that waits, and acts on the answer to the latest alone (server-link/L1)', async () => {
    const server = await givenServer();
    const { link, heard, says } = given(server.url);
    const first = await server.next();
    says([LOST]);
    link.ring('urgent');
    const second = await server.next();
    expect(second.message.runs).toMatchObject([{ done: [{ type: 'lost' }] }]);
    first.answer({ over: ['early'] });
    second.answer({ over: ['late'] });
    await server.next();
    expect(heard.map(({ reply, isLatest }) => [reply.over[0], isLatest])).toEqual([
      ['early', false],
      ['late', true],
    ]);
  });

  test('waits for the answer to outcomes before it says more (server-link/L2)', async () => {
    const server = await givenServer();
    const { link, says } = given(server.url);
    says([LOST]);
    const first = await server.next();
    first.answer({ runs: [{ run: 'r', reply: { number: 1, start: [], cancel: [] } }] });
    const second = await server.next();
    expect(second.message.number).toBe(2);
    link.ring('urgent');
    link.ring('live');
    await new Promise(setImmediate);
    expect(server.waiting()).toBe(0);
    second.answer();
    expect((await server.next()).message.number).toBe(3);
  });

  test('speaks again when an answer is lost, and says when the server is away and when it is back', async () => {
    const server = await givenServer();
    const { changes } = given(server.url);
    (await server.next()).answer();
    (await server.next()).drop();
    (await server.next()).drop();
    (await server.next()).answer();
    await server.next();
    expect(typesOf(changes)).toEqual(['up', 'down', 'down', 'up']);
    expect(changes[1]).toEqual({ type: 'down', code: 'ECONNRESET' });
  });

  test('says news at once beside the first message that waits after the server was away', async () => {
    const server = await givenServer();
    const { link, says } = given(server.url);
    (await server.next()).drop();
    const waiting = await server.next();
    says([LOST]);
    link.ring('urgent');
    expect((await server.next()).message.runs).toMatchObject([{ done: [{ type: 'lost' }] }]);
    expect(waiting.isGone()).toBe(false);
  });

  test('finds a server that was started again', async () => {
    const server = await givenServer();
    const { changes } = given(server.url);
    (await server.next()).answer();
    await server.next();
    await server.close();
    const again = await givenServer(server.port);
    const message = await again.next();
    message.answer();
    await again.next();
    expect(changes.at(-1)).toMatchObject({ type: 'up' });
  });

  test('tells a refusal from a server that is away, and from another program', async () => {
    const server = await givenServer();
    const { changes } = given(server.url);
    (await server.next()).refuse(401, JSON.stringify({ type: 'token', why: 'expired' }));
    (await server.next()).refuse(404, '<html>');
    (await server.next()).refuse(200, '{"protocol":2}');
    (await server.next()).refuse(200, '{"protocol":7}');
    (await server.next()).answer();
    await server.next();
    expect(changes.slice(0, -1)).toEqual([
      { type: 'refused', refusal: { type: 'token', why: 'expired' } },
      { type: 'down', code: '404' },
      { type: 'down', code: 'malformed' },
      { type: 'refused', refusal: { type: 'protocol', protocol: 7, version: '' } },
    ]);
  });

  test('takes the token to no other address (server-client/C2)', async () => {
    const server = await givenServer();
    const other = await givenServer();
    const { changes } = given(server.url);
    (await server.next()).refuse(307, '', { location: other.url.href });
    await server.next();
    expect(other.waiting()).toBe(0);
    expect(changes).toEqual([{ type: 'down', code: '307' }]);
  });

  test('does not act on an answer to another message', async () => {
    const server = await givenServer();
    const { heard } = given(server.url);
    (await server.next()).answer({ number: 7, over: ['r'] });
    await server.next();
    expect(heard).toEqual([]);
  });

  test('says its last word beside a message that waits, and knows when it was heard', async () => {
    const server = await givenServer();
    const { link } = given(server.url);
    const first = await server.next();
    const said = link.sayLast(60_000);
    const last = await server.next();
    expect(last.message.number).toBe(2);
    last.answer();
    await said;
    expect(first.isGone()).toBe(true);
  });
});
