import { expect, test } from 'vitest';
import { fold } from '../../core/engine/apply/fold.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import { given } from '../../core/engine/run.given.ts';
import { snapshot } from '../../core/engine/state.ts';
import { pastWorkOf } from '../../core/simulate/past-work.ts';
import { keepRuns } from './kept-runs.ts';
import { givenRun, ownGivenRun, projectInMemory } from './served-project.given.ts';

const PLAN = 'a: { run: x, estimate: 5m }\nb: { needs: [a], run: x, estimate: 7m }';

/** A run of which the first events are in the store, and the rest. */
function givenHalf() {
  const run = given(PLAN);
  const half = run.log.length;
  run.waits(60_000);
  run.says('a', 'done');
  const project = projectInMemory();
  const record = givenRun(project, run.log);
  const { append } = ownGivenRun(project, record);
  append(run.log.slice(1, half), []);
  const open = project.served.open('read');
  return { log: run.log, rest: run.log.slice(half), half, project, record, open, append };
}

function seenIn(read: ReturnType<ReturnType<typeof keepRuns>['read']>) {
  const { folded, position, failure } = read;
  return { state: folded && snapshot(folded.state), work: folded && { ...folded.work }, position, failure };
}

const foldOf = (log: readonly RunEvent[]) => ({
  state: snapshot(fold(log)),
  work: pastWorkOf(log),
  position: log.length,
  failure: undefined,
});

test('a run that is read again is folded on to what its whole log folds to, and one that was dropped as well', () => {
  const { log, rest, half, record, open, append } = givenHalf();
  const runs = keepRuns();
  expect(seenIn(runs.read(open, record.run))).toEqual(foldOf(log.slice(0, half)));
  append(rest, []);
  expect(seenIn(runs.read(open, record.run))).toEqual(foldOf(log));
  expect(runs.has(record.run)).toBe(true);
  runs.drop(record.run);
  expect(runs.has(record.run)).toBe(false);
  expect(seenIn(runs.read(open, record.run))).toEqual(foldOf(log));
});

test('the end that tabs are told is the one that status tells, of a run that is kept and of one that is not', async () => {
  const { rest, project, record, append } = givenHalf();
  const { ask } = project.served;
  const expected = async () => {
    const { expectedAt, now } = await ask('status', { run: record.run, at: undefined });
    const eta = await ask('eta', { run: record.run });
    // Of a run that is late, the end moves with the clock.
    const leftMs = [(expectedAt?.likely ?? 0) - now, (eta?.endAt.likely ?? 0) - (eta?.at ?? 0)];
    return leftMs.map((ms) => Math.round(ms / 1_000));
  };
  // Nothing is kept before the summaries, and afterwards the run is.
  const [status, eta] = await expected();
  expect(eta).toBe(status);
  await ask('summaries', { known: [] });
  append(rest, []);
  const [later, kept] = await expected();
  expect(kept).toBe(later);
  expect(kept).not.toBe(eta);
});
