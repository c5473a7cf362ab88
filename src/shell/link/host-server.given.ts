// A server of hosts that a test plays: each message waits until the test answers it, drops it, or says who answers.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  HOST_PROTOCOL,
  readHostMessage,
  type HostMessage,
  type HostMessageReply,
} from '../../core/protocol/host-message.ts';
import { PATIENCE_MS } from '../../../test/patience.given.ts';

/** One message, and the ways to answer it. */
export interface AskedServer {
  readonly message: HostMessage;
  readonly headers: IncomingMessage['headers'];
  readonly path: string;
  readonly answer: (reply?: Partial<HostMessageReply>) => void;
  readonly refuse: (status: number, body: string, headers?: Readonly<Record<string, string>>) => void;
  /** The connection breaks. */
  readonly drop: () => void;
  /** Whether the caller has hung up. */
  readonly isGone: () => boolean;
}

export interface HostServer {
  readonly url: URL;
  readonly port: number;
  /** The next message, in the order in which they came. */
  readonly next: () => Promise<AskedServer>;
  /** Messages that nobody has taken yet. */
  readonly waiting: () => number;
  readonly close: () => Promise<void>;
}

export async function startHostServer(port = 0): Promise<HostServer> {
  const asked: AskedServer[] = [];
  let wake = (): void => {};
  const server = createServer((request, response) => {
    // It takes no files of claims.
    if (request.url?.endsWith('/hosts/sync') !== true) {
      response.writeHead(404).end();
      return;
    }
    void readBody(request).then((body) => {
      asked.push(askedIn({ request, response, body }));
      wake();
      return undefined;
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens by TCP has an address with a port.
  const address = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${address.port}`),
    port: address.port,
    next: async () => {
      for (const end = performance.now() + PATIENCE_MS; asked.length === 0;) {
        if (performance.now() > end) throw new Error('Waited in vain for a message.');
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, 100);
        });
      }
      const [first] = asked.splice(0, 1);
      if (first === undefined) throw new Error('There was a message a moment ago.');
      return first;
    },
    waiting: () => asked.length,
    close: () => closed(server),
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

interface Received {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
}

function askedIn({ request, response, body }: Received): AskedServer {
  const read = readHostMessage(gunzipSync(body).toString('utf8'));
  if (read.type !== 'message') throw new Error(`The message is ${read.type}.`);
  const { message } = read;
  return {
    message,
    headers: request.headers,
    path: request.url ?? '',
    answer: (reply = {}) => {
      const whole = {
        protocol: HOST_PROTOCOL,
        number: message.number,
        runs: [],
        heard: [],
        over: [],
        asks: [],
        ...reply,
      };
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify(whole)));
    },
    refuse: (status, text, headers = {}) => {
      response.writeHead(status, headers);
      response.end(text);
    },
    drop: () => request.socket.destroy(),
    isGone: () => request.socket.destroyed,
  };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
