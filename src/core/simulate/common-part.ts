// The part of a duration's logarithm that is common to a whole run: what some runs tell of the next one.
//
// The model: the common part of a run is drawn around the bias of the estimates, with one deviation between runs. Neither
// is known. Each guess at the deviation is weighed by how well it explains the runs that were seen, so that two or three
// runs leave both small and large deviations possible, and a range is as wide as so few runs warrant.

/** One guess at the world: how far runs stray from each other, and the bias of estimates if they do. */
export interface CommonGuess {
  /** The probability of this guess. */
  readonly weight: number;
  /** The deviation of runs from each other. */
  readonly between: number;
  /** The bias of the estimates, and its own standard deviation. */
  readonly bias: { readonly mean: number; readonly deviation: number };
}

/** The common part of one run, and the variance of the error in it. */
export interface SeenPart {
  readonly mean: number;
  readonly variance: number;
}

/** The deviations that are tried; the prior keeps the others from mattering. */
const BETWEEN = Array.from({ length: 24 }, (_, at) => 0.02 * (2.5 / 0.02) ** (at / 23));
/** The prior weighs as much as one run, so that three runs already speak for themselves. */
const BETWEEN_DEVIATION = 0.25;
const BETWEEN_DEGREES = 1;

/** How far stated estimates and defaults are off: usually little, sometimes by a lot. */
const BIASES = [
  { deviation: 0.15, weight: 0.96 },
  { deviation: 1, weight: 0.04 },
] as const;
/** Estimates that were made of the runs themselves say nothing of how far they are off. */
const ANY_BIAS = [{ deviation: Infinity, weight: 1 }] as const;

/** What some runs tell; `isLearnt` when the estimates were made of these runs. */
export function guessCommon(parts: readonly SeenPart[], isLearnt: boolean): readonly CommonGuess[] {
  const guesses = BETWEEN.flatMap((between) =>
    (isLearnt ? ANY_BIAS : BIASES).map((prior) => {
      const { log, bias } = explain(parts, between, prior.deviation);
      return { between, bias, log: log + Math.log(prior.weight) + priorLog(between) };
    }),
  );
  const most = Math.max(...guesses.map(({ log }) => log));
  const sum = guesses.reduce((total, { log }) => total + Math.exp(log - most), 0);
  return guesses.map(({ between, bias, log }) => ({ between, bias, weight: Math.exp(log - most) / sum }));
}

/** The scaled inverse chi-squared distribution of a variance, by the logarithm of the deviation. */
const priorLog = (between: number): number =>
  -BETWEEN_DEGREES * (Math.log(between) + (BETWEEN_DEVIATION / between) ** 2 / 2);

/** By Bayes' rule, all normal: the bias, and the logarithm of how likely the parts are. */
function explain(
  parts: readonly SeenPart[],
  between: number,
  biasDeviation: number,
): Pick<CommonGuess, 'bias'> & { readonly log: number } {
  const before = 1 / biasDeviation ** 2;
  let [precision, weighted, squares, logs] = [before, 0, 0, before === 0 ? 0 : Math.log(before)];
  for (const { mean, variance } of parts) {
    const each = 1 / (between ** 2 + variance);
    precision += each;
    weighted += each * mean;
    squares += each * mean ** 2;
    logs += Math.log(each);
  }
  const mean = weighted / precision;
  return {
    bias: { mean, deviation: Math.sqrt(1 / precision) },
    log: (logs - Math.log(precision) - squares + weighted * mean) / 2,
  };
}
