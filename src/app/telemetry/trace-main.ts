// The thread that follows the log of a run and sends its spans. It reads the store by itself, so the loop of the run spends
// nothing on it; it ends when it is told that the run is over.
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../shell/loop/steady-clock.ts';
import { openStore } from '../../shell/store/open-store.ts';
import { readExported, writeExported } from '../../shell/telemetry/exported-note.ts';
import { openOtlpClient } from '../../shell/telemetry/otlp-client.ts';
import { pumpSpans } from '../../shell/telemetry/pump-spans.ts';
import { spansOfRun } from './traced-run.ts';
import type { TelemetryNote, TraceThread } from './telemetry-note.ts';

/** The longest wait for the collector after the run is over. */
const CLOSE_WITHIN_MS = 10_000;
const LAST_TRIES_MAX = 2;

// Only `telemetry-parts` starts this file.
const { home, run, version, file, settings } = workerData as TraceThread;
const say = (note: TelemetryNote): void => parentPort?.postMessage(note, []);

const ending = new AbortController();
parentPort?.once('message', () => ending.abort());

const opened = openStore(home, { mode: 'read', clock: systemClock });
if (opened.type === 'failed') say({ code: 'telemetry-failed', message: opened.failure.code });
else {
  const { store } = opened;
  const { host, batchMax, delayMs } = settings;
  const source = spansOfRun(
    store,
    { home, run, settings },
    { delivered: readExported(file), onDelivered: (events) => writeExported(file, events) },
  );
  let isTold = false;
  const { left, dropped, why } = await pumpSpans({
    source,
    client: openOtlpClient(settings, version),
    batchMax,
    delayMs,
    onFailure: (failure) => {
      isTold = true;
      say({ code: 'telemetry-away', host, run, why: failure });
    },
    ending: ending.signal,
    closeWithinMs: CLOSE_WITHIN_MS,
    lastTriesMax: LAST_TRIES_MAX,
  });
  store.close();
  if (dropped > 0) say({ code: 'telemetry-dropped', host, spans: dropped, why });
  // A collector that is away is told of once: what was said before names the command too.
  if (left > 0 && !isTold) say({ code: 'telemetry-left', host, run, spans: left, why });
}
parentPort?.close();
