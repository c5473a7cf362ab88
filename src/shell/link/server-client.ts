// Calls of a host to its server: HTTP or HTTPS, outbound only, compressed both ways.
//
// server-client/C1. Nothing is thrown: a server that is away, slow, or something else is a value.
// server-client/C2. The token is in one header of each call. It is in no address, no error and no log, and is sent to no other
//     address: redirections are not followed.
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { HOST_BYTES_MAX } from '../../core/protocol/host-message.ts';

export interface ServerClientOptions {
  /** With the path that the server is below, if any. */
  readonly url: URL;
  readonly token: string;
  /** The certificates to trust, as PEM; undefined for those of the system. */
  readonly authorities?: readonly string[] | undefined;
  /** With the version, for the log of a proxy. */
  readonly userAgent: string;
}

export interface ServerCall {
  /** Below the address of the server, such as `hosts/sync`. */
  readonly path: string;
  readonly body: string | Uint8Array;
  readonly contentType: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type ServerAnswer =
  | {
      readonly type: 'answered';
      readonly status: number;
      readonly text: string;
      /** By the clock of the server, to the second; undefined when it does not say. */
      readonly at: number | undefined;
    }
  /** `code` is one of the system or of TLS, such as ECONNREFUSED; or `timeout`, `aborted`, `too-large`, `damaged`. */
  | { readonly type: 'away'; readonly code: string };

export interface ServerClient {
  readonly post: (call: ServerCall) => Promise<ServerAnswer>;
  /** Ends the connections that are idle, and calls that are under way. */
  readonly close: () => void;
}

/** Two messages, and uploads beside them. */
const SOCKETS_MAX = 8;
const IDLE_SOCKET_MS = 60_000;

export function openServerClient(options: ServerClientOptions): ServerClient {
  const { url, authorities } = options;
  const isSecure = url.protocol === 'https:';
  const pool = { keepAlive: true, maxSockets: SOCKETS_MAX, timeout: IDLE_SOCKET_MS };
  const agent = isSecure
    ? new https.Agent({ ...pool, ...(authorities === undefined ? {} : { ca: [...authorities] }) })
    : new http.Agent(pool);
  return {
    post: async (call) => {
      const body = await promisify(gzip)(call.body);
      return await exchange({ ...options, agent, send: isSecure ? https.request : http.request }, { ...call, body });
    },
    close: () => agent.destroy(),
  };
}

interface Sender extends ServerClientOptions {
  readonly agent: http.Agent;
  readonly send: typeof http.request;
}

function exchange(sender: Sender, call: ServerCall): Promise<ServerAnswer> {
  const { promise, resolve } = Promise.withResolvers<ServerAnswer>();
  const request = sender.send(addressOf(sender, call), {
    method: 'POST',
    agent: sender.agent,
    headers: {
      authorization: `Bearer ${sender.token}`,
      'user-agent': sender.userAgent,
      'content-type': call.contentType,
      'content-encoding': 'gzip',
      'content-length': call.body.length,
      accept: 'application/json',
      'accept-encoding': 'gzip',
    },
  });
  const away = (code: string): void => {
    resolve({ type: 'away', code });
    request.destroy();
  };
  const timer = setTimeout(away, call.timeoutMs, 'timeout');
  const abort = (): void => away('aborted');
  call.signal?.addEventListener('abort', abort, { once: true });
  request.on('error', (error) => away(codeOf(error)));
  request.on('response', (response) => void readAnswer(response).then(resolve));
  sendBody(request, call);
  return promise.finally(() => {
    clearTimeout(timer);
    call.signal?.removeEventListener('abort', abort);
  });
}

function sendBody(request: ClientRequest, { body, signal }: ServerCall): void {
  if (signal?.aborted === true) request.destroy();
  else request.end(body);
}

/** The address of the server may have a path. */
function addressOf({ url }: Sender, { path }: ServerCall): URL {
  const below = new URL(url.href);
  below.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  return below;
}

async function readAnswer(response: IncomingMessage): Promise<ServerAnswer> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of response) {
      const bytes = Buffer.from(part);
      size += bytes.length;
      if (size > HOST_BYTES_MAX) return { type: 'away', code: 'too-large' };
      parts.push(bytes);
    }
    const whole = Buffer.concat(parts);
    const plain = isCompressed(response) ? await promisify(gunzip)(whole, { maxOutputLength: HOST_BYTES_MAX }) : whole;
    return { type: 'answered', status: response.statusCode ?? 0, text: plain.toString('utf8'), at: dateOf(response) };
  } catch (error) {
    return { type: 'away', code: codeOf(error) };
  }
}

function dateOf({ headers }: IncomingMessage): number | undefined {
  const at = Date.parse(headers.date ?? '');
  return Number.isNaN(at) ? undefined : at;
}

const isCompressed = ({ headers }: IncomingMessage): boolean => headers['content-encoding'] === 'gzip';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'damaged';
