// A relay on this machine to a server: for programs that can reach this machine, and not the server.
//
// relay/R1. It listens on the loopback alone. It adds nothing to a request: who has no token of the server gets nothing.
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

export interface RelayOptions {
  readonly url: URL;
  /** The certificates to trust, as PEM; undefined for those of the system. */
  readonly authorities: readonly string[] | undefined;
}

export interface Relay {
  readonly port: number;
  readonly close: () => void;
}

const BAD_GATEWAY = 502;

export async function openRelay(options: RelayOptions): Promise<Relay> {
  const isSecure = options.url.protocol === 'https:';
  const { authorities } = options;
  const agent = isSecure
    ? new https.Agent({ keepAlive: true, ...(authorities === undefined ? {} : { ca: [...authorities] }) })
    : new http.Agent({ keepAlive: true });
  const pass: Pass = { url: options.url, agent, send: isSecure ? https.request : http.request };
  const server = http.createServer((request, response) => relay(pass, request, response));
  // A poll waits for its answer, and a push of many objects takes its time.
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens by TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

interface Pass {
  readonly url: URL;
  readonly agent: http.Agent;
  readonly send: typeof http.request;
}

function relay({ url, agent, send }: Pass, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url: path = '/' } = request;
  // Only the server decides what a path means.
  const { protocol, hostname, port } = url;
  const there = { protocol, hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port, path };
  const passed = send({ ...there, method, agent, headers: { ...headers, host: url.host } });
  passed.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? BAD_GATEWAY, answer.headers);
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  });
  passed.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(BAD_GATEWAY).end();
  });
  // Of a whole answer the connection is in use for the next request already.
  response.on('close', () => {
    if (!response.writableFinished) passed.destroy();
  });
  request.pipe(passed);
}
