// Intervals of time, and how much of some intervals lies outside others.

export interface Span {
  /** Milliseconds since the run began. */
  readonly startMs: number;
  /** Undefined while the interval is open. */
  readonly endMs: number | undefined;
}

interface Moment {
  readonly at: number;
  readonly change: 1 | -1;
  readonly isWanted: boolean;
}

/** The total time in which at least one of `wanted` holds and none of the others does. */
export function idleWithin(wanted: readonly Span[], others: readonly (readonly Span[])[], nowMs: number): number {
  if (wanted.length === 0) return 0;
  const moments = [
    ...momentsOf(wanted, { nowMs, isWanted: true }),
    ...others.flatMap((spans) => momentsOf(spans, { nowMs, isWanted: false })),
  ].sort((one, other) => one.at - other.at);
  let [open, covered, sinceMs, sum] = [0, 0, 0, 0];
  for (const { at, change, isWanted } of moments) {
    if (open > 0 && covered === 0) sum += at - sinceMs;
    sinceMs = at;
    if (isWanted) open += change;
    else covered += change;
  }
  return sum;
}

const momentsOf = (
  spans: readonly Span[],
  { nowMs, isWanted }: { readonly nowMs: number; readonly isWanted: boolean },
): readonly Moment[] =>
  spans.flatMap(({ startMs, endMs }) => [
    { at: startMs, change: 1, isWanted } as const,
    { at: Math.max(startMs, endMs ?? nowMs), change: -1, isWanted } as const,
  ]);
