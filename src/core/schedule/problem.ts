// A scheduling problem as flat arrays: activities that take time, wait for each other and hold tokens of pools.
//
// problem/S1. The successors form no cycle; `topological` lists every activity after all it waits for.
// problem/S2. Activities of the same class demand exactly the same tokens, so they fit or do not fit together.
// problem/S3. No demand exceeds its pool. A pool that could serve everything at once is left out of the demands, for it
//   never makes anything wait; so are the demands of an activity of no time, for it holds tokens for no time.
// problem/S4. Memory is linear in activities + links + demands.

import { graphOf, reversed, topologicalOrder, type Graph } from '../graph/directed-graph.ts';

/** Tokens by demand class: those of class `c` lie at `start[c]` up to `start[c + 1]`. */
export interface Demands {
  readonly start: Int32Array;
  readonly pool: Int32Array;
  readonly tokens: Float64Array;
}

export interface Problem {
  readonly count: number;
  readonly durationMs: Float64Array;
  readonly successors: Graph;
  readonly predecessors: Graph;
  readonly topological: Int32Array;
  /** Tokens by pool; a cap is a pool like any other. */
  readonly capacity: Float64Array;
  readonly classOf: Int32Array;
  readonly classCount: number;
  readonly demands: Demands;
}

export interface Demand {
  readonly pool: number;
  readonly tokens: number;
}

export interface Activity {
  readonly durationMs: number;
  /** Indices of activities that wait for this one. */
  readonly successors: readonly number[];
  readonly demands: readonly Demand[];
}

export interface ProblemGiven {
  readonly activities: readonly Activity[];
  readonly capacity: readonly number[];
}

type ProblemBuilt =
  | { readonly type: 'problem'; readonly problem: Problem }
  | { readonly type: 'impossible'; readonly reasons: readonly string[] };

const REASONS_MAX = 20;

/** Validates the input and stores it in flat arrays; returns the reason when no schedule can exist. */
export function buildProblem(given: ProblemGiven): ProblemBuilt {
  const reasons = faultsOf(given);
  if (reasons.length > 0) return { type: 'impossible', reasons };
  const count = given.activities.length;
  const successors = graphOf(given.activities.map((activity) => activity.successors));
  const predecessors = reversed(successors);
  const topological = topologicalOrder(successors);
  if (topological.length < count)
    return { type: 'impossible', reasons: ['The activities wait for each other in a cycle.'] };
  const durationMs = Float64Array.from(given.activities, (activity) => activity.durationMs);
  const classes = classesOf(given);
  const capacity = Float64Array.from(given.capacity);
  return {
    type: 'problem',
    problem: { count, durationMs, successors, predecessors, topological, capacity, ...classes },
  };
}

/** The same problem run backwards in time: its schedules are those of the problem, mirrored. */
export function mirrored(problem: Problem): Problem {
  return {
    ...problem,
    successors: problem.predecessors,
    predecessors: problem.successors,
    topological: problem.topological.slice().reverse(),
  };
}

/** By class: the number of its activities. */
export function classSizes({ classOf, classCount }: Problem): Int32Array {
  const sizes = new Int32Array(classCount);
  for (const kind of classOf) sizes[kind] = (sizes[kind] ?? 0) + 1;
  return sizes;
}

function classesOf(given: ProblemGiven): Pick<Problem, 'classOf' | 'classCount' | 'demands'> {
  const binding = bindingPools(given);
  const classByKey = new Map<string, number>();
  const tokensByClass: (readonly Demand[])[] = [];
  const classOf = Int32Array.from(given.activities, ({ durationMs, demands }) => {
    const merged = durationMs > 0 ? mergedDemands(demands, binding) : [];
    const key = merged.map(({ pool, tokens }) => `${pool}:${tokens}`).join(' ');
    const known = classByKey.get(key);
    if (known !== undefined) return known;
    classByKey.set(key, tokensByClass.length);
    return tokensByClass.push(merged) - 1;
  });
  const { start, to } = graphOf(tokensByClass.map((demands) => demands.map(({ pool }) => pool)));
  const tokens = Float64Array.from(tokensByClass.flat(), (demand) => demand.tokens);
  return { classOf, classCount: tokensByClass.length, demands: { start, pool: to, tokens } };
}

function mergedDemands(demands: readonly Demand[], binding: Uint8Array): readonly Demand[] {
  const byPool = new Map<number, number>();
  for (const { pool, tokens } of demands) {
    if (tokens > 0 && binding[pool] === 1) byPool.set(pool, (byPool.get(pool) ?? 0) + tokens);
  }
  return [...byPool].map(([pool, tokens]) => ({ pool, tokens })).sort((one, other) => one.pool - other.pool);
}

function bindingPools({ activities, capacity }: ProblemGiven): Uint8Array {
  const wanted = new Float64Array(capacity.length);
  for (const { demands } of activities) {
    for (const { pool, tokens } of demands) wanted[pool] = (wanted[pool] ?? 0) + tokens;
  }
  return Uint8Array.from(wanted, (tokens, pool) => (tokens > (capacity[pool] ?? 0) ? 1 : 0));
}

function faultsOf({ activities, capacity }: ProblemGiven): readonly string[] {
  const reasons: string[] = [];
  const say = (reason: string): void => void (reasons.length < REASONS_MAX && reasons.push(reason));
  const all = new Uint8Array(capacity.length).fill(1);
  activities.forEach(({ durationMs, successors, demands }, index) => {
    if (!Number.isFinite(durationMs) || durationMs < 0)
      say(`Activity ${index} lasts ${durationMs} ms; give a number from 0 up.`);
    for (const successor of successors) {
      if (activities[successor] === undefined)
        say(`Activity ${index} has a successor ${successor} that does not exist.`);
    }
    for (const { pool, tokens } of demands) {
      if (capacity[pool] === undefined) say(`Activity ${index} demands pool ${pool}, which does not exist.`);
      if (!Number.isFinite(tokens) || tokens < 0)
        say(`Activity ${index} demands ${tokens} tokens; give a number from 0 up.`);
    }
    for (const { pool, tokens } of mergedDemands(demands, all)) {
      const size = capacity[pool] ?? 0;
      if (tokens > size) say(`Activity ${index} demands ${tokens} tokens of pool ${pool}, which has ${size}.`);
    }
  });
  return reasons;
}

/**
 * Sorts `order` in place by rising key and keeps the given order among equals. A merge sort of our own, since the
 * comparator of the built-in one costs more than the schedule it serves when thousands of orders are sorted.
 */
export function orderBy(order: Int32Array, keys: Float64Array): Int32Array {
  const count = order.length;
  let from: Int32Array = order;
  let into: Int32Array = new Int32Array(count);
  for (let width = 1; width < count; width *= 2) {
    for (let left = 0; left < count; left += 2 * width) mergeRuns({ from, into, keys, left, width });
    [from, into] = [into, from];
  }
  if (from !== order) order.set(from);
  return order;
}

interface Runs {
  readonly from: Int32Array;
  readonly into: Int32Array;
  readonly keys: Float64Array;
  readonly left: number;
  readonly width: number;
}

function mergeRuns({ from, into, keys, left, width }: Runs): void {
  const middle = Math.min(left + width, from.length);
  const end = Math.min(left + 2 * width, from.length);
  let one = left;
  let other = middle;
  for (let slot = left; slot < end; slot++) {
    const takesFirst = other >= end || (one < middle && (keys[from[one] ?? 0] ?? 0) <= (keys[from[other] ?? 0] ?? 0));
    into[slot] = from[takesFirst ? one++ : other++] ?? 0;
  }
}
