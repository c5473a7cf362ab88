// Shared by the tests of channels: a notification, folders and a server on this machine.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { RunNotification } from '../../core/view/run/notification.ts';

export const NOTIFICATION: RunNotification = {
  version: 1,
  run: 'checkout-3',
  name: 'checkout',
  trigger: 'question',
  needsPerson: true,
  at: 5,
  event: 7,
  task: 'api',
  step: 'code',
  title: 'api/code of checkout-3 asks you',
  text: 'Which <b>one</b> & why? "$(touch hacked)" `touch hacked`\n--help',
  commands: ['heddle answer api --step code --run checkout-3 "…"'],
};

export const notificationAt = (event: number): RunNotification => ({ ...NOTIFICATION, event });

export const never = (): AbortSignal => new AbortController().signal;

export function notifyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-notify-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface PostedNotification {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface GivenServer {
  readonly port: number;
  readonly posted: readonly PostedNotification[];
}

/** Answers with each of the statuses in turn, the last one for ever; 0 never answers. */
export async function givenServer(...statuses: readonly number[]): Promise<GivenServer> {
  const posted: PostedNotification[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url: path, headers } = request;
    posted.push({ method, path, headers, body: await text(request) });
    const status = statuses[posted.length - 1] ?? statuses.at(-1) ?? 200;
    if (status === 0) return;
    response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:1/elsewhere' } : {}).end('thanks');
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return { port, posted };
}
