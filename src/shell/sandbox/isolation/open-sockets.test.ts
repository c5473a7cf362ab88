import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openEgressProxy } from './egress-proxy.ts';
import { proxyOnDemand } from './resource-monitor.ts';
import { PATIENCE_MS } from '../../../../test/patience.given.ts';

const PROGRAM = fileURLToPath(new URL('open-sockets.ts', import.meta.url));
/** Of this machine too, and not the address that the sockets are bound to, so one port can be both. */
const ELSEWHERE = '127.0.0.2';

async function serving(): Promise<number> {
  const server = createServer((asked, answer) => void asked.pipe(answer));
  await new Promise<void>((resolve) => server.listen(0, ELSEWHERE, resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A proxy that lets `allowed` through, with the sockets that the program has opened for it. */
async function proxying(near: string, allowed: readonly string[]): Promise<void> {
  const resolve = async (): Promise<string> => ELSEWHERE;
  const settings = { allowed, resolve, upstreamOf: () => undefined, say: () => undefined };
  // As workers do it: nothing of it is there before the first connection.
  const proxy = proxyOnDemand(async () => openEgressProxy(settings));
  onTestFinished(() => proxy.close());
  const child = spawn(process.execPath, [PROGRAM, `0,${near}`], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const destinations: string[] = [];
  child.on('message', (message: { readonly destination: string }, socket) => {
    destinations.push(message.destination);
    if (socket instanceof Server) proxy.serve(socket, message.destination);
  });
  await once(child, 'exit');
  await expect.poll(() => destinations, { timeout: PATIENCE_MS }).toEqual(['', near]);
}

test('what is on this machine is found inside under its own port, both ways', async () => {
  const port = await serving();
  await proxying(`127.0.0.1:${port}`, [`127.0.0.1:${port}`]);
  const words = 'a word '.repeat(50_000);
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: words });
  expect(await answer.text()).toBe(words);
});

test('what the list does not name is not reached that way', async () => {
  const port = await serving();
  await proxying(`127.0.0.1:${port}`, ['127.0.0.1:9']);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});
