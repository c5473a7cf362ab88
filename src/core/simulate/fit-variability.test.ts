import { describe, expect, test } from 'vitest';
import { chance, type Chance } from '../schedule/chance.ts';
import { fitVariability, median, type Observation } from './fit-variability.ts';
import { drawWorld, PRIOR, type Variability } from './variability.ts';

interface TrueWorld {
  readonly spread: number;
  readonly common: number;
  readonly runs: number;
  readonly bias?: number;
  readonly isStated?: boolean;
  /** Whether all steps take equally long. */
  readonly isEven?: boolean;
}

/** Durations of 20 steps in several runs of a world that is known. */
function observed(
  { spread, common, runs, bias = 0, isStated = false, isEven = false }: TrueWorld,
  random: Chance = chance(5),
): readonly Observation[] {
  return Array.from({ length: runs }, (_, run) => {
    const ofRun = bias + common * random.normal();
    return Array.from({ length: 20 }, (__, step): Observation => {
      const usual = 60_000 * (isEven ? 1 : 1 + step);
      const value = usual * Math.exp(ofRun + spread * random.normal());
      return { run, work: `t${step}`, agent: 'ai', value, stated: isStated ? usual : undefined };
    });
  }).flat();
}

const NO_ATTEMPTS = { failed: 0, succeeded: 0 };
const fit = (world: TrueWorld, underWay?: number) => fitVariability(observed(world), NO_ATTEMPTS, underWay);

/** The probable deviation of runs from each other, and the probable bias. */
const betweenOf = ({ common }: Variability): number =>
  common.reduce((sum, { weight, between }) => sum + weight * between, 0);
const biasOf = ({ common }: Variability): number =>
  common.reduce((sum, { weight, bias }) => sum + weight * bias.mean, 0);

describe('the variability of runs', () => {
  test('is the prior where nothing was observed (variability/V2)', () => {
    expect(fitVariability([], NO_ATTEMPTS)).toEqual(PRIOR);
  });

  test('a single run without stated estimates tells of spread only that it is no more than that of all its steps', () => {
    expect(fit({ spread: 0.9, common: 0, runs: 1 }).spread).toEqual(PRIOR.spread);
    const even = fit({ spread: 0.1, common: 0, runs: 1, isEven: true });
    expect(even.spread.deviation).toBeLessThan(0.4);
    expect(even.amongSteps).toBeLessThan(PRIOR.amongSteps);
  });

  test.each([0.1, 0.3, 0.8])('the spread %f of single attempts is found', (spread) => {
    expect(fit({ spread, common: 0.4, runs: 10 }).spread.deviation).toBeCloseTo(spread, 1);
  });

  test('a factor common to a run is distinguished from the spread of its steps', () => {
    const calm = fit({ spread: 0.3, common: 0, runs: 30 });
    const moody = fit({ spread: 0.3, common: 0.6, runs: 30 });
    expect(betweenOf(calm)).toBeLessThan(0.12);
    expect(betweenOf(moody)).toBeGreaterThan(0.45);
    expect(moody.spread.deviation).toBeCloseTo(calm.spread.deviation, 5);
  });

  test('stated estimates that are all too low show as bias, and in estimates made of the same runs', () => {
    const many = fit({ spread: 0.2, common: 0.1, runs: 20, bias: 0.7, isStated: true });
    expect(biasOf(many)).toBeCloseTo(0.7, 1);
    expect(many.level).toBeCloseTo(0.7, 1);
  });

  test('estimates made of earlier runs have the common part of the middle run in them', () => {
    const commons = [-1, 0.2, 0.8];
    const seen = commons.flatMap((common, run) =>
      [1, 2, 3, 4].map((step): Observation => {
        const value = 60_000 * step * Math.exp(common);
        return { run, work: `t${step}`, agent: 'ai', value, stated: undefined };
      }),
    );
    expect(fitVariability(seen, NO_ATTEMPTS).level).toBeCloseTo(0.2, 5);
  });

  test('of the run under way only work counts that has an estimate from elsewhere', () => {
    const world = { spread: 0.05, common: 0.5, runs: 3 };
    const all = observed(world);
    const [first, second, ...rest] = all.filter(({ run }) => run === 2);
    const begun = [...all.filter(({ run }) => run < 2), ...[first, second].filter((each) => each !== undefined)];
    const { underWay } = fitVariability(begun, NO_ATTEMPTS, 2);
    const whole = fitVariability(all, NO_ATTEMPTS, 2).underWay;
    expect(underWay?.mean).toBeCloseTo(whole?.mean ?? Number.NaN, 1);
    const unknown = rest.map((each) => ({ ...each, work: `new ${each.work}`, value: 1e9 }));
    expect(fitVariability([...begun, ...unknown], NO_ATTEMPTS, 2).underWay?.mean).toBeCloseTo(underWay?.mean ?? 0, 5);
  });
});

describe('eight of ten runs lie within the drawn worlds', () => {
  const TRIALS = 150;
  const DRAWS = 200;
  const NEXT = 20;

  /** Observes some runs, draws the next one from what they tell, and counts how often it comes out within the range. */
  function shareHeld(world: TrueWorld): number {
    const random = chance(world.runs * 1_000 + world.common * 100);
    let held = 0;
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const seen = observed(world, random);
      const fitted = fitVariability(seen, NO_ATTEMPTS);
      const factors = Array.from({ length: DRAWS }, () => {
        const { factor, bias } = drawWorld(fitted, random);
        return Math.log(world.isStated === true ? factor * bias : factor);
      }).toSorted((one, other) => one - other);
      const isOff = world.isStated === true ? 0 : offOf(seen);
      for (let next = 0; next < NEXT; next += 1) {
        const factor = world.common * random.normal() - isOff;
        if (factor >= (factors[DRAWS * 0.1] ?? 0) && factor <= (factors[DRAWS * 0.9] ?? 0)) held += 1;
      }
    }
    return held / (TRIALS * NEXT);
  }

  /** How far estimates made of these runs are off. */
  function offOf(seen: readonly Observation[]): number {
    const logs = [...Map.groupBy(seen, ({ work }) => work)].map(([work, all]) =>
      Math.log(median(all.map(({ value }) => value)) / (60_000 * (1 + Number(work.slice(1))))),
    );
    return logs.reduce((sum, log) => sum + log, 0) / logs.length;
  }

  test.each([
    { common: 0.3, runs: 3 },
    { common: 0.5, runs: 3 },
    { common: 0.7, runs: 3 },
    { common: 0.3, runs: 10 },
    { common: 0.5, runs: 10 },
    { common: 1, runs: 10 },
    { common: 0.5, runs: 1 },
    { common: 0.5, runs: 3, isStated: true },
    { common: 0.5, runs: 10, isStated: true },
  ])('%o', (world) => {
    const share = shareHeld({ spread: 0.3, ...world });
    expect(share).toBeGreaterThan(0.7);
    expect(share).toBeLessThan(0.92);
  });
});
