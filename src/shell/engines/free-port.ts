// A port of the loopback interface for a server that may be started again there.
//
// It lies below the ports that systems give to outgoing connections: while the server is down, a client that tries again could
// be given the very port of the server, and then the server could not have it back.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const PORT_MIN = 10_000;
const PORT_END = 32_768;
const TRIES_MAX = 100;

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(PORT_MIN, PORT_END);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${TRIES_MAX} ports from ${PORT_MIN} to ${PORT_END} is free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
