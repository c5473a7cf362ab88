// The replies below `/api/p/PROJECT/r/RUN/`: each reads the log and the files of one run, with or without a coordinator.
import { setTimeout } from 'node:timers/promises';
import { eventsFrom } from '../app/fold-run.ts';
import type { OpenProject, RunRecord } from '../app/open-project.ts';
import { runDiff } from '../app/read/diff.ts';
import { keepAttempts } from '../app/read/keep-attempts.ts';
import { listOutputs, readRange } from '../app/read/output-parts.ts';
import { readPlanText } from '../app/read/plan-text.ts';
import { readMergeChecks } from '../app/read/read-merge-checks.ts';
import { readMergePrefixes } from '../app/read/read-merge-prefixes.ts';
import type { AskFolds } from '../app/web/fold-reads.ts';
import { isWorkType } from '../core/protocol/assignment.ts';
import { OUTPUT_BYTES_MAX } from '../core/protocol/web.ts';
import { openPetrinaut } from '../core/view/run/petrinaut.ts';
import type { EtaCache } from './eta-cache.ts';
import { openLineStream } from './line-stream.ts';
import { wholeNumberIn, wordIn } from './query.ts';
import { RefusedRequest } from './refused-request.ts';
import { sendBody, sendJson, sendText, type Exchange } from './send.ts';

export interface RunRead {
  readonly exchange: Exchange;
  readonly open: OpenProject;
  readonly record: RunRecord;
  readonly query: URLSearchParams;
  /** The id of the project. */
  readonly project: string;
  readonly etas: EtaCache;
  readonly ask: AskFolds;
}

type Reply = (read: RunRead) => Promise<void>;

/** For all tabs, and fed by what they are sent. */
export const ATTEMPTS = keepAttempts();

export const RUN_READS: ReadonlyMap<string, Reply> = new Map<string, Reply>([
  ['status', replyStatus],
  ['explain', replyExplanation],
  ['eta', replyEta],
  [
    'forecast',
    async ({ exchange, ask, record: { run } }) => await sendJson(exchange, withoutMaps(await ask('forecast', { run }))),
  ],
  [
    'turns',
    async ({ exchange, ask, record: { run }, query }) =>
      await sendJson(exchange, { turns: await ask('turns', { run, task: wordIn(query, 'task') }) }),
  ],
  ['diff', replyDiff],
  [
    'outputs',
    ({ exchange, open, record, query }) =>
      sendJson(exchange, listOutputs(open, record, { task: wordIn(query, 'task'), kept: ATTEMPTS })),
  ],
  ['output', replyOutput],
  [
    'merge-checks',
    async ({ exchange, open, record, query }) =>
      await sendJson(exchange, await readMergeChecks(open, record, query.get('task') ?? undefined)),
  ],
  [
    'merge-prefixes',
    async ({ exchange, open, record }) => await sendJson(exchange, await readMergePrefixes(open, record)),
  ],
  ['report', replyReport],
  ['plan', ({ exchange, open, record }) => sendText(exchange, readPlanText(open, record))],
  ['petrinaut', replyFirings],
]);

/** Maps do not show in JSON. */
const withoutMaps = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, each: unknown) => (each instanceof Map ? Object.fromEntries(each.entries()) : each)),
  );

async function replyStatus({ exchange, ask, record: { run }, query }: RunRead): Promise<void> {
  await sendJson(exchange, await ask('status', { run, at: wholeNumberIn(query, 'at') }));
}

async function replyEta({ exchange, open, ask, record: { run }, project, etas }: RunRead): Promise<void> {
  const eta = await etas({ project, run, end: open.store.endOf(run), simulate: () => ask('eta', { run }) });
  await sendJson(exchange, withoutMaps(eta ?? {}));
}

async function replyExplanation({ exchange, ask, record: { run }, query }: RunRead): Promise<void> {
  await sendJson(exchange, withoutMaps(await ask('explain', { run, task: wordIn(query, 'task') })));
}

async function replyDiff({ exchange, open, record, query }: RunRead): Promise<void> {
  const task = wordIn(query, 'task');
  await sendText(exchange, await runDiff(open, record, { task, step: query.get('step') ?? undefined }));
}

async function replyOutput({ exchange, open, record, query }: RunRead): Promise<void> {
  const work = query.get('work') ?? 'step';
  const attempt = wholeNumberIn(query, 'attempt');
  if (!isWorkType(work) || attempt === undefined)
    throw new RefusedRequest(400, { code: 'malformed-parameter', name: attempt === undefined ? 'attempt' : 'work' });
  const length = Math.min(wholeNumberIn(query, 'length') ?? OUTPUT_BYTES_MAX, OUTPUT_BYTES_MAX);
  const range = { part: wordIn(query, 'part'), from: wholeNumberIn(query, 'from') ?? 0, length };
  const step = query.get('step') ?? undefined;
  const claim = { work, task: wordIn(query, 'task'), step: step === '' ? undefined : step, attempt };
  const bytes = readRange(open, record, { claim, range, kept: ATTEMPTS });
  if (bytes === undefined) throw new RefusedRequest(404, { code: 'claim-unknown', ...claim });
  await sendBody(exchange, { status: 200, type: 'application/octet-stream', bytes: Buffer.from(bytes) });
}

async function replyReport({ exchange, ask, record: { run } }: RunRead): Promise<void> {
  const bytes = Buffer.from(await ask('report', { run }));
  await sendBody(exchange, { status: 200, type: 'text/html; charset=utf-8', bytes });
}

const PAGE_EVENTS = 2_048;
const FOLLOWS_EVERY_MS = 200;

/** With `follow`, goes on with the run until it ends. */
async function replyFirings({ exchange, open: { store }, record: { run }, query }: RunRead): Promise<void> {
  const play = openPetrinaut();
  let { events, position } = eventsFrom(store, run, 0, PAGE_EVENTS);
  const stream = openLineStream(exchange);
  for (;;) {
    const lines = events.flatMap((event) => play.take(event)).map((line) => `${JSON.stringify(line)}\n`);
    if (lines.length > 0) stream.write(lines.join(''));
    if (stream.isFull() && !(await stream.drained())) return;
    const isOver = events.length < PAGE_EVENTS && (!query.has('follow') || play.hasEnded());
    if (isOver || exchange.response.destroyed) return stream.end();
    if (events.length < PAGE_EVENTS) await setTimeout(FOLLOWS_EVERY_MS);
    ({ events, position } = eventsFrom(store, run, position, PAGE_EVENTS));
  }
}
