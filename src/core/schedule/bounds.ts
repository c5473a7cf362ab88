// Lower bounds of the makespan, and the peak parallelism of a schedule. Every bound is a true lower bound.
//
// The clique bound: activities of which no two can run at once, because one waits for the other or because some pool
// cannot serve both, run one after another, so their durations add up.
//
// The window bound: all activities that cannot start before `h` and are followed by at least `q` share one pool for the
// time between, so no schedule is shorter than h + work + q. Demands may first be stretched by a dual feasible function:
// a map that never lets more fit than truly fits. It turns "no two of these go together" into a full pool each, which
// plain division by the pool's size cannot see.

import { earliestStartMs, longestRemainingMs, tailAfterMs } from './priorities.ts';
import type { Problem } from './problem.ts';

interface Bounds {
  /** The longest chain of activities. */
  readonly criticalPathMs: number;
  /** The greatest work of a pool, divided by its size. */
  readonly workMs: number;
  /** The best bound known, never below the two above. */
  readonly bestMs: number;
}

/** Beyond this many activities only the bounds that grow linearly are computed. */
const CLOSE_ACTIVITIES_MAX = 300;

export function lowerBounds(problem: Problem): Bounds {
  const criticalPathMs = longestRemainingMs(problem).reduce((longest, tail) => Math.max(longest, tail), 0);
  const heads = earliestStartMs(problem);
  const tails = tailAfterMs(problem);
  const close = problem.count <= CLOSE_ACTIVITIES_MAX;
  const loads = workloadsOf(problem, close);
  const workMs = loads.reduce((most, load) => Math.max(most, load.plain ? load.totalMs : 0), 0);
  const windowMs = loads.reduce((most, load) => Math.max(most, windowBoundMs(load, { heads, tails })), 0);
  const cliqueMs = close ? cliqueBoundMs(problem, { heads, tails }) : 0;
  return { criticalPathMs, workMs, bestMs: roundedUp(problem, Math.max(criticalPathMs, workMs, windowMs, cliqueMs)) };
}

/** Schedules of whole times end at whole times, up to rounding from the division by a pool's size. */
function roundedUp({ durationMs }: Problem, boundMs: number): number {
  const ROUNDING = 1e-9;
  return durationMs.every(Number.isInteger) ? Math.ceil(boundMs * (1 - ROUNDING)) : boundMs * (1 - ROUNDING);
}

/** The best bound over one such set grown greedily from every activity. */
function cliqueBoundMs(problem: Problem, windows: Windows): number {
  const apart = apartMatrix(problem);
  const { count, durationMs } = problem;
  const byDuration = [...durationMs.keys()].sort((one, other) => (durationMs[other] ?? 0) - (durationMs[one] ?? 0));
  let bestMs = 0;
  for (let seed = 0; seed < count; seed++) {
    const chosen = [seed];
    for (const activity of byDuration) {
      if (chosen.every((member) => apart[member * count + activity] === 1)) chosen.push(activity);
    }
    const activities = Int32Array.from(chosen);
    const workMs = Float64Array.from(chosen, (activity) => durationMs[activity] ?? 0);
    bestMs = Math.max(bestMs, windowBoundMs({ activities, workMs, totalMs: 0, plain: false }, windows));
  }
  return bestMs;
}

/** 1 where two activities cannot run at once. */
function apartMatrix(problem: Problem): Uint8Array {
  const { count } = problem;
  const apart = waitsMatrix(problem);
  const dense = denseDemands(problem);
  for (let one = 0; one < count; one++) {
    for (let other = 0; other < one; other++) {
      const waits = apart[one * count + other] === 1 || apart[other * count + one] === 1;
      const separate = waits || exceeds(problem.capacity, dense[one], dense[other]) ? 1 : 0;
      apart[one * count + other] = separate;
      apart[other * count + one] = separate;
    }
  }
  return apart;
}

/** 1 at (a, b) where b waits for a, directly or through others. */
function waitsMatrix({ count, topological, successors }: Problem): Uint8Array {
  const waits = new Uint8Array(count * count);
  for (const activity of topological.slice().reverse()) {
    const row = activity * count;
    for (let link = successors.start[activity] ?? 0; link < (successors.start[activity + 1] ?? 0); link++) {
      const successor = successors.to[link] ?? 0;
      waits[row + successor] = 1;
      for (let other = 0; other < count; other++) {
        if (waits[successor * count + other] === 1) waits[row + other] = 1;
      }
    }
  }
  return waits;
}

function denseDemands({ classOf, demands, capacity }: Problem): readonly Float64Array[] {
  return Array.from(classOf, (kind) => {
    const tokens = new Float64Array(capacity.length);
    for (let slot = demands.start[kind] ?? 0; slot < (demands.start[kind + 1] ?? 0); slot++) {
      tokens[demands.pool[slot] ?? 0] = demands.tokens[slot] ?? 0;
    }
    return tokens;
  });
}

function exceeds(capacity: Float64Array, one: Float64Array | undefined, other: Float64Array | undefined): boolean {
  return capacity.some((size, pool) => (one?.[pool] ?? 0) + (other?.[pool] ?? 0) > size);
}

/** The work of one pool: by activity, the time it would fill the whole pool. */
interface Workload {
  readonly activities: Int32Array;
  readonly workMs: Float64Array;
  readonly totalMs: number;
  /** True when no demand was stretched. */
  readonly plain: boolean;
}

interface Windows {
  readonly heads: Float64Array;
  readonly tails: Float64Array;
}

/** Heads that are tried as the left end of the window; with more, a spread of them. */
const HEADS_MAX = 64;
const STRETCHES_MAX = 12;

type TimeWindow = (share: number) => number;
const unchanged: TimeWindow = (share) => share;

function workloadsOf(problem: Problem, close: boolean): readonly Workload[] {
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

function windowBoundMs({ activities, workMs }: Workload, { heads, tails }: Windows): number {
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
