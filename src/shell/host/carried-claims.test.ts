import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { TransferFailure } from '../../core/protocol/transfer-failure.ts';
import { isOfMachine, type WorkOutcome } from '../../core/protocol/work-outcome.ts';
import type { ArtifactUpload } from '../ports/artifact-upload.ts';
import type { ObjectTransfer } from '../ports/object-transfer.ts';
import { attemptFile, type AttemptRecord } from './attempt-folder.ts';
import { startTimeOf } from '../exec/process.ts';
import {
  assignment,
  drive,
  end,
  givenPlace,
  HOOK_MS,
  stepRef,
  until,
  type Driven,
  type HostPlace,
} from './host.given.ts';

const [A, B] = [stepRef('a'), stepRef('b')];
const COMMIT = 'c'.repeat(40);
const AWAY: TransferFailure = { code: 'link-away', address: 'there', cause: 'gone' };
const REFUSED: TransferFailure = { code: 'too-large', bytesMax: 7 };

let place: HostPlace;
let hosts: Driven[] = [];

beforeEach(() => {
  place = givenPlace();
});
afterEach(async () => {
  const toClose = hosts;
  hosts = [];
  await end(place, toClose);
}, HOOK_MS);

/** Answers each call as a test says, and keeps what was asked. */
interface Carrier extends ObjectTransfer, ArtifactUpload {
  readonly calls: string[];
  /** Answers the oldest call that waits. */
  readonly answer: (failure?: TransferFailure) => Promise<void>;
}

function carrier(): Carrier {
  const calls: string[] = [];
  const waiting: ((failure: TransferFailure | undefined) => void)[] = [];
  const call = (name: string): Promise<TransferFailure | undefined> => {
    calls.push(name);
    return new Promise((resolve) => waiting.push(resolve));
  };
  return {
    calls,
    bring: (run, { claim }) => call(`bring ${run} ${claim.task}`),
    deliver: (run, { task }, commit) => call(`deliver ${run} ${task} ${commit.slice(0, 1)}`),
    forget: () => Promise.resolve(),
    upload: async (run, { task }) => void (await call(`upload ${run} ${task}`)),
    answer: async (failure) => (await until('it is called', () => waiting.shift()))(failure),
  };
}

function given(options: Parameters<typeof drive>[1]): Driven {
  const one = drive(place, options);
  hosts.push(one);
  return one;
}

/** What a worker of an earlier program of the host has left. */
function leftBehind(claim: ClaimRef, commit: string | undefined): WorkOutcome {
  const result = { ok: true, response: 'done', output: undefined, exitCode: 0, commit };
  const outcome: WorkOutcome = { type: 'finished', ...claim, spend: { usd: 2, tokens: 3 }, result };
  const startedAt = startTimeOf(process.pid) ?? '';
  const record: AttemptRecord = { pid: 2, startedAt, claim, at: 0, assignment: undefined, outcome };
  mkdirSync(place.folderOf(claim), { recursive: true });
  writeFileSync(attemptFile(place.folderOf(claim)), JSON.stringify(record));
  return outcome;
}

describe('the commits that a claim starts from', () => {
  test('are here before a worker has the claim, which is held meanwhile (host/O1)', async () => {
    const transfer = carrier();
    const host = given({ transfer });
    host.offer(assignment(A, 'echo begun'));
    await until('it is brought', () => transfer.calls.length === 1);
    await until('it is held', () => host.heldKeys().length === 1);
    expect(host.host.claims()).toMatchObject([{ pid: undefined }]);
    await transfer.answer();
    expect(await host.outcome(A)).toMatchObject({ type: 'finished', result: { response: 'begun' } });
    expect(transfer.calls).toEqual(['bring run-1 a']);
  });

  test('are brought again after a failure that may pass', async () => {
    const transfer = carrier();
    const host = given({ transfer });
    host.offer(assignment(A, 'true'));
    await transfer.answer(AWAY);
    await transfer.answer(AWAY);
    await transfer.answer();
    expect(await host.outcome(A)).toMatchObject({ type: 'finished' });
    expect(transfer.calls).toEqual(['bring run-1 a', 'bring run-1 a', 'bring run-1 a']);
  });

  test('that cannot be had end the claim, which was not begun', async () => {
    const transfer = carrier();
    const host = given({ transfer });
    host.offer(assignment(A, 'true'));
    await transfer.answer({ code: 'commit-missing', commit: COMMIT, address: 'there' });
    expect(await host.outcome(A)).toMatchObject({
      type: 'failed',
      reason: 'refused',
      isFinal: false,
      spend: { usd: 0, tokens: 0 },
      result: { response: `there does not have the commit ${COMMIT}.` },
    });
  });

  test('may come for a claim that was cancelled meanwhile, and start nothing', async () => {
    const transfer = carrier();
    const host = given({ transfer });
    host.offer(assignment(A, `touch ${place.file('begun')}`));
    await until('it is brought', () => transfer.calls.length === 1);
    host.cancel(A);
    expect(await host.outcome(A)).toMatchObject({ type: 'stopped', spend: { usd: 0 } });
    await transfer.answer();
    expect(host.host.claims()).toEqual([]);
  });
});

describe('what a claim has made', () => {
  test('is on the other side before its outcome is reported, also after a restart (host/Q4)', async () => {
    const transfer = carrier();
    const outcome = leftBehind(A, COMMIT);
    const host = given({ transfer });
    host.host.recover([A]);
    await transfer.answer(AWAY);
    await until('it is held', () => host.heldKeys().length === 1);
    expect(host.latest()).toMatchObject({ done: [], held: [{ spend: { usd: 2, tokens: 3 } }] });
    await transfer.answer();
    expect(await host.outcome(A)).toEqual({ ...outcome, isPartial: undefined, conversation: undefined });
    expect(transfer.calls).toEqual(['deliver run-1 a c', 'deliver run-1 a c']);
  });

  test('that the other side refuses makes it a failure, with its cost and the reason', async () => {
    const transfer = carrier();
    leftBehind(A, COMMIT);
    const host = given({ transfer });
    host.host.recover([A]);
    await transfer.answer(REFUSED);
    expect(await host.outcome(A)).toMatchObject({
      type: 'failed',
      reason: 'unsaved',
      isFinal: false,
      spend: { usd: 2, tokens: 3 },
      result: { ok: false, commit: undefined },
    });
  });

  test('without a commit is reported as it is', async () => {
    const transfer = carrier();
    leftBehind(A, undefined);
    const host = given({ transfer });
    host.host.recover([A]);
    expect(await host.outcome(A)).toMatchObject({ type: 'finished' });
    expect(transfer.calls).toEqual([]);
  });

  test('ends in time when it is cancelled while the other side is away', async () => {
    const transfer = carrier();
    leftBehind(A, COMMIT);
    const host = given({ transfer, graceMs: 1 });
    host.host.recover([A]);
    await transfer.answer(AWAY);
    host.cancel(A);
    expect(await host.outcome(A)).toMatchObject({ type: 'stopped', spend: { usd: 2, tokens: 3 } });
  });

  test('is reported after the files of its attempt, and its claim named when that was heard', async () => {
    const artifacts = carrier();
    const reported: string[] = [];
    leftBehind(A, COMMIT);
    const host = given({ artifacts, onReported: (claims) => reported.push(...claims.map(({ task }) => task)) });
    host.host.recover([A]);
    await until('it is held', () => host.heldKeys().length === 1);
    expect(artifacts.calls).toEqual(['upload run-1 a']);
    expect(host.latest().done).toEqual([]);
    await artifacts.answer();
    expect(await host.outcome(A)).toMatchObject({ type: 'finished' });
    await until('it is named', () => reported.length > 0);
    expect(reported).toEqual(['a']);
  });
});

test('a host that shares its room with others takes no more than there is', async () => {
  let room = 0;
  const host = given({ hasRoom: () => room > 0 });
  host.reply({ start: [assignment(A, 'true')] });
  expect(host.host.claims()).toEqual([]);
  room = 1;
  host.offer(assignment(A, 'true'));
  expect(await host.outcome(A)).toMatchObject({ type: 'finished' });
});

describe('a failure on a machine that is full (host/Q5)', () => {
  test('is one of the machine, and what went well is not', async () => {
    const host = given({ lacks: () => 'its disk is full' });
    host.offer(assignment(A, 'echo no room; exit 3'));
    const outcome = await host.outcome(A);
    expect(outcome).toMatchObject({ type: 'failed', reason: 'refused', result: { response: 'its disk is full' } });
    expect(isOfMachine(outcome)).toBe(true);
    host.offer(assignment(B, 'true'));
    expect(await host.outcome(B)).toMatchObject({ type: 'finished', result: { ok: true } });
  });

  test('is one of the work where nothing is lacking', async () => {
    const host = given({ lacks: () => undefined });
    host.offer(assignment(A, 'exit 3'));
    expect(await host.outcome(A)).toMatchObject({ type: 'finished', result: { ok: false, exitCode: 3 } });
  });
});
