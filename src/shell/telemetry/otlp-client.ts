// One call of a collector: a batch of spans as OTLP/JSON, compressed, with a time limit.
//
// otlp-client/O1. Nothing is thrown, whatever the collector does. A batch that can never be taken is told apart from one
//     that may be taken later.
// otlp-client/O2. Addresses and headers may hold tokens: only the host and codes of errors are ever shown.
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { otlpOf } from '../../core/view/trace/otlp-json.ts';
import type { TraceSpan } from '../../core/view/trace/trace-span.ts';
import type { OtlpSettings } from './otlp-settings.ts';

/** Why a batch was not taken. */
export type Untaken =
  | { readonly code: 'status'; readonly status: number }
  | { readonly code: 'timeout'; readonly afterMs: number }
  /** A code of the system or of TLS, such as ECONNREFUSED. */
  | { readonly code: 'network'; readonly error: string }
  | { readonly code: 'certificate-file'; readonly file: string };

export type Sent =
  /** Some of the spans may have been rejected. */
  | { readonly type: 'taken'; readonly rejected: number }
  /** A retry would be refused as well. */
  | { readonly type: 'refused'; readonly why: Untaken }
  /** Fewer spans at once may be taken. */
  | { readonly type: 'too large'; readonly why: Untaken }
  | { readonly type: 'later'; readonly why: Untaken; readonly afterMs: number | undefined };

export interface OtlpClient {
  readonly send: (spans: readonly TraceSpan[], signal: AbortSignal) => Promise<Sent>;
}

/** The data itself is refused. Anything else may be a fault of the moment, or one that a person mends. */
const FINAL: ReadonlySet<number> = new Set([400, 422]);

const TOO_LARGE = { type: 'too large', why: { code: 'status', status: 413 } } as const;
/** The type of a body, or its compression, is none that the collector knows. */
const UNKNOWN_FORM = 415;
/** The usual collector refuses bodies of 20 MB as wrong data, and what stands before it may take less. */
const BODY_LENGTH_MAX = 4 * 1024 * 1024;

export function openOtlpClient(settings: OtlpSettings, version: string): OtlpClient {
  const { url, headers, timeoutMs, resource, certificate } = settings;
  const untrusted = certificate === undefined ? undefined : trust(certificate);
  let isPlain = settings.compression === 'none';
  const post = async (text: string, signal: AbortSignal): Promise<Response> =>
    await fetch(url, {
      method: 'POST',
      headers: {
        'user-agent': `heddle/${version}`,
        ...headers,
        'content-type': 'application/json',
        ...(isPlain ? {} : { 'content-encoding': 'gzip' }),
      },
      body: isPlain ? text : await promisify(gzip)(text),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
  return {
    send: async (spans, signal) => {
      if (untrusted !== undefined) return { type: 'later', why: untrusted, afterMs: undefined };
      const text = JSON.stringify(otlpOf(spans, { resource, version }));
      if (text.length > BODY_LENGTH_MAX && spans.length > 1) return TOO_LARGE;
      try {
        const reply = await post(text, signal);
        if (isPlain || reply.status !== UNKNOWN_FORM) return await readReply(reply);
        // It may be the compression that it does not know.
        isPlain = true;
        await reply.body?.cancel();
        return await readReply(await post(text, signal));
      } catch (cause) {
        return { type: 'later', why: whyNot(cause, timeoutMs), afterMs: undefined };
      }
    },
  };
}

/** Adds to the certificates that this thread trusts; undefined when it has. */
function trust(file: string): Untaken | undefined {
  try {
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(file, 'utf8')]);
    return undefined;
  } catch {
    return { code: 'certificate-file', file };
  }
}

async function readReply(reply: Response): Promise<Sent> {
  if (reply.ok) return { type: 'taken', rejected: rejectedIn(await textOf(reply)) };
  await reply.body?.cancel();
  const why = { code: 'status', status: reply.status } as const;
  if (reply.status === TOO_LARGE.why.status) return TOO_LARGE;
  if (FINAL.has(reply.status)) return { type: 'refused', why };
  return { type: 'later', why, afterMs: retryAfterMs(reply.headers.get('retry-after')) };
}

/** A collector answers with a few words; more of them are not read. */
const REPLY_BYTES_MAX = 65_536;

async function textOf(reply: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of reply.body ?? []) {
    size += part.length;
    if (size > REPLY_BYTES_MAX) break;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function rejectedIn(text: string): number {
  try {
    const reply: unknown = JSON.parse(text);
    const { partialSuccess } = fieldsOf(reply);
    const count = Number(fieldsOf(partialSuccess)['rejectedSpans'] ?? 0);
    return Number.isSafeInteger(count) && count > 0 ? count : 0;
  } catch {
    // An empty reply, or one in another form: the status says that all were taken.
    return 0;
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** Longer waits than this are not believed. */
const RETRY_AFTER_MAX_MS = 300_000;

/** Seconds, or a date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS) : undefined;
}

function whyNot(cause: unknown, timeoutMs: number): Untaken {
  if (cause instanceof Error && cause.name === 'TimeoutError') return { code: 'timeout', afterMs: timeoutMs };
  const inner: unknown = cause instanceof Error ? cause.cause : undefined;
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : undefined;
  return { code: 'network', error: code ?? 'no connection' };
}
