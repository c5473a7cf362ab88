// The variability of runs, fitted to earlier runs and to the finished work of the run under way.
import { guessCommon } from './common-part.ts';
import { PRIOR, type Deviation, type Variability } from './variability.ts';

/** One successful attempt. */
export interface Observation {
  readonly run: number;
  /** The step, check or merge. */
  readonly work: string;
  /** Of a step that an agent did. */
  readonly agent: string | undefined;
  /** A duration or a cost, above 0. */
  readonly value: number;
  /** The estimate that holds for this work whatever was observed; undefined when observations make the estimate. */
  readonly stated: number | undefined;
}

export interface Attempts {
  readonly failed: number;
  readonly succeeded: number;
}

/** `underWay` is the number of the run that has not ended, if one of them is. */
export function fitVariability(
  observations: readonly Observation[],
  attempts: Attempts,
  underWay?: number,
): Variability {
  const failed = PRIOR.failed + attempts.failed;
  const succeeded = PRIOR.succeeded + attempts.succeeded;
  if (observations.length === 0) return { ...PRIOR, failed, succeeded };
  const { parts, ofWork, squares, degrees, isStated } = fitRuns(observations, underWay);
  const agents = fitAgents(observations);
  const spread = boundedBy(agents, pooled(PRIOR.spread, { squares, degrees }));
  const among = amongSteps(agents, spread);
  const isLearnt = !isStated && parts.size > 0;
  // A mean over n durations strays by spread / √n for itself, which is not the run's. The estimates of a single run
  // without any other stray as its steps do.
  const each = isLearnt && parts.size === 1 ? Math.hypot(spread.deviation, among) : spread.deviation;
  const seen = [...parts].map(([run, { mean, size }]) => ({ run, mean, variance: each ** 2 / size }));
  return {
    spread,
    amongSteps: among,
    common: guessCommon(seen, isLearnt),
    level: levelOf(
      observations.filter(({ run }) => run !== underWay),
      ofWork,
    ),
    underWay: seen.find(({ run }) => run === underWay),
    failed,
    succeeded,
  };
}

/** Medians have the common part of the middle run in them, which is not the mean of all runs. */
function levelOf(earlier: readonly Observation[], ofWork: ReadonlyMap<string, number>): number {
  const works = [...Map.groupBy(earlier, ({ work }) => work)];
  const learnt = works.filter(([, all]) => all.every(({ stated }) => stated === undefined));
  return meanOf(
    (learnt.length > 0 ? learnt : works).map(
      ([work, all]) => Math.log(median(all.map(({ value }) => value))) - (ofWork.get(work) ?? 0),
    ),
  );
}

interface Squares {
  /** The sum of squared deviations, and its degrees of freedom. */
  readonly squares: number;
  readonly degrees: number;
}

/** The steps of one agent in one run differ by the steps and by chance. */
function fitAgents(observations: readonly Observation[]): Squares {
  const groups = Map.groupBy(
    observations.filter(({ agent }) => agent !== undefined),
    ({ run, agent }) => `${run} ${agent ?? ''}`,
  );
  let [squares, degrees] = [0, 0];
  for (const group of groups.values()) {
    const logs = group.map(({ value }) => Math.log(value));
    const mean = meanOf(logs);
    squares += logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
    degrees += logs.length - 1;
  }
  // The same steps in another run tell little more of how steps differ.
  const runs = Math.max(1, new Set(observations.map(({ run }) => run)).size);
  return { squares: squares / runs, degrees: degrees / runs };
}

/** Chance alone cannot make a step differ from itself more than it makes different steps differ. */
const boundedBy = (among: Squares, spread: Deviation): Deviation =>
  among.squares < among.degrees * spread.deviation ** 2 ? pooled(spread, among) : spread;

const AMONG_DEGREES = 2;

function amongSteps(among: Squares, spread: Deviation): number {
  const prior = { deviation: Math.hypot(PRIOR.amongSteps, spread.deviation), degrees: AMONG_DEGREES };
  return Math.sqrt(Math.max(0, pooled(prior, among).deviation ** 2 - spread.deviation ** 2));
}

export function pooled(prior: Deviation, { squares, degrees }: Squares): Deviation {
  const all = prior.degrees + degrees;
  return { deviation: Math.sqrt((prior.degrees * prior.deviation ** 2 + squares) / all), degrees: all };
}

interface RunFit extends Squares {
  /** Whether some estimates hold whatever was observed. */
  readonly isStated: boolean;
  /** By work: its logarithm in a run without a common part. */
  readonly ofWork: ReadonlyMap<string, number>;
  /** By run: its common part, and the number of observations that show it. */
  readonly parts: ReadonlyMap<number, { readonly mean: number; readonly size: number }>;
}

/** Enough for the alternating means below to settle to far less than a percent. */
const SWEEPS = 12;

/** Splits each logarithm into a part of the work, a part of the run and a residual, by alternating least squares. */
function fitRuns(observations: readonly Observation[], underWay: number | undefined): RunFit {
  const logs = observations.map(({ value }) => Math.log(value));
  const runs = numbered(observations.map(({ run }) => run));
  const works = numbered(observations.map(({ work }) => work));
  const stated = Array.from({ length: works.keys.length }, (): number | undefined => undefined);
  observations.forEach((observation, index) => {
    if (observation.stated !== undefined) stated[works.of[index] ?? 0] = Math.log(observation.stated);
  });
  const isStated = stated.some((each) => each !== undefined);
  const shows = showsRun(runs, works, stated);
  const centre = runs.keys.map((run) => run !== underWay || runs.keys.length === 1);
  let ofWork: readonly number[] = stated.map((each) => each ?? 0);
  let ofRun: readonly number[] = [];
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const worked = meansBy(works, (index) => (logs[index] ?? 0) - (ofRun[runs.of[index] ?? 0] ?? 0));
    ofWork = stated.map((each, work) => each ?? worked[work] ?? 0);
    ofRun = meansBy(runs, (index) => (logs[index] ?? 0) - (ofWork[works.of[index] ?? 0] ?? 0), shows);
    // Where nothing is stated, a shift of all runs could as well be one of all work: estimates are made of earlier runs.
    const shift = isStated ? 0 : meanOf(ofRun.filter((_, run) => centre[run]));
    ofRun = ofRun.map((each) => each - shift);
  }
  const rests = logs.map((log, index) => log - (ofWork[works.of[index] ?? 0] ?? 0) - (ofRun[runs.of[index] ?? 0] ?? 0));
  const sizes = runs.keys.map((_, run) => runs.of.filter((each, index) => each === run && shows[index]).length);
  const free = stated.filter((each) => each === undefined).length;
  const determined = free + sizes.filter((size) => size > 0).length - (isStated || logs.length === 0 ? 0 : 1);
  const degrees = Math.max(0, logs.length - determined);
  return {
    isStated,
    ofWork: new Map(works.keys.map((work, at) => [work, ofWork[at] ?? 0])),
    parts: new Map(
      runs.keys.flatMap((run, at) => {
        const size = sizes[at] ?? 0;
        return size === 0 ? [] : [[run, { mean: ofRun[at] ?? 0, size }] as const];
      }),
    ),
    squares: degrees === 0 ? 0 : rests.reduce((sum, rest) => sum + rest ** 2, 0),
    degrees,
  };
}

/**
 * By observation: whether it shows the common part of its run, because its work has an estimate or was done in another
 * run too. Of a single run without estimates all observations do: its estimates are made of them.
 */
function showsRun(runs: Numbered<number>, works: Numbered<string>, stated: readonly (number | undefined)[]): boolean[] {
  const runsOf = works.keys.map(() => new Set<number>());
  works.of.forEach((work, index) => runsOf[work]?.add(runs.of[index] ?? 0));
  const isAlone = runs.keys.length === 1 && stated.every((each) => each === undefined);
  return works.of.map((work) => isAlone || stated[work] !== undefined || (runsOf[work]?.size ?? 0) > 1);
}

interface Numbered<Key> {
  readonly keys: readonly Key[];
  /** By item: the number of its key. */
  readonly of: readonly number[];
}

/** Numbers keys by first appearance. */
function numbered<Key>(items: readonly Key[]): Numbered<Key> {
  const known = new Map<Key, number>();
  const of = items.map((key) => {
    const number = known.get(key) ?? known.size;
    known.set(key, number);
    return number;
  });
  return { keys: [...known.keys()], of };
}

function meansBy<Key>(
  { keys, of }: Numbered<Key>,
  value: (index: number) => number,
  counts?: readonly boolean[],
): readonly number[] {
  const sums = new Float64Array(keys.length);
  const sizes = new Float64Array(keys.length);
  of.forEach((group, index) => {
    if (counts?.[index] === false) return;
    sums[group] = (sums[group] ?? 0) + value(index);
    sizes[group] = (sizes[group] ?? 0) + 1;
  });
  return Array.from(sums, (sum, group) => sum / Math.max(1, sizes[group] ?? 0));
}

export const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

export function median(all: readonly number[]): number {
  const sorted = all.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
