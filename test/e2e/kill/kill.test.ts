// Real processes are killed at the boundaries of events and at moments between them; the run goes on to the same end.
// `npm run kill -- --rounds 200` kills many more.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inWords, playAll, playUndisturbed, scenariosFrom, type Undisturbed } from './matrix.ts';
import { CAP, POOL } from './kill-plan.ts';
import { VICTIMS } from './scenario.ts';
import { isGood, type Verdict } from './verdict.ts';

/** Enough for each victim to be killed at two boundaries and at one moment. */
const SCENARIOS = 3 * VICTIMS.length;
const AT_ONCE = 4;
const BOUND_MS = 600_000;

const SEED = Number(process.env['HEDDLE_KILL_SEED'] ?? Date.now() % 10_000);

describe(`a run that is killed (HEDDLE_KILL_SEED=${SEED})`, () => {
  let undisturbed: Undisturbed;
  let verdicts: readonly Verdict[] = [];

  beforeAll(async () => {
    undisturbed = await playUndisturbed();
    const scenarios = scenariosFrom({ seed: SEED, count: SCENARIOS, victims: VICTIMS, undisturbed });
    verdicts = await playAll({ scenarios, expected: undisturbed.result, atOnce: AT_ONCE, onVerdict: () => {} });
  }, BOUND_MS);

  afterAll(async () => {
    for (const { played } of verdicts) await played.project.end();
  });

  /** Every verdict that holds something of a kind, in words. */
  const told = (kind: (verdict: Verdict) => readonly string[]): readonly string[] =>
    verdicts.filter((verdict) => kind(verdict).length > 0).map(inWords);

  test('has the same outcomes and leaves the same files as an undisturbed run', () => {
    expect(isGood(undisturbed.verdict), inWords(undisturbed.verdict)).toBe(true);
    expect(verdicts).toHaveLength(SCENARIOS);
    expect(verdicts.filter(({ played }) => played.kills > 0).length).toBeGreaterThan(SCENARIOS / 2);
    expect(told(({ wrong }) => wrong)).toEqual([]);
  });

  test('loses no outcome that a worker had written and no dollar that was spent', () => {
    expect(told(({ lost }) => lost)).toEqual([]);
  });

  test('starts nothing again that the log says is done, and nothing at all when only its coordinator died', () => {
    expect(told(({ doubled }) => doubled)).toEqual([]);
  });

  test('leaves nothing running', () => {
    expect(told(({ leftRunning }) => leftRunning)).toEqual([]);
  });

  test('reaches its cap and its pool and exceeds neither, as its steps count themselves', () => {
    const all = [undisturbed.verdict, ...verdicts];
    expect(Math.max(...all.map(({ peak }) => peak))).toBe(CAP);
    expect(Math.max(...all.map(({ poolPeak }) => poolPeak))).toBe(POOL);
  });
});
