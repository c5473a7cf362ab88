import { expect, test } from 'vitest';
import type { TransferFailure } from '../../core/protocol/transfer-failure.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import type { ObjectTransfer } from '../../shell/ports/object-transfer.ts';
import { openFarCommits } from './far-commits.ts';

const AWAY: TransferFailure = { code: 'link-away', address: 'there', cause: 'ECONNREFUSED' };
const NOT_YOURS: TransferFailure = { code: 'not-yours', ref: 'a' };

const CLAIM = { work: 'step', task: 'a', step: 'main', attempt: 1 } as const;
const DONE: WorkOutcome = {
  ...CLAIM,
  type: 'finished',
  spend: { usd: 0, tokens: 0 },
  result: { ok: true, response: '', exitCode: 0, output: undefined, commit: 'c1' },
};

const NEWS = { done: [DONE], held: [] };
const WHOLE = { ...NEWS, isWhole: true };
/** It still has the claim, as far as the server is told. */
const WITHHELD = { done: [], held: [{ claim: CLAIM, spend: DONE.spend }], isWhole: false };

/** Servers that answer a delivery with what stands there at the moment. */
function given(...answers: (TransferFailure | undefined)[]) {
  const world = { at: 0, answers, delivered: 0 };
  const transfers = answers.map((_, server): ObjectTransfer => ({
    bring: () => Promise.resolve(undefined),
    deliver: () => Promise.resolve(world.answers[server]),
    forget: () => Promise.resolve(),
  }));
  const clock = { monotonic: () => world.at };
  const commits = openFarCommits({ transfers, clock, onDelivered: () => (world.delivered += 1) });
  return { world, commits };
}

test('a commit goes to the server that answered for the run last, and its outcome is told there alone', async () => {
  const { commits } = given(undefined, undefined);
  commits.noteHome('run', 1);
  expect(await commits.deliver('run', CLAIM, 'c1')).toBeUndefined();
  expect(commits.tellable(1, 'run', NEWS)).toEqual(WHOLE);
  expect(commits.tellable(0, 'run', NEWS)).toEqual(WITHHELD);
});

test('while that server is away the commit goes to another, which may have the run by now', async () => {
  const { commits } = given(AWAY, undefined);
  commits.noteHome('run', 0);
  expect(await commits.deliver('run', CLAIM, 'c1')).toBeUndefined();
  expect(commits.tellable(1, 'run', NEWS)).toEqual(WHOLE);
});

test('a refusal by a server without the run does not fail a claim while the one that has it is away', async () => {
  const { commits } = given(NOT_YOURS, AWAY);
  expect(await commits.deliver('run', CLAIM, 'c1')).toEqual(AWAY);
});

test('while every server refuses, as when their copies of the log lag behind, the claim goes on; one server alone is believed', async () => {
  expect(await given(NOT_YOURS, NOT_YOURS).commits.deliver('run', CLAIM, 'c1')).toMatchObject({ code: 'link-away' });
  expect(await given(NOT_YOURS).commits.deliver('run', CLAIM, 'c1')).toEqual(NOT_YOURS);
});

test('an outcome that nobody has heard of is delivered to the others too, and told when they have its commit', async () => {
  const { world, commits } = given(undefined, undefined);
  await commits.deliver('run', CLAIM, 'c1');
  expect(commits.tellable(1, 'run', NEWS)).toEqual(WITHHELD);
  world.at = 5_000;
  expect(commits.tellable(1, 'run', NEWS)).toEqual(WITHHELD);
  await expect.poll(() => world.delivered).toBe(1);
  expect(commits.tellable(1, 'run', NEWS)).toEqual(WHOLE);
});

test('with one server, and without a commit, there is nothing to wait for', () => {
  expect(given(undefined).commits.tellable(0, 'run', NEWS)).toEqual(WHOLE);
  const failed: WorkOutcome = { ...CLAIM, type: 'lost', spend: { usd: 0, tokens: 0 } };
  const news = { done: [failed], held: [] };
  expect(given(undefined, undefined).commits.tellable(1, 'run', news)).toEqual({ ...news, isWhole: true });
});

test('a server that has taken the run over gets the commit at once, and until then is told that the claim is held', async () => {
  const { world, commits } = given(undefined, undefined);
  commits.noteHome('run', 0);
  await commits.deliver('run', CLAIM, 'c1');
  commits.noteHome('run', 1);
  expect(commits.tellable(1, 'run', NEWS)).toEqual(WITHHELD);
  await expect.poll(() => world.delivered).toBe(1);
  expect(commits.tellable(1, 'run', NEWS)).toEqual(WHOLE);
});
