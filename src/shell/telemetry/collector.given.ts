// A collector for tests: takes OTLP/JSON over HTTP as the real ones do, and answers as it is told.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { gunzipSync } from 'node:zlib';

export interface TakenSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

export interface TakenCall {
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly status: number;
  readonly spans: readonly TakenSpan[];
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface Collector {
  readonly port: number;
  readonly url: string;
  readonly calls: readonly TakenCall[];
  /** The spans of all calls that it took. */
  readonly spans: () => readonly TakenSpan[];
  /** How it answers from now on: a status, 0 for never. */
  answer: CollectorAnswer | ((call: Pick<TakenCall, 'spans' | 'headers'>) => CollectorAnswer);
}

export interface CollectorAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface CollectorOptions {
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly port?: number;
}

export async function givenCollector(
  answer: CollectorAnswer = { status: 200 },
  { tls, port: wanted = 0 }: CollectorOptions = {},
): Promise<Collector> {
  const calls: TakenCall[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = await buffer(request);
    const { url: path, headers } = request;
    const body = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    const read = readBody(body.toString('utf8'));
    const { answer: chosen } = collector;
    const {
      status,
      headers: more = {},
      body: reply = '{}',
    } = typeof chosen === 'function' ? chosen({ ...read, headers }) : chosen;
    calls.push({ path, headers, status, ...read });
    if (status === 0) return;
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(reply);
  };
  const listener: RequestListener = (request, response) => void take(request, response);
  const server = tls === undefined ? createServer(listener) : https.createServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const collector: Collector = {
    port,
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    calls,
    spans: () => calls.flatMap(({ status, spans }) => (status === 200 ? spans : [])),
    answer,
  };
  return collector;
}

interface OtlpBody {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: TakenSpan['attributes'] };
    readonly scopeSpans?: readonly { readonly spans?: readonly TakenSpan[] }[];
  }[];
}

function readBody(text: string): Pick<TakenCall, 'spans' | 'resource'> {
  // What tests look at is what the format promises; other signals have no spans.
  const { resourceSpans = [] } = JSON.parse(text) as OtlpBody;
  return {
    spans: resourceSpans.flatMap(({ scopeSpans = [] }) => scopeSpans.flatMap(({ spans = [] }) => spans)),
    resource: Object.fromEntries(
      resourceSpans.flatMap(({ resource }) =>
        (resource?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
      ),
    ),
  };
}

/** An attribute of a span that was taken. */
export const attributeOfSpan = (span: TakenSpan | undefined, name: string): unknown =>
  Object.values(span?.attributes.find(({ key }) => key === name)?.value ?? {})[0];

/** An address at which nobody listens. */
export async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
