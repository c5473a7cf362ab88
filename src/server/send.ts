// Writes replies: JSON, text and files, compressed where the client takes it.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { WebError } from '../core/protocol/web.ts';
import { POLICY_HEADERS } from './policy-headers.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export const takesGzip = ({ headers }: IncomingMessage): boolean =>
  /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/.test(
    headers['accept-encoding']?.toString() ?? '',
  );

/** Below this, compression saves nothing that a person notices. */
const GZIP_FROM_BYTES = 4_096;

export interface Body {
  readonly status: number;
  readonly type: string;
  readonly bytes: Buffer;
  readonly headers?: OutgoingHttpHeaders;
}

export async function sendBody({ request, response }: Exchange, { status, type, bytes, headers }: Body): Promise<void> {
  const isSmall = bytes.length < GZIP_FROM_BYTES || !takesGzip(request);
  const written = isSmall ? bytes : await promisify(gzip)(bytes);
  if (response.destroyed) return;
  response.writeHead(status, {
    ...POLICY_HEADERS,
    'cache-control': 'no-store',
    'content-type': type,
    'content-length': written.length,
    vary: 'accept-encoding',
    ...(isSmall ? {} : { 'content-encoding': 'gzip' }),
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : written);
}

export const sendJson = (exchange: Exchange, value: unknown, status = 200): Promise<void> =>
  sendBody(exchange, { status, type: 'application/json; charset=utf-8', bytes: Buffer.from(JSON.stringify(value)) });

export const sendText = (exchange: Exchange, text: string): Promise<void> =>
  sendBody(exchange, { status: 200, type: 'text/plain; charset=utf-8', bytes: Buffer.from(text) });

export const sendError = (exchange: Exchange, status: number, error: WebError): Promise<void> =>
  sendJson(exchange, error, status);
