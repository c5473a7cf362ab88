// The ways in which steps are commonly started elsewhere, for comparison only. All go by the order in which activities
// became able to start; none looks ahead.

import type { Problem } from '../../src/core/schedule/problem.ts';

/** The activities to start now, out of the enabled ones in the order of enabling. */
interface Policy {
  /** Whether the first activity that does not fit blocks the later ones. */
  readonly headBlocks: boolean;
  /** `fitting`: start all that fit, await all. `enabled`: start all enabled ones as room allows, await all. */
  readonly barrier: 'none' | 'fitting' | 'enabled';
}

export const references = {
  serial: (problem: Problem): number => problem.durationMs.reduce((sum, duration) => sum + duration, 0),
  barrierFitting: (problem: Problem): number => makespanOf(problem, { headBlocks: false, barrier: 'fitting' }),
  barrierEnabled: (problem: Problem): number => makespanOf(problem, { headBlocks: false, barrier: 'enabled' }),
  fifo: (problem: Problem): number => makespanOf(problem, { headBlocks: true, barrier: 'none' }),
  fifoSkipping: (problem: Problem): number => makespanOf(problem, { headBlocks: false, barrier: 'none' }),
} as const;

interface Site {
  readonly problem: Problem;
  readonly free: Float64Array;
  readonly missing: Int32Array;
  readonly running: { activity: number; endMs: number }[];
  queue: number[];
  batch: number[];
  nowMs: number;
}

function makespanOf(problem: Problem, policy: Policy): number {
  const { start } = problem.predecessors;
  const missing = Int32Array.from(
    { length: problem.count },
    (_, index) => (start[index + 1] ?? 0) - (start[index] ?? 0),
  );
  const queue = [...missing.keys()].filter((activity) => missing[activity] === 0);
  const site: Site = { problem, free: problem.capacity.slice(), missing, running: [], queue, batch: [], nowMs: 0 };
  while (site.queue.length + site.batch.length + site.running.length > 0) {
    beginSome(site, policy);
    endNext(site);
  }
  return site.nowMs;
}

function beginSome(site: Site, { headBlocks, barrier }: Policy): void {
  if (barrier === 'none') {
    site.queue = beginFrom(site, site.queue, headBlocks);
    return;
  }
  if (site.running.length === 0 && site.batch.length === 0) {
    site.batch = site.queue;
    site.queue = [];
  } else if (barrier === 'fitting') {
    return;
  }
  const left = beginFrom(site, site.batch, headBlocks);
  site.batch = barrier === 'enabled' ? left : [];
  if (barrier === 'fitting') site.queue = [...left, ...site.queue];
}

/** Starts the activities that fit, in order, and returns the rest. */
function beginFrom(site: Site, waiting: readonly number[], headBlocks: boolean): number[] {
  const left: number[] = [];
  for (const activity of waiting) {
    if ((headBlocks && left.length > 0) || !tries(site, activity)) left.push(activity);
  }
  return left;
}

function tries(site: Site, activity: number): boolean {
  const demands = demandsOf(site.problem, activity);
  if (!demands.every(([pool, tokens]) => (site.free[pool] ?? 0) >= tokens)) return false;
  for (const [pool, tokens] of demands) site.free[pool] = (site.free[pool] ?? 0) - tokens;
  site.running.push({ activity, endMs: site.nowMs + (site.problem.durationMs[activity] ?? 0) });
  return true;
}

function endNext(site: Site): void {
  const { problem, running, missing } = site;
  site.nowMs = running.reduce((least, { endMs }) => Math.min(least, endMs), Infinity);
  const ending = running.filter(({ endMs }) => endMs <= site.nowMs);
  running.splice(0, running.length, ...running.filter(({ endMs }) => endMs > site.nowMs));
  for (const { activity } of ending) {
    for (const [pool, tokens] of demandsOf(problem, activity)) site.free[pool] = (site.free[pool] ?? 0) + tokens;
    const { start, to } = problem.successors;
    for (const next of to.subarray(start[activity], start[activity + 1])) {
      const left = (missing[next] ?? 0) - 1;
      missing[next] = left;
      if (left === 0) site.queue.push(next);
    }
  }
}

function demandsOf(
  { classOf, demands }: Problem,
  activity: number,
): readonly (readonly [pool: number, tokens: number])[] {
  const kind = classOf[activity] ?? 0;
  const pools = demands.pool.subarray(demands.start[kind], demands.start[kind + 1]);
  return Array.from(pools, (pool, offset) => [pool, demands.tokens[(demands.start[kind] ?? 0) + offset] ?? 0]);
}
