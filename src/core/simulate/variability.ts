// The deviation of runs from their estimates: fitted to earlier runs, and drawn for each simulated run.
//
// The model of a duration: log(duration) = log(estimate) + c + e. The common part c is one number for a whole run (a
// slow provider, a busy machine, estimates that are all too low), e is drawn for each attempt. Attempts fail with one
// share.
//
// variability/V1. Few observations make the drawn worlds differ more, so that a range is wide where little is known.
// variability/V2. Without observations the prior alone is drawn.
import type { Chance } from '../schedule/chance.ts';

/** A standard deviation of logarithms, and the number of independent observations behind it. */
export interface Deviation {
  readonly deviation: number;
  readonly degrees: number;
}

export interface Variability {
  /** Of a single attempt. */
  readonly spread: Deviation;
  /** Of a whole run against other runs. */
  readonly common: Deviation;
  /** The mean logarithm of duration / estimate, and its own standard deviation. */
  readonly bias: { readonly mean: number; readonly deviation: number };
  readonly failed: number;
  readonly succeeded: number;
}

export const PRIOR: Variability = {
  spread: { deviation: 0.5, degrees: 8 },
  common: { deviation: 0.25, degrees: 3 },
  bias: { mean: 0, deviation: 0.25 },
  failed: 0.4,
  succeeded: 7.6,
};

/** Every duration equals its estimate, and nothing fails. */
export const CERTAIN: Variability = {
  spread: { deviation: 0, degrees: 1 },
  common: { deviation: 0, degrees: 1 },
  bias: { mean: 0, deviation: 0 },
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
}

export function drawWorld({ spread, common, bias, failed, succeeded }: Variability, random: Chance): DrawnWorld {
  const between = drawDeviation(common, random);
  return {
    spread: drawDeviation(spread, random),
    failureShare: failed === 0 ? 0 : random.beta(failed, succeeded),
    factor: Math.exp(bias.mean + Math.hypot(bias.deviation, between) * random.normal()),
  };
}

/** A deviation that would explain the observed one: the fewer the observations, the further from it. */
function drawDeviation({ deviation, degrees }: Deviation, random: Chance): number {
  return deviation === 0 ? 0 : deviation * Math.sqrt(degrees / (2 * random.gamma(degrees / 2)));
}

/** One successful attempt of an earlier run. */
export interface Observation {
  readonly run: number;
  /** The step, check or merge. */
  readonly work: string;
  readonly ms: number;
  /** The estimate that holds for this work whatever was observed; undefined when observations make the estimate. */
  readonly statedMs: number | undefined;
}

export interface Attempts {
  readonly failed: number;
  readonly succeeded: number;
}

/** Shorter times are indistinguishable: start and end of a process, and the clock's rounding. */
const LEAST_MS = 100;

export function fitVariability(observations: readonly Observation[], { failed, succeeded }: Attempts): Variability {
  const fit = fitRuns(observations);
  const runs = fit.common.length;
  const spread = pooled(PRIOR.spread, { squares: fit.squares, degrees: fit.degrees });
  const meanCommon = mean(fit.common);
  // A mean over n durations strays by spread / √n for itself, which is not the run's.
  const noise = mean(fit.sizes.map((size) => spread.deviation ** 2 / size));
  const squares = fit.common.reduce((sum, each) => sum + (each - meanCommon) ** 2, 0);
  const degrees = Math.max(0, runs - 1);
  const common = pooled(PRIOR.common, { squares: Math.max(0, squares - degrees * noise), degrees });
  return {
    spread,
    common,
    bias: biasIn(fit, common, noise),
    failed: PRIOR.failed + failed,
    succeeded: PRIOR.succeeded + succeeded,
  };
}

function biasIn({ common: ofRuns, isStated }: RunFit, common: Deviation, noise: number): Variability['bias'] {
  const runs = ofRuns.length;
  if (runs === 0) return PRIOR.bias;
  if (isStated) return biasOf(mean(ofRuns), (common.deviation ** 2 + noise) / runs);
  // Estimates made of these runs share what was common to them.
  return { mean: 0, deviation: common.deviation / Math.sqrt(runs) };
}

/**
 * The bias by Bayes' rule: normal before, and observed with the given variance. A bias far beyond the prior says that
 * the prior is wrong, not that the bias is chance.
 */
function biasOf(observed: number, variance: number): Variability['bias'] {
  const before = Math.max(PRIOR.bias.deviation ** 2, observed ** 2 - variance);
  const weight = before / (before + variance);
  return { mean: weight * observed, deviation: Math.sqrt(weight * variance) };
}

function pooled(
  prior: Deviation,
  { squares, degrees }: { readonly squares: number; readonly degrees: number },
): Deviation {
  const all = prior.degrees + degrees;
  return { deviation: Math.sqrt((prior.degrees * prior.deviation ** 2 + squares) / all), degrees: all };
}

interface RunFit {
  /** Whether some estimates hold whatever was observed. */
  readonly isStated: boolean;
  /** By run: its common part. */
  readonly common: readonly number[];
  /** By run: its observations. */
  readonly sizes: readonly number[];
  /** The sum of squares that neither work nor run explains, and its degrees of freedom. */
  readonly squares: number;
  readonly degrees: number;
}

/** Enough for the alternating means below to settle to far less than a percent. */
const SWEEPS = 12;

/** Splits each logarithm into a part of the work, a part of the run and a residual, by alternating least squares. */
function fitRuns(observations: readonly Observation[]): RunFit {
  const logs = observations.map(({ ms }) => Math.log(Math.max(ms, LEAST_MS)));
  const [runOf, runs] = numbered(observations.map(({ run }) => run));
  const [workOf, works] = numbered(observations.map(({ work }) => work));
  const stated = Array.from({ length: works }, (): number | undefined => undefined);
  observations.forEach(({ statedMs }, index) => {
    if (statedMs !== undefined) stated[workOf[index] ?? 0] = Math.log(Math.max(statedMs, LEAST_MS));
  });
  const free = stated.filter((each) => each === undefined).length;
  let ofWork: readonly number[] = stated.map((each) => each ?? 0);
  let ofRun: readonly number[] = [];
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const means = meansBy(workOf, works, (index) => (logs[index] ?? 0) - (ofRun[runOf[index] ?? 0] ?? 0));
    ofWork = stated.map((each, work) => each ?? means[work] ?? 0);
    ofRun = meansBy(runOf, runs, (index) => (logs[index] ?? 0) - (ofWork[workOf[index] ?? 0] ?? 0));
    // Where nothing is stated, a shift of all runs could as well be one of all work.
    if (free === works) ofRun = ofRun.map((each) => each - mean(ofRun));
  }
  const rests = logs.map((log, index) => log - (ofWork[workOf[index] ?? 0] ?? 0) - (ofRun[runOf[index] ?? 0] ?? 0));
  const determined = free + runs - (free === works && runs > 0 ? 1 : 0);
  const degrees = Math.max(0, logs.length - determined);
  const sizes = Array.from({ length: runs }, () => 0);
  for (const run of runOf) sizes[run] = (sizes[run] ?? 0) + 1;
  return {
    isStated: free < works,
    common: ofRun,
    sizes,
    squares: degrees === 0 ? 0 : rests.reduce((sum, rest) => sum + rest ** 2, 0),
    degrees,
  };
}

/** Numbers keys by first appearance. */
function numbered(keys: readonly (string | number)[]): readonly [numbers: readonly number[], count: number] {
  const known = new Map<string | number, number>();
  const numbers = keys.map((key) => {
    const number = known.get(key) ?? known.size;
    known.set(key, number);
    return number;
  });
  return [numbers, known.size];
}

function meansBy(groupOf: readonly number[], groups: number, value: (index: number) => number): readonly number[] {
  const sums = new Float64Array(groups);
  const counts = new Float64Array(groups);
  groupOf.forEach((group, index) => {
    sums[group] = (sums[group] ?? 0) + value(index);
    counts[group] = (counts[group] ?? 0) + 1;
  });
  return Array.from(sums, (sum, group) => sum / Math.max(1, counts[group] ?? 0));
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
