/** The 10th, 50th and 90th percentile of simulated values. */
export interface Range {
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

/** The k-th of n draws lies above a share k / (n + 1) of all; the two ends are rounded outwards. */
export function rangeOf(values: readonly number[]): Range {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (place: number): number => sorted[Math.max(0, Math.min(sorted.length, place) - 1)] ?? 0;
  const among = sorted.length + 1;
  return { low: at(Math.floor(0.1 * among)), likely: at(Math.round(0.5 * among)), high: at(Math.ceil(0.9 * among)) };
}
