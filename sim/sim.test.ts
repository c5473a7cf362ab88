import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { assert } from '../src/core/assert.ts';
import { missingFrom } from './expected.ts';
import type { Invariant } from './invariants/invariant.ts';
import { playTrial } from './play-trial.ts';
import { shrink } from './shrink.ts';
import { sweep } from './sweep.ts';
import { drawTrial } from './trial.ts';

/** An invariant that every world breaks, to see what becomes of a failure. */
const NO_STEP_FINISHES: Invariant = {
  name: 'no step ever finishes',
  watch: (_, broken) => ({
    before: (event) => {
      if (event.type === 'claim.ended' && event.work === 'step') broken('One does.');
    },
  }),
};

describe('the seeded world', () => {
  test('keeps every invariant, whatever happens, and everything happens', async () => {
    const done = await sweep({
      from: 1,
      count: 3_000,
      processes: Math.min(2, availableParallelism()),
      isThorough: false,
      onProgress: () => undefined,
    });
    expect(done.failures).toEqual([]);
    expect(missingFrom(done)).toEqual([]);
  });

  test('gives the same run for the same seed, byte for byte', async () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const [once, again] = [await playTrial(drawTrial(seed)), await playTrial(drawTrial(seed))];
      expect(again?.digest).toBe(once?.digest);
      expect(again?.counts).toEqual(once?.counts);
    }
    const [one, other] = [await playTrial(drawTrial(1)), await playTrial(drawTrial(2))];
    expect(one?.digest).not.toBe(other?.digest);
  });

  test('makes a failing trial smaller, and it fails in the same way still', async () => {
    const trial = drawTrial(3);
    const played = await playTrial(trial, [NO_STEP_FINISHES]);
    const violation = played?.violation;
    assert(played !== undefined && violation !== undefined, 'In the world of this seed a step finishes.');
    const small = await shrink(trial, { ...played, violation }, [NO_STEP_FINISHES]);
    expect(small.played.violation?.invariant).toBe(NO_STEP_FINISHES.name);
    expect(small.trial.plan.split('\n').length).toBeLessThan(15);
    expect(Object.values(small.trial.weather).filter((share) => share > 0)).toEqual([]);
  });
});
