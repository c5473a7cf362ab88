// Ports of this machine that nothing listens on.
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

export async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

/** Free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}
