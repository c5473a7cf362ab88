import { describe, expect, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../../test/patience.given.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import { given } from '../../core/engine/run.given.ts';
import { closedAddress, givenCollector, type Collector } from './collector.given.ts';
import { logSpans } from './log-spans.ts';
import { openOtlpClient, type Untaken } from './otlp-client.ts';
import type { OtlpSettings } from './otlp-settings.ts';
import { pauseMs, pumpSpans, type Pumped } from './pump-spans.ts';

/** A run of a few tasks that has ended. */
function endedLog(tasks = 3): readonly RunEvent[] {
  const names = Array.from({ length: tasks }, (_, index) => `t${index}`);
  const run = given(names.map((name) => `${name}: { run: x }`).join('\n'), { plan: 'max_parallel: 8\n' });
  for (const name of names) {
    run.waits(10);
    run.says(name, 'done');
  }
  return run.log;
}

const settingsFor = (url: string, more: Partial<OtlpSettings> = {}): OtlpSettings => ({
  url: `${url}/v1/traces`,
  host: 'here',
  headers: { 'api-key': 's3cret' },
  compression: 'gzip',
  timeoutMs: PATIENCE_MS,
  delayMs: 5,
  batchMax: 512,
  certificate: undefined,
  resource: { 'service.name': 'heddle' },
  hasContent: false,
  areAgentsJoined: false,
  ...more,
});

interface Pump {
  readonly over: Promise<Pumped>;
  readonly failures: readonly Untaken[];
  readonly delivered: () => number;
  readonly end: () => void;
}

interface PumpOptions extends Partial<OtlpSettings> {
  readonly deliveredBefore?: number;
  /** The length of a text in every span. */
  readonly padding?: number;
}

function startPump(log: () => readonly RunEvent[], url: string, options: PumpOptions = {}): Pump {
  const { deliveredBefore = 0, padding = 0, ...more } = options;
  const settings = settingsFor(url, more);
  const ending = new AbortController();
  const failures: Untaken[] = [];
  let delivered = deliveredBefore;
  const source = logSpans({
    given: { run: 'given-1', hasContent: false, areAgentsJoined: false },
    read: (position, max) => log().slice(position, position + max),
    delivered: deliveredBefore,
    onDelivered: (events) => (delivered = events),
    clean: (span) => ({ ...span, attributes: { ...span.attributes, text: 'x'.repeat(padding) } }),
  });
  const over = pumpSpans({
    source,
    client: openOtlpClient(settings, '1'),
    batchMax: settings.batchMax,
    delayMs: settings.delayMs,
    onFailure: (why) => failures.push(why),
    ending: ending.signal,
    closeWithinMs: PATIENCE_MS,
    lastTriesMax: 2,
  });
  return { over, failures, delivered: () => delivered, end: () => ending.abort() };
}

const namesAt = (collector: Collector): readonly string[] => collector.spans().map(({ name }) => name);

describe('a log', () => {
  test('reaches a collector compressed, with headers, in batches, and the note follows', async () => {
    const collector = await givenCollector();
    const log = endedLog();
    const pump = startPump(() => log, collector.url, { batchMax: 4 });
    pump.end();
    expect(await pump.over).toEqual({ sent: 7, dropped: 0, left: 0, why: undefined });
    expect(collector.calls.map(({ spans }) => spans.length)).toEqual([4, 3]);
    expect(collector.calls[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'content-encoding': 'gzip', 'content-type': 'application/json', 'api-key': 's3cret' },
      resource: { 'service.name': 'heddle' },
    });
    expect(pump.delivered()).toBe(log.length);
  });

  test('that grows is followed, with markers for what has begun', async () => {
    const collector = await givenCollector();
    const whole = endedLog(1);
    let length = whole.length - 3;
    const pump = startPump(() => whole.slice(0, length), collector.url);
    await vi.waitFor(() => expect(namesAt(collector)).toContain('step main (started)'), { timeout: PATIENCE_MS });
    length = whole.length;
    pump.end();
    expect(await pump.over).toMatchObject({ left: 0 });
    // Each marker once, however often there was time for more.
    expect(namesAt(collector).toSorted()).toEqual([
      'invoke_workflow given',
      'invoke_workflow given (started)',
      'step main',
      'step main (started)',
      'task t0',
      'task t0 (started)',
    ]);
  });

  test('that was delivered in part goes on where the note says', async () => {
    const collector = await givenCollector();
    const log = endedLog();
    const pump = startPump(() => log, collector.url, { deliveredBefore: log.length - 1 });
    pump.end();
    expect(await pump.over).toMatchObject({ sent: 1, left: 0 });
    expect(namesAt(collector)).toEqual(['invoke_workflow given']);
  });
});

describe('a collector', () => {
  test.each([
    [
      { status: 429, headers: { 'retry-after': '0' } },
      { code: 'status', status: 429 },
    ],
    [
      { status: 503, headers: { 'retry-after': new Date(0).toUTCString() } },
      { code: 'status', status: 503 },
    ],
    [
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      { code: 'status', status: 302 },
    ],
  ])('that answers with %j is told of once, and gets everything later', async (answer, why) => {
    const collector = await givenCollector(answer);
    const log = endedLog();
    const pump = startPump(() => log, collector.url);
    await vi.waitFor(() => expect(collector.calls.length).toBeGreaterThan(1), { timeout: PATIENCE_MS });
    expect(pump.delivered()).toBe(0);
    collector.answer = { status: 200 };
    await vi.waitFor(() => expect(collector.spans()).toHaveLength(7), { timeout: PATIENCE_MS });
    pump.end();
    expect(await pump.over).toMatchObject({ sent: 7, left: 0 });
    expect(pump.failures).toEqual([why]);
  });

  test('that is away when the run ends is tried again, and what is left is counted', async () => {
    const pump = startPump(() => endedLog(), await closedAddress(), { delayMs: PATIENCE_MS });
    pump.end();
    expect(await pump.over).toEqual({
      sent: 0,
      dropped: 0,
      left: 7,
      why: { code: 'network', error: 'ECONNREFUSED' },
    });
    // The last word says it.
    expect(pump.failures).toEqual([]);
  });

  test('that never answers is not waited for longer than its limit', async () => {
    const collector = await givenCollector({ status: 0 });
    const pump = startPump(() => endedLog(), collector.url, { timeoutMs: 50, delayMs: PATIENCE_MS });
    pump.end();
    expect(await pump.over).toMatchObject({ left: 7, why: { code: 'timeout', afterMs: 50 } });
  });

  test('that refuses the data has it dropped and counted, and not sent again', async () => {
    const collector = await givenCollector({ status: 400 });
    const log = endedLog();
    const pump = startPump(() => log, collector.url);
    pump.end();
    expect(await pump.over).toEqual({ sent: 0, dropped: 7, left: 0, why: { code: 'status', status: 400 } });
    expect(collector.calls).toHaveLength(1);
    expect(pump.delivered()).toBe(log.length);
  });

  test.each([1, 3])('that takes at most %i spans at once gets so many', async (most) => {
    const collector = await givenCollector({ status: 413 });
    const log = endedLog();
    const pump = startPump(() => log, collector.url);
    collector.answer = ({ spans }) => ({ status: spans.length > most ? 413 : 200 });
    pump.end();
    expect(await pump.over).toEqual({ sent: 7, dropped: 0, left: 0, why: undefined });
    expect(collector.spans().map(({ spanId }) => spanId)).toHaveLength(7);
    expect(Math.max(...collector.calls.map(({ spans }) => spans.length))).toBe(7);
  });

  test('that takes not even one span at once has it dropped', async () => {
    const collector = await givenCollector({ status: 413 });
    const pump = startPump(() => endedLog(1), collector.url);
    pump.end();
    expect(await pump.over).toEqual({ sent: 0, dropped: 3, left: 0, why: { code: 'status', status: 413 } });
  });

  test('gets spans with long texts in calls of a few megabytes', async () => {
    const collector = await givenCollector();
    const log = endedLog(20);
    const pump = startPump(() => log, collector.url, { padding: 400_000 });
    pump.end();
    expect(await pump.over).toMatchObject({ sent: 41, left: 0 });
    expect(collector.calls.length).toBeGreaterThan(3);
  });

  test('that takes only a part says how many it did not', async () => {
    const collector = await givenCollector({ status: 200, body: '{"partialSuccess":{"rejectedSpans":"2"}}' });
    const pump = startPump(() => endedLog(), collector.url);
    pump.end();
    expect(await pump.over).toMatchObject({ sent: 5, dropped: 2, left: 0 });
  });

  test.each(['', 'thanks', '[1]', 'x'.repeat(200_000)])('may answer anything with its 200', async (body) => {
    const collector = await givenCollector({ status: 200, body });
    const pump = startPump(() => endedLog(), collector.url, { compression: 'none' });
    pump.end();
    expect(await pump.over).toMatchObject({ sent: 7, dropped: 0, left: 0 });
    expect(collector.calls[0]?.headers['content-encoding']).toBeUndefined();
  });
});

test('a collector that does not know compression gets everything without', async () => {
  const collector = await givenCollector();
  collector.answer = ({ headers }) => ({ status: headers['content-encoding'] === 'gzip' ? 415 : 200 });
  const pump = startPump(() => endedLog(), collector.url, { batchMax: 4 });
  pump.end();
  expect(await pump.over).toEqual({ sent: 7, dropped: 0, left: 0, why: undefined });
  expect(collector.calls.map(({ status }) => status)).toEqual([415, 200, 200]);
});

test('a collector that asks for no pause is not called without one', () => {
  const sent = { type: 'later', why: { code: 'status', status: 429 }, afterMs: 0 } as const;
  expect(pauseMs({ sent, failures: 1, delayMs: 5_000, isLast: false })).toBe(5_000);
  expect(pauseMs({ sent: { ...sent, afterMs: 9_000 }, failures: 1, delayMs: 5_000, isLast: false })).toBe(9_000);
});

test('a file of certificates that cannot be read is why nothing is sent', async () => {
  const pump = startPump(() => endedLog(), 'https://127.0.0.1:1', { certificate: '/nowhere.pem' });
  pump.end();
  expect(await pump.over).toMatchObject({ left: 7, why: { code: 'certificate-file', file: '/nowhere.pem' } });
});
