import { describe, expect, test } from 'vitest';
import { chance } from '../schedule/chance.ts';
import { CERTAIN, drawWorld, fitVariability, PRIOR, type Observation } from './variability.ts';

interface TrueWorld {
  readonly spread: number;
  readonly common: number;
  readonly runs: number;
  readonly bias?: number;
  readonly isStated?: boolean;
}

/** Durations of 20 steps in several runs of a world that is known. */
function observed({ spread, common, runs, bias = 0, isStated = false }: TrueWorld): readonly Observation[] {
  const random = chance(5);
  return Array.from({ length: runs }, (_, run) => {
    const ofRun = bias + common * random.normal();
    return Array.from({ length: 20 }, (__, step): Observation => {
      const usual = 60_000 * (1 + step);
      const ms = usual * Math.exp(ofRun + spread * random.normal());
      return { run, work: `t${step}`, ms, statedMs: isStated ? usual : undefined };
    });
  }).flat();
}

const NO_ATTEMPTS = { failed: 0, succeeded: 0 };
const fit = (world: TrueWorld) => fitVariability(observed(world), NO_ATTEMPTS);

describe('the variability of runs', () => {
  test('is the prior where nothing was observed (variability/V2)', () => {
    expect(fitVariability([], NO_ATTEMPTS)).toEqual(PRIOR);
  });

  test('a single run without stated estimates tells nothing of spread', () => {
    expect(fit({ spread: 0.9, common: 0, runs: 1 }).spread).toEqual(PRIOR.spread);
  });

  test.each([0.1, 0.3, 0.8])('the spread %f of single attempts is found', (spread) => {
    expect(fit({ spread, common: 0.4, runs: 10 }).spread.deviation).toBeCloseTo(spread, 1);
  });

  test('a factor common to a run is distinguished from the spread of its steps', () => {
    const calm = fit({ spread: 0.3, common: 0, runs: 30 });
    const moody = fit({ spread: 0.3, common: 0.6, runs: 30 });
    expect(calm.common.deviation).toBeLessThan(0.15);
    expect(moody.common.deviation).toBeGreaterThan(0.45);
    expect(moody.spread.deviation).toBeCloseTo(calm.spread.deviation, 5);
  });

  test('estimates made of the runs share what was common to them, the less the more runs there were', () => {
    const one = fit({ spread: 0.3, common: 0, runs: 1 });
    expect(one.bias).toEqual({ mean: 0, deviation: PRIOR.common.deviation });
    const { common, bias } = fit({ spread: 0.3, common: 0.6, runs: 9 });
    expect(bias).toEqual({ mean: 0, deviation: common.deviation / 3 });
  });

  test('stated estimates that are all too low show as bias, the surer the more runs there were', () => {
    const few = fit({ spread: 0.2, common: 0.1, runs: 2, bias: 0.7, isStated: true });
    const many = fit({ spread: 0.2, common: 0.1, runs: 20, bias: 0.7, isStated: true });
    expect(many.bias.mean).toBeCloseTo(0.7, 1);
    expect(few.bias.deviation).toBeGreaterThan(many.bias.deviation);
  });

  test('the share of failures is drawn around the observed share', () => {
    const seen = fitVariability([], { failed: 40, succeeded: 160 });
    const random = chance(1);
    const shares = Array.from({ length: 500 }, () => drawWorld(seen, random).failureShare);
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeCloseTo(0.2, 1);
  });

  test('worlds differ more the less was observed, and not at all when all is certain (variability/V1)', () => {
    const widthOf = (variability: typeof PRIOR): number => {
      const random = chance(3);
      const factors = Array.from({ length: 400 }, () => drawWorld(variability, random).factor).sort((a, b) => a - b);
      return (factors[360] ?? 0) / (factors[40] ?? 1);
    };
    const known = fit({ spread: 0.2, common: 0.05, runs: 20 });
    expect(widthOf(PRIOR)).toBeGreaterThan(2 * widthOf(known));
    expect(drawWorld(CERTAIN, chance(1))).toEqual({ spread: 0, failureShare: 0, factor: 1 });
  });
});
