import { describe, expect, test } from 'vitest';
import { chance } from '../schedule/chance.ts';
import { guessCommon } from './common-part.ts';
import { fitVariability } from './fit-variability.ts';
import { CERTAIN, drawWorld, PRIOR, type Unfinished, type Variability } from './variability.ts';

/** The 10th, 50th and 90th percentile of the logarithm of the drawn factors. */
function factorsOf(variability: Variability, unfinished: readonly Unfinished[] = []): readonly number[] {
  const random = chance(3);
  const factors = Array.from({ length: 400 }, () => Math.log(drawWorld(variability, random, unfinished).factor));
  const sorted = factors.toSorted((one, other) => one - other);
  return [40, 200, 360].map((at) => sorted[at] ?? 0);
}

const widthOf = ([low = 0, , high = 0]: readonly number[]): number => high - low;

describe('a drawn world', () => {
  test('differs from others the more the less was observed, and not at all when all is certain (variability/V1)', () => {
    const parts = Array.from({ length: 20 }, (_, run) => [0, 1, 2, 3].map((step) => observation(run, step))).flat();
    const known = fitVariability(parts, { failed: 0, succeeded: 80 });
    expect(widthOf(factorsOf(PRIOR))).toBeGreaterThan(3 * widthOf(factorsOf(known)));
    expect(drawWorld(CERTAIN, chance(1))).toEqual({ spread: 0, failureShare: 0, factor: 1, bias: 1 });
  });

  test('has about the share of failures that was observed', () => {
    const seen = fitVariability([], { failed: 40, succeeded: 160 });
    const random = chance(1);
    const shares = Array.from({ length: 500 }, () => drawWorld(seen, random).failureShare);
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeCloseTo(0.2, 1);
  });

  test('is as slow as the run under way has shown to be (variability/V3)', () => {
    const part = { mean: 0.9, variance: 0.005 };
    const slow = { ...PRIOR, common: guessCommon([part], false), underWay: part };
    const [, likely = 0] = factorsOf(slow);
    expect(likely).toBeCloseTo(0.9, 1);
    expect(widthOf(factorsOf(slow))).toBeLessThan(0.3 * widthOf(factorsOf(PRIOR)));
  });

  test('is slow where work is not finished that should have been long ago (variability/V3)', () => {
    const late = { soFar: 1, doubt: 0.2 };
    const [, usual = 0] = factorsOf(PRIOR);
    const [, likely = 0] = factorsOf(PRIOR, [late, late, late, late]);
    expect(likely).toBeGreaterThan(usual + 0.4);
  });
});

const observation = (run: number, step: number) => ({
  run,
  work: `t${step}`,
  agent: undefined,
  value: 60_000 * (1 + step) * (run % 2 === 0 ? 1.05 : 0.95),
  stated: undefined,
});
