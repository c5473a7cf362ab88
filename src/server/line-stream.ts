// One streamed reply of JSON lines. The reader of slow clients is waited for: `isFull` says when to write no more.
import { constants, createGzip } from 'node:zlib';
import type { Writable } from 'node:stream';
import { POLICY_HEADERS } from './policy-headers.ts';
import { takesGzip, type Exchange } from './send.ts';

export interface LineStream {
  /** Whole lines, each with its end. They are taken even when the stream is full afterwards. */
  readonly write: (lines: string | Buffer) => void;
  /** The client has yet to read what was written. */
  readonly isFull: () => boolean;
  /** Resolves when the client has read enough; false when it has gone. */
  readonly drained: () => Promise<boolean>;
  readonly onDrain: (drained: () => void) => void;
  readonly onClose: (closed: () => void) => void;
  readonly end: () => void;
}

export function openLineStream({ request, response }: Exchange): LineStream {
  const isZipped = takesGzip(request);
  response.writeHead(200, {
    ...POLICY_HEADERS,
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
  });
  response.flushHeaders();
  const zip = isZipped ? createGzip({ level: constants.Z_BEST_SPEED }) : undefined;
  zip?.pipe(response);
  const target: Writable = zip ?? response;
  // A client that goes away in the middle of a write is no failure of ours; `close` follows.
  for (const stream of [response, target]) stream.on('error', () => undefined);
  response.on('close', () => zip?.destroy());
  return {
    write: (lines) => {
      if (target.destroyed || target.writableEnded) return;
      target.write(lines);
      zip?.flush(constants.Z_SYNC_FLUSH);
    },
    isFull: () => target.writableNeedDrain,
    drained: () =>
      new Promise((resolve) => {
        target.once('drain', () => resolve(true));
        response.once('close', () => resolve(false));
      }),
    onDrain: (drained) => void target.on('drain', drained),
    onClose: (closed) => void response.on('close', closed),
    end: () => void target.end(),
  };
}
