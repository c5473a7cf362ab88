import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openRelay } from './relay.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function givenServer(answer: Answer): Promise<URL> {
  const server = http.createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // A server that listens by TCP has an address with a port.
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

async function givenRelay(url: URL): Promise<string> {
  const relay = await openRelay({ url, authorities: undefined });
  onTestFinished(relay.close);
  return `http://127.0.0.1:${relay.port}`;
}

test('a relay passes calls and answers on as they are, under the name of the server', async () => {
  const server = await givenServer((request, response) => {
    void text(request).then((body) => {
      const { method, url, headers } = request;
      response.writeHead(201, { 'x-said': 'yes' });
      response.end(JSON.stringify({ method, url, host: headers.host, token: headers.authorization, body }));
      return undefined;
    });
  });
  const relay = await givenRelay(server);
  const answer = await fetch(`${relay}/hosts/sync?a=b%2F`, {
    method: 'POST',
    headers: { authorization: 'Bearer token' },
    body: 'hello',
  });
  expect([answer.status, answer.headers.get('x-said')]).toEqual([201, 'yes']);
  expect(await answer.json()).toEqual({
    method: 'POST',
    url: '/hosts/sync?a=b%2F',
    host: server.host,
    token: 'Bearer token',
    body: 'hello',
  });
});

test('a server that is away is a bad gateway', async () => {
  const gone = await openRelay({ url: new URL('http://127.0.0.1:1'), authorities: undefined });
  gone.close();
  const relay = await givenRelay(new URL(`http://127.0.0.1:${gone.port}`));
  expect((await fetch(relay)).status).toBe(502);
});

test('an answer that breaks off breaks off here too', async () => {
  const server = await givenServer((_, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('half', () => response.destroy());
  });
  const answer = await fetch(await givenRelay(server));
  await expect(answer.text()).rejects.toThrow();
});

test('a call that is given up ends at the server', async () => {
  const ended = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const server = await givenServer((_, response) => {
    response.on('close', () => ended.resolve());
    begun.resolve();
  });
  const caller = new AbortController();
  const call = fetch(await givenRelay(server), { signal: caller.signal });
  await begun.promise;
  caller.abort();
  await expect(call).rejects.toThrow();
  await ended.promise;
});
