// Hosts on other machines as people and programs see them.
import { expect, test } from 'vitest';
import { apply } from '../../engine/apply/apply.ts';
import type { RunEvent } from '../../engine/event.ts';
import { taskNamed } from '../../engine/facts.ts';
import { given, type Run } from '../../engine/run.given.ts';
import { claimSpans } from '../report/claim-spans.ts';
import { explanationRows } from '../text/explain-text.ts';
import { progressRow } from '../text/progress-text.ts';
import { workRows } from '../text/status-text.ts';
import { textOf, type TextRow } from '../text/styled-text.ts';
import { explainTask } from './explain-task.ts';
import { followProgress } from './progress.ts';
import { statusOf } from './run-status.ts';

const CLAIM = { task: 'a', work: 'step', step: 'main', attempt: 1 } as const;
const PLACED: RunEvent = { type: 'claim.placed', at: 0, ...CLAIM, host: 'build-7', why: 'template' };
const waiting = (why: 'label' | 'room'): RunEvent => ({ type: 'claim.waiting', at: 0, ...CLAIM, why });

const plain = (row: TextRow): string => row.map(textOf).join('');

interface Seen {
  readonly status: string;
  readonly explained: string;
  readonly told: readonly string[];
}

/** After these events about the claim on `a`, a minute later. */
function seen(run: Run, ...events: readonly RunEvent[]): Seen {
  const follow = followProgress('r', run.compiled);
  const told = [...run.log, ...events].flatMap((event) => {
    const row = progressRow(follow(event), { startedAt: 0 });
    return row === undefined || !event.type.startsWith('claim.') ? [] : [plain(row).trim()];
  });
  const state = run.state();
  for (const event of events) apply(state, event);
  const now = run.now() + 60_000;
  const about = { now, given: { inputs: {}, env: {} } };
  const explanation = explainTask(state, taskNamed(run.compiled, 'a'), { ...about, expected: undefined });
  return {
    status: workRows(statusOf(state, about).running).map(plain).join('\n'),
    explained: explanationRows(explanation, { now }).map(plain).join('\n'),
    told,
  };
}

const labelled = (): Run => given('a: { run: x, on: [linux, gpu] }', { tree: 'auto' });

test('a claim on another machine says on which, and why there', () => {
  expect(seen(labelled(), PLACED)).toEqual({
    status: 'a   1m 00s  on build-7',
    explained: 'a is running.\n  a has been running for 1m on build-7: a tree of the base commit is there',
    told: ['0s  a started', '0s  a runs on build-7'],
  });
});

test('a claim without a host says what it waits for', () => {
  expect(seen(labelled(), waiting('label'))).toEqual({
    status: 'a   1m 00s  waits for a host with linux, gpu',
    explained:
      'a is running.\n  a has been waiting for a host with linux, gpu for 1m: no host that is here has these labels',
    told: ['0s  a started', '0s  a waits for a host: no host that is here has these labels'],
  });
  expect(seen(labelled(), waiting('room')).told).toEqual(['0s  a started']);
});

test('a claim on the machine of the coordinator says nothing of machines, also when it has waited', () => {
  const here: RunEvent = { ...PLACED, type: 'claim.placed', host: undefined, why: 'only' };
  const { status, explained } = seen(labelled(), waiting('room'), here);
  expect(status).toBe('a   1m 00s');
  expect(explained).toBe('a is running.\n  a has been running for 1m');
});

test('the report and programs know the host of each attempt', () => {
  const run = labelled();
  expect(claimSpans(run.compiled, [...run.log, PLACED]).map(({ host }) => host)).toEqual(['build-7']);
  apply(run.state(), PLACED);
  const status = statusOf(run.state(), { now: run.now(), given: { inputs: {}, env: {} } });
  expect(status.running.map(({ place }) => place)).toEqual([{ type: 'placed', host: 'build-7', why: 'template' }]);
});
