import { expect, test } from 'vitest';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import { deliveredWork } from './delivered-work.ts';

const COMMIT = 'a'.repeat(40);
const REF = 'refs/heddle/run-1/checkpoints/one/main/2';
const SPEND = { usd: 0.5, tokens: undefined };

const reported = (commit: string | undefined): WorkOutcome => ({
  type: 'finished',
  work: 'step',
  task: 'one',
  step: 'main',
  attempt: 2,
  spend: SPEND,
  result: { ok: true, response: 'done', output: undefined, exitCode: 0, commit },
});

async function heard(refs: Readonly<Record<string, string>>, outcome: WorkOutcome): Promise<WorkOutcome | undefined> {
  const checked = deliveredWork(() => Promise.resolve({ read: (ref) => Promise.resolve(refs[ref]) }));
  return (await checked([{ run: 'run-1', done: [outcome], held: [], warm: [] }]))[0]?.done[0];
}

test('an outcome counts with the commit that its host has delivered', async () => {
  expect(await heard({ [REF]: COMMIT }, reported(COMMIT))).toEqual(reported(COMMIT));
});

test('an outcome without a commit needs none', async () => {
  expect(await heard({}, reported(undefined))).toEqual(reported(undefined));
});

test.each([
  ['was never delivered', {}],
  ['is not the one of its claim', { [REF]: 'b'.repeat(40) }],
])('an outcome whose commit %s is work that could not be saved, at the cost that was reported', async (_, refs) => {
  expect(await heard(refs, reported(COMMIT))).toMatchObject({
    type: 'failed',
    reason: 'unsaved',
    isFinal: false,
    spend: SPEND,
    result: {
      ok: false,
      response: `Its host reported the commit ${COMMIT} and did not deliver it.`,
      commit: undefined,
    },
  });
});
