// The deviation of runs from their estimates, drawn for each simulated run.
//
// The model of a duration: log(duration) = log(estimate) + c + e. The common part c is one number for a whole run (a
// slow provider, a busy machine, estimates that are all too low), e is drawn for each attempt. Attempts fail with one
// share.
//
// variability/V1. Few observations make the drawn worlds differ more, so that a range is wide where little is known.
// variability/V2. Without observations the prior alone is drawn.
// variability/V3. A run under way has shown part of its own common part: its finished work, and how long the unfinished
//   has taken so far.
import { assert } from '../assert.ts';
import type { Chance } from '../schedule/chance.ts';
import { guessCommon, type CommonGuess, type SeenPart } from './common-part.ts';

/** A standard deviation of logarithms, and the number of independent observations behind it. */
export interface Deviation {
  readonly deviation: number;
  readonly degrees: number;
}

export interface Variability {
  /** Of a single attempt. */
  readonly spread: Deviation;
  /** Of the steps of one agent from each other: a standard deviation of logarithms, besides `spread`. */
  readonly amongSteps: number;
  /** Of a whole run against its estimates. */
  readonly common: readonly CommonGuess[];
  /** The common part that is contained in estimates made of earlier runs. */
  readonly level: number;
  /** The common part of the run under way, by its finished work; undefined of a run that is yet to begin. */
  readonly underWay: SeenPart | undefined;
  readonly failed: number;
  readonly succeeded: number;
}

export const PRIOR: Variability = {
  spread: { deviation: 0.5, degrees: 8 },
  amongSteps: 0.5,
  common: guessCommon([], false),
  level: 0,
  underWay: undefined,
  failed: 0.4,
  succeeded: 7.6,
};

/** Every duration equals its estimate, and nothing fails. */
export const CERTAIN: Variability = {
  spread: { deviation: 0, degrees: 1 },
  amongSteps: 0,
  common: [{ weight: 1, between: 0, bias: { mean: 0, deviation: 0 } }],
  level: 0,
  underWay: undefined,
  failed: 0,
  succeeded: 1,
};

/** One world, as a simulated run meets it. */
export interface DrawnWorld {
  /** Standard deviation of the logarithm of duration / estimate; 0 makes every duration equal its estimate. */
  readonly spread: number;
  /** Share of attempts, checks and rounds that fail. */
  readonly failureShare: number;
  /** The factor common to all durations of the run. */
  readonly factor: number;
  /** A further factor of durations whose estimate is not made of earlier runs. */
  readonly bias: number;
}

/** Work that has not ended yet. */
export interface Unfinished {
  /** The logarithm of its duration so far / estimate, and the standard deviation of the estimate's own error. */
  readonly soFar: number;
  readonly doubt: number;
}

export function drawWorld(
  variability: Variability,
  random: Chance,
  unfinished: readonly Unfinished[] = [],
): DrawnWorld {
  const { level, failed, succeeded } = variability;
  const spread = drawDeviation(variability.spread, random);
  const failureShare = failed === 0 ? 0 : random.beta(failed, succeeded);
  const draw = (): number => drawCommon(variability, random);
  const common = unfinished.length === 0 ? draw() : drawExplaining(unfinished, { spread, draw, random });
  return { spread, failureShare, factor: Math.exp(common - level), bias: Math.exp(level) };
}

/** A deviation that would explain the observed one: the fewer the observations, the further from it. */
function drawDeviation({ deviation, degrees }: Deviation, random: Chance): number {
  return deviation === 0 ? 0 : deviation * Math.sqrt(degrees / (2 * random.gamma(degrees / 2)));
}

function drawCommon({ common, underWay }: Variability, random: Chance): number {
  const { between, bias } = pick(common, ({ weight }) => weight, random);
  const centre = bias.mean + bias.deviation * random.normal();
  if (underWay === undefined) return centre + between * random.normal();
  const weight = between ** 2 / (between ** 2 + underWay.variance);
  return centre + weight * (underWay.mean - centre) + Math.sqrt(weight * underWay.variance) * random.normal();
}

interface Drawing {
  readonly spread: number;
  readonly draw: () => number;
  readonly random: Chance;
}

const CANDIDATES = 16;
/** The logistic distribution with this factor is nearly the normal one, and forgives what is very late. */
const LOGISTIC = 1.702;

/** Of several draws one that makes it probable that the work is still unfinished. */
function drawExplaining(unfinished: readonly Unfinished[], { spread, draw, random }: Drawing): number {
  const candidates = Array.from({ length: CANDIDATES }, () => {
    const common = draw();
    const logs = unfinished.map(({ soFar, doubt }) => {
      const lateness = (soFar - common) / Math.max(0.05, Math.hypot(spread, doubt));
      return -Math.log1p(Math.exp(LOGISTIC * lateness));
    });
    return { common, log: logs.reduce((sum, log) => sum + log, 0) };
  });
  const most = Math.max(...candidates.map(({ log }) => log));
  return pick(candidates, ({ log }) => Math.exp(log - most), random).common;
}

function pick<Item>(items: readonly Item[], weightOf: (item: Item) => number, random: Chance): Item {
  let left = random.next() * items.reduce((sum, item) => sum + weightOf(item), 0);
  const found = items.find((item) => (left -= weightOf(item)) < 0) ?? items.at(-1);
  assert(found !== undefined, 'There is something to pick from.');
  return found;
}
