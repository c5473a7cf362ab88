import { expect, test } from 'vitest';
import type { RunEvent } from '../../core/engine/event.ts';
import type { RemoteMoved, RemoteSwap } from '../../shell/git/remote/git-remote.ts';
import type { Log } from '../../shell/ports/log.ts';
import { sharedLog } from './shared-log.ts';

const CHECKPOINT = 'refs/heddle/r-1/a';
const OPENED: RunEvent = { type: 'task.opened', at: 1, task: 'a' };
const RESOLVED: RunEvent = { type: 'task.resolved', at: 2, task: 'a', commit: 'c2' };

/** A log and a remote that tell in which order they were called, and a repository with one ref. */
function given(...answers: readonly RemoteMoved[]) {
  const calls: (string | readonly RemoteSwap[])[] = [];
  const troubles: unknown[] = [];
  const ending = new AbortController();
  const moves = [...answers];
  const log: Log = {
    read: () => [],
    commands: () => [],
    append: (events) => {
      calls.push(`append ${events.map(({ type }) => type).join(' ')}`);
      return { type: 'appended' };
    },
  };
  const shared = sharedLog(log, {
    run: 'r-1',
    repository: {
      list: () => Promise.resolve([{ ref: CHECKPOINT, commit: 'c2' }]),
      read: () => Promise.resolve(undefined),
    },
    remote: {
      address: 'there',
      move: (swaps) => {
        calls.push(swaps);
        return Promise.resolve(moves.shift() ?? { type: 'moved' });
      },
    },
    there: new Map([[CHECKPOINT, 'c1']]),
    onTrouble: (failure) => {
      troubles.push(failure?.code);
      if (failure !== undefined && moves.length === 0) ending.abort();
    },
    signal: ending.signal,
  });
  return { calls, troubles, shared };
}

const FROM_WHAT_WAS_FOUND = [{ ref: CHECKPOINT, from: 'c1', to: 'c2' }];

test('a commit is on the remote before the event that names it, and is pushed once', async () => {
  const { calls, shared } = given();
  expect(await shared.append([OPENED], [])).toEqual({ type: 'appended' });
  expect(await shared.append([RESOLVED], [])).toEqual({ type: 'appended' });
  expect(await shared.append([RESOLVED], [])).toEqual({ type: 'appended' });
  expect(calls).toEqual(['append task.opened', FROM_WHAT_WAS_FOUND, 'append task.resolved', 'append task.resolved']);
});

test('a server that slept while another moved the refs appends nothing', async () => {
  const { calls, shared } = given({ type: 'elsewhere', ref: CHECKPOINT, at: 'c9' });
  expect(await shared.append([RESOLVED], [])).toEqual({
    type: 'failed',
    failure: { code: 'shared-elsewhere', run: 'r-1', remote: 'there', ref: CHECKPOINT },
  });
  expect(calls).toEqual([FROM_WHAT_WAS_FOUND]);
});

test('while the remote is away nothing is appended, and those that wait for it can be let go', async () => {
  const away: RemoteMoved = { type: 'failed', failure: { code: 'link-away', address: 'there', cause: 'ECONNREFUSED' } };
  const { calls, troubles, shared } = given(away);
  expect(await shared.append([RESOLVED], [])).toMatchObject({ failure: { code: 'shared-unreached' } });
  expect([calls, troubles]).toEqual([[FROM_WHAT_WAS_FOUND], ['link-away']]);
});
