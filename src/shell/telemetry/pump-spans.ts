// Brings the spans of a log to a collector while the log grows.
//
// pump-spans/U1. Spans are not kept in memory for a collector that is away: the log has them. What was not delivered is
//     read again, by this process or by a later one, so nothing is lost to a queue that was full.
// pump-spans/U2. People read of a collector that does not take spans once, whatever it does afterwards.
// pump-spans/U3. The end is waited for a limited time, and hardly at all for a collector that is away.
import timers from 'node:timers/promises';
import type { TraceSpan } from '../../core/view/trace/trace-span.ts';
import type { OtlpClient, Sent, Untaken } from './otlp-client.ts';

export interface SpanBatch {
  readonly spans: readonly TraceSpan[];
  /** The number of events whose spans are all in this batch or in earlier ones. */
  readonly through: number;
}

/** Where spans come from. */
export interface SpanSource {
  /** The next spans, at most `max`; the same ones again until they are accepted. */
  readonly next: (max: number) => SpanBatch;
  /** The batch was delivered, or never will be. */
  readonly accept: (batch: SpanBatch) => void;
  /** How many spans are finished and not accepted. */
  readonly left: () => number;
}

export interface Pumping {
  readonly source: SpanSource;
  readonly client: OtlpClient;
  readonly batchMax: number;
  readonly delayMs: number;
  /** Called once, with the first failure. */
  readonly onFailure: (why: Untaken) => void;
  /** Aborted when no more events will come. */
  readonly ending: AbortSignal;
  readonly closeWithinMs: number;
  /** Tries of one batch once no more events will come. */
  readonly lastTriesMax: number;
}

export interface Pumped {
  readonly sent: number;
  /** Refused by the collector for good. */
  readonly dropped: number;
  readonly left: number;
  readonly why: Untaken | undefined;
}

const BACKOFF_MS = { first: 1_000, most: 60_000 };
const LAST_PAUSE_MS = 500;

interface Progress {
  sent: number;
  dropped: number;
  failures: number;
  why: Untaken | undefined;
  hasTold: boolean;
}

export async function pumpSpans(pumping: Pumping): Promise<Pumped> {
  const { source, client, batchMax, delayMs, ending, closeWithinMs, lastTriesMax } = pumping;
  const progress: Progress = { sent: 0, dropped: 0, failures: 0, why: undefined, hasTold: false };
  const giveUp = new AbortController();
  const onEnd = (): void => void setTimeout(() => giveUp.abort(), closeWithinMs).unref();
  if (ending.aborted) onEnd();
  else ending.addEventListener('abort', onEnd, { once: true });
  let lastTries = 0;
  let max = batchMax;
  // A short run is over before its first batch, and sends everything at once.
  await pause(delayMs, ending);
  for (;;) {
    const isLast = ending.aborted;
    const batch = source.next(max);
    const sent: Sent =
      batch.spans.length === 0 ? { type: 'taken', rejected: 0 } : await client.send(batch.spans, giveUp.signal);
    if (sent.type === 'too large' && batch.spans.length > 1) {
      max = Math.ceil(batch.spans.length / 2);
      continue;
    }
    const isTaken = settle(pumping, { progress, batch, sent });
    // A batch that failed while the run went on may have more tries once it is over.
    if (isLast && !isTaken) lastTries += 1;
    const isDone = isLast && (isTaken ? batch.spans.length === 0 : lastTries >= lastTriesMax || giveUp.signal.aborted);
    if (isDone) break;
    const isMore = isTaken && batch.spans.length >= max;
    if (!isMore)
      await pause(pauseMs({ sent, failures: progress.failures, delayMs, isLast }), isLast ? giveUp.signal : ending);
  }
  return { sent: progress.sent, dropped: progress.dropped, left: source.left(), why: progress.why };
}

interface Settling {
  readonly progress: Progress;
  readonly batch: SpanBatch;
  readonly sent: Sent;
}

/** Returns whether the batch is over. */
function settle({ source, onFailure, ending }: Pumping, { progress, batch, sent }: Settling): boolean {
  if (sent.type === 'later') {
    progress.failures += 1;
    progress.why = sent.why;
    // What is said at the end says it once more, and what to do.
    if (!progress.hasTold && !ending.aborted) onFailure(sent.why);
    progress.hasTold = true;
    return false;
  }
  progress.failures = 0;
  const rejected = sent.type === 'taken' ? Math.min(sent.rejected, batch.spans.length) : batch.spans.length;
  if (sent.type !== 'taken') progress.why = sent.why;
  progress.dropped += rejected;
  progress.sent += batch.spans.length - rejected;
  source.accept(batch);
  return true;
}

interface Pausing {
  readonly sent: Sent;
  readonly failures: number;
  readonly delayMs: number;
  readonly isLast: boolean;
}

/**
 * Doubles with each failure, and differs between processes so that they do not all come back at once. A collector may ask
 * for another pause, but not for calls without any.
 */
export function pauseMs({ sent, failures, delayMs, isLast }: Pausing): number {
  if (sent.type !== 'later') return isLast ? 0 : delayMs;
  if (isLast) return Math.min(sent.afterMs ?? LAST_PAUSE_MS, LAST_PAUSE_MS * 4);
  const backoffMs = Math.min(BACKOFF_MS.first * 2 ** (failures - 1), BACKOFF_MS.most);
  return sent.afterMs === undefined ? backoffMs * (0.75 + Math.random() / 2) : Math.max(sent.afterMs, delayMs);
}

const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  // Aborted by the end of the run, which there is more to do at.
  await timers.setTimeout(ms, undefined, { signal }).catch(() => undefined);
};
