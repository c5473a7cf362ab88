// A server for tests, and a tab of a browser: calls with the token, and the lines of a stream one by one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import * as http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ServedProject } from '../app/web/served-project.ts';
import { readStreamLine, type StreamLine } from '../core/protocol/web.ts';
import { startWebServer, type WebServer, type WebServerOptions } from './web-server.ts';

export interface GivenWebServer {
  readonly server: WebServer;
  readonly base: string;
  readonly token: string;
  /** Requests with the token, unless `headers` says otherwise. */
  readonly call: (path: string, request?: Call) => Promise<Called>;
  readonly openTab: (query: string) => Promise<GivenTab>;
}

export interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Called {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The reply as JSON; tests compare it as a whole. */
  readonly json: unknown;
}

export interface GivenTab {
  readonly status: number;
  readonly next: () => Promise<StreamLine>;
  /** The lines up to and with the first that fits. */
  readonly until: (fits: (line: StreamLine) => boolean) => Promise<readonly StreamLine[]>;
  readonly close: () => void;
}

/** A page as a build leaves it. */
export function givenPage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Heddle</title>');
  writeFileSync(join(folder, 'assets', 'page-abc123.js'), 'export {};');
  writeFileSync(join(folder, 'secret.txt'), 'not for the web');
  return folder;
}

export async function givenWebServer(
  projects: readonly ServedProject[],
  options: Partial<WebServerOptions> = {},
): Promise<GivenWebServer> {
  const started = await startWebServer({
    projects: () => projects,
    page: givenPage(),
    host: '127.0.0.1',
    port: 0,
    tls: undefined,
    publicUrl: undefined,
    isReadOnly: false,
    ticketSecret: undefined,
    metricsToken: undefined,
    onReplaced: () => undefined,
    onBug: (bug) => {
      throw bug;
    },
    ...options,
  });
  if (started.type === 'failed') throw new Error(started.message);
  const { server } = started;
  onTestFinished(() => server.close());
  const { origin, hash } = new URL(server.url());
  const token = hash.slice('#token='.length);
  const authorization = `Bearer ${token}`;
  return {
    server,
    base: origin,
    token,
    call: (path, request = {}) =>
      call(server.port, path, { ...request, headers: { authorization, ...request.headers } }),
    openTab: (query) => openTab(server.port, `/api/stream${query}`, { authorization }),
  };
}

const NO_JSON = Symbol('no JSON');

/** By `node:http`, because `fetch` sends no Host header of one's own. */
export async function call(port: number, path: string, { method = 'GET', body, headers = {} }: Call): Promise<Called> {
  const response = await send({ port, path, method, headers }, body);
  const parts: Buffer[] = [];
  // A response without an encoding gives buffers.
  for await (const part of response) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  const type = response.headers['content-type'] ?? '';
  const json: unknown = type.startsWith('application/json') ? JSON.parse(text) : NO_JSON;
  return { status: response.statusCode ?? 0, headers: response.headers, text, json };
}

const send = (options: http.RequestOptions, body: unknown): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', ...options }, resolve);
    request.on('error', reject);
    request.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  });

async function openTab(port: number, path: string, headers: Readonly<Record<string, string>>): Promise<GivenTab> {
  const response = await send({ port, path, method: 'GET', headers }, undefined);
  onTestFinished(() => void response.destroy());
  const lines = linesOf(response);
  const next = async (): Promise<StreamLine> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('The stream has ended.');
    const line = readStreamLine(value);
    if (line === undefined) throw new Error(`The stream has a line of no known type: ${value}`);
    return line;
  };
  return {
    status: response.statusCode ?? 0,
    next,
    until: async (fits) => {
      const read: StreamLine[] = [];
      for (;;) {
        const line = await next();
        read.push(line);
        if (fits(line)) return read;
      }
    },
    close: () => void response.destroy(),
  };
}

async function* linesOf(response: http.IncomingMessage): AsyncGenerator<string, undefined> {
  let rest = '';
  response.setEncoding('utf8');
  for await (const part of response) {
    // With an encoding a response gives text.
    const lines = (rest + (part as string)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  return undefined;
}
