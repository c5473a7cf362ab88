// Bounds from the work that must fit between a head and a tail: all activities that cannot start before `h` and are
// followed by at least `q` share one pool for the time between, so no schedule is shorter than h + work + q.
//
// Demands may first be stretched by a dual feasible function: a map that never lets more fit than truly fits. It
// turns "no two of these go together" into a full pool each, which plain division by the pool's size cannot see.

import type { Problem } from './problem.ts';

/** The work of one pool: by activity, the time it would fill the whole pool. */
export interface Workload {
  readonly activities: Int32Array;
  readonly workMs: Float64Array;
  readonly totalMs: number;
  /** True when no demand was stretched. */
  readonly plain: boolean;
}

export interface Windows {
  readonly heads: Float64Array;
  readonly tails: Float64Array;
}

/** Heads that are tried as the left end of the window; with more, a spread of them. */
const HEADS_MAX = 64;
const STRETCHES_MAX = 12;

type TimeWindow = (share: number) => number;
const unchanged: TimeWindow = (share) => share;

export function workloadsOf(problem: Problem, close: boolean): readonly Workload[] {
  const { classOf, demands, capacity, durationMs } = problem;
  const users: { activity: number; tokens: number }[][] = Array.from(capacity, () => []);
  classOf.forEach((kind, activity) => {
    for (let slot = demands.start[kind] ?? 0; slot < (demands.start[kind + 1] ?? 0); slot++) {
      users[demands.pool[slot] ?? 0]?.push({ activity, tokens: demands.tokens[slot] ?? 0 });
    }
  });
  return users.flatMap((some, pool) => {
    const size = capacity[pool] ?? 1;
    const stretches = close
      ? stretchesOf(
          some.map(({ tokens }) => tokens),
          size,
        )
      : [];
    return [unchanged, ...stretches].map((stretch) => {
      const workMs = Float64Array.from(
        some,
        ({ activity, tokens }) => (durationMs[activity] ?? 0) * stretch(tokens / size),
      );
      const totalMs = workMs.reduce((sum, work) => sum + work, 0);
      return {
        activities: Int32Array.from(some, ({ activity }) => activity),
        workMs,
        totalMs,
        plain: stretch === unchanged,
      };
    });
  });
}

export function windowBoundMs({ activities, workMs }: Workload, { heads, tails }: Windows): number {
  const order = [...activities.keys()].sort((one, other) => tailAt(other) - tailAt(one));
  function tailAt(slot: number): number {
    return tails[activities[slot] ?? 0] ?? 0;
  }
  const distinct = [...new Set(Array.from(activities, (activity) => heads[activity] ?? 0))].sort(
    (one, other) => one - other,
  );
  const step = Math.max(1, distinct.length / HEADS_MAX);
  let bestMs = 0;
  for (let place = 0; place < distinct.length; place += step) {
    const head = distinct[Math.floor(place)] ?? 0;
    let sumMs = head;
    for (const slot of order) {
      if ((heads[activities[slot] ?? 0] ?? 0) < head) continue;
      sumMs += workMs[slot] ?? 0;
      bestMs = Math.max(bestMs, sumMs + tailAt(slot));
    }
  }
  return bestMs;
}

/** Only for whole tokens: a share that rounding moved across a step of the function would make the bound untrue. */
function stretchesOf(tokens: readonly number[], size: number): readonly TimeWindow[] {
  if (![size, ...tokens].every(Number.isInteger)) return [];
  const ROUNDING = 1e-9;
  const halves = [...new Set(tokens)].filter((value) => 2 * value <= size).sort((one, other) => one - other);
  const thresholds = [...new Set([...halves.slice(0, STRETCHES_MAX), Math.floor(size / 2) + 0.5])];
  const wholes = thresholds.map((least): TimeWindow => {
    const low = Math.min(least, size / 2) / size;
    return (share) => (share > 1 - low + ROUNDING ? 1 : share < low - ROUNDING ? 0 : share);
  });
  const steps = Array.from({ length: STRETCHES_MAX }, (_, index): TimeWindow => {
    const parts = index + 1;
    return (share) => {
      const scaled = share * (parts + 1);
      const whole = Math.round(scaled);
      return Math.abs(scaled - whole) < ROUNDING ? share : Math.floor(scaled) / parts;
    };
  });
  return [...wholes, ...steps];
}
