// The replies below `/api/p/PROJECT/r/RUN/`: each reads the log and the files of one run, with or without a coordinator.
import type { OpenProject, RunRecord } from '../app/open-project.ts';
import { explain, readStatus } from '../app/read/read-status.ts';
import { readTurns } from '../app/read/turns-of.ts';
import { readStatusAt } from '../app/read/status-at.ts';
import { RefusedRequest } from './refused-request.ts';
import { sendJson, sendText, type Exchange } from './send.ts';

export interface RunRead {
  readonly exchange: Exchange;
  readonly open: OpenProject;
  readonly record: RunRecord;
  readonly query: URLSearchParams;
}

type Reply = (read: RunRead) => Promise<void>;

export const RUN_READS: ReadonlyMap<string, Reply> = new Map<string, Reply>([
  [
    'status',
    async ({ exchange, open, record, query }) => {
      const at = wholeNumberIn(query, 'at');
      await sendJson(exchange, at === undefined ? readStatus(open, record) : readStatusAt(open, record, at));
    },
  ],
  [
    'explain',
    async ({ exchange, open, record, query }) => {
      const { now, explanation } = explain(open, record, wordIn(query, 'task'));
      const { expected } = explanation;
      const asData = expected === undefined ? undefined : { ...expected, steps: Object.fromEntries(expected.steps) };
      await sendJson(exchange, { now, explanation: { ...explanation, expected: asData } });
    },
  ],
  [
    'turns',
    async ({ exchange, open, record, query }) =>
      await sendJson(exchange, { turns: readTurns(open, record, wordIn(query, 'task')) }),
  ],
  ['plan', async ({ exchange, record }) => await sendText(exchange, record.source)],
]);

export function wordIn(query: URLSearchParams, name: string): string {
  const word = query.get(name);
  if (word === null || word === '') throw new RefusedRequest(400, { code: 'missing-parameter', name });
  return word;
}

export function wholeNumberIn(query: URLSearchParams, name: string): number | undefined {
  const word = query.get(name);
  if (word === null || word === '') return undefined;
  const number = Number(word);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new RefusedRequest(400, { code: 'malformed-parameter', name });
}
