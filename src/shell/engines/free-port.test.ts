import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from './free-port.ts';

/** The first port that Linux gives to outgoing connections; other systems begin above it. */
const OUTGOING = 32_768;

test('a server can listen on the port, and no outgoing connection is given it', async () => {
  const port = await freePort();
  expect(port).toBeLessThan(OUTGOING);
  const server = createServer();
  onTestFinished(() => void server.close());
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect(await freePort()).not.toBe(port);
});
