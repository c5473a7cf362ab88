import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openEgressProxy } from './egress-proxy.ts';

/** So that it ends as programs end that nobody kills, and says what of it ran. */
const ASKED_TO_END = 'data:text/javascript,process.on("SIGTERM", () => process.exit())';
const PROGRAM = fileURLToPath(new URL('forwarder.ts', import.meta.url));
/** Of this machine too, and not the address at which the forwarder listens, so one port can be both. */
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

/** The forwarder at work, with a proxy that lets `allowed` through. */
async function forwarding(near: string, allowed: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-forwarder-'));
  const resolve = async (): Promise<string> => ELSEWHERE;
  const proxy = await openEgressProxy({
    folder,
    name: 'way',
    allowed,
    resolve,
    upstreamOf: () => undefined,
    say: () => undefined,
  });
  const child = spawn(process.execPath, ['--import', ASKED_TO_END, PROGRAM, join(folder, 'way'), `0,${near}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  // Its output is closed when it listens.
  await once(child.stdout.resume(), 'close');
}

test('what is on this machine is found inside under its own port, both ways', async () => {
  const port = await serving();
  await forwarding(`127.0.0.1:${port}`, [`127.0.0.1:${port}`]);
  const words = 'a word '.repeat(50_000);
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: words });
  expect(await answer.text()).toBe(words);
});

test('what the list does not name is not reached that way', async () => {
  const port = await serving();
  await forwarding(`127.0.0.1:${port}`, ['127.0.0.1:9']);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});
