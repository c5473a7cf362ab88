import { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { openMcpSessions, type McpSessions } from './mcp-sessions.ts';

interface Given {
  readonly sessions: McpSessions;
  /** Resolves when the tool `stay` runs, and when its call was cancelled. */
  readonly runs: Promise<undefined>;
  readonly cancelled: Promise<undefined>;
}

/** Sessions of a server with one tool, which ends only when it is cancelled. */
function givenSessions(): Given {
  const [runs, cancelled] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const makeServer = (): McpServer => {
    const server = new McpServer({ name: 'given', version: '1' });
    server.registerTool('stay', {}, async ({ mcpReq: { signal } }) => {
      runs.resolve(undefined);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      cancelled.resolve(undefined);
      return { content: [] };
    });
    return server;
  };
  return { sessions: openMcpSessions(makeServer), runs: runs.promise, cancelled: cancelled.promise };
}

const INFO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

interface Sent {
  readonly id?: number;
  readonly method: string;
  readonly params?: object;
}

async function post(
  { sessions }: Given,
  sent: Sent,
  { session, signal }: { readonly session?: string; readonly signal?: AbortSignal } = {},
): Promise<Response> {
  const body = { jsonrpc: '2.0', ...sent };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
  };
  const init = { method: 'POST', headers, body: JSON.stringify(body), signal: signal ?? null };
  const reply = await sessions.handle(new Request('http://localhost/mcp', init), body);
  return reply ?? Response.json({}, { status: 599 });
}

async function shakeHands(given: Given): Promise<string> {
  const reply = await post(given, { id: 1, method: 'initialize', params: INFO });
  expect(reply.status).toBe(200);
  await reply.text();
  const session = reply.headers.get('mcp-session-id') ?? '';
  await post(given, { method: 'notifications/initialized' }, { session });
  return session;
}

const LISTS: Sent = { id: 2, method: 'tools/list' };

test('a session is found by its name alone, and what is of no session is left to others', async () => {
  const given = givenSessions();
  const session = await shakeHands(given);
  const listed = await post(given, LISTS, { session });
  expect([listed.status, await listed.text()]).toEqual([200, expect.stringContaining('"stay"')]);
  expect((await post(given, LISTS, { session: 'another' })).status).toBe(404);
  expect((await post(given, LISTS)).status).toBe(599);
  await given.sessions.close();
  expect((await post(given, LISTS, { session })).status).toBe(404);
});

test('a call whose client has gone is cancelled, and the session goes on', async () => {
  const given = givenSessions();
  const session = await shakeHands(given);
  const gone = new AbortController();
  await post(
    given,
    { id: 3, method: 'tools/call', params: { name: 'stay', arguments: {} } },
    { session, signal: gone.signal },
  );
  await given.runs;
  gone.abort();
  await given.cancelled;
  expect((await post(given, LISTS, { session })).status).toBe(200);
  await given.sessions.close();
});

test('where there are too many sessions, the one unused the longest is forgotten', async () => {
  const given = givenSessions();
  const [first, second] = [await shakeHands(given), await shakeHands(given)];
  for (let more = 0; more < 98; more += 1) await shakeHands(given);
  await (await post(given, LISTS, { session: first })).text();
  const last = await shakeHands(given);
  const statuses = [first, second, last].map(async (session) => (await post(given, LISTS, { session })).status);
  expect(await Promise.all(statuses)).toEqual([200, 404, 200]);
  await given.sessions.close();
});
