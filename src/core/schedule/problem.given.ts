// Builders for tests: a small problem from a few lines, random problems from fast-check, and a checker of schedules.

import * as fc from 'fast-check';
import { buildProblem, type Problem, type ProblemGiven } from './problem.ts';

/** The problem, for tests that know it to be possible. */
export function givenProblem(given: ProblemGiven): Problem {
  const built = buildProblem(given);
  if (built.type === 'impossible') throw new Error(built.reasons.join(' '));
  return built.problem;
}

/** Durations, links as `[from, to]`, and demands by activity as tokens per pool. */
export function givenActivities(
  durations: readonly number[],
  links: readonly (readonly [number, number])[],
  pools: { readonly capacity: readonly number[]; readonly demands?: readonly (readonly number[])[] },
): Problem {
  const activities = durations.map((durationMs, index) => ({
    durationMs,
    successors: links.filter(([from]) => from === index).map(([, to]) => to),
    demands: (pools.demands?.[index] ?? pools.capacity.map(() => 1)).map((tokens, pool) => ({ pool, tokens })),
  }));
  return givenProblem({ activities, capacity: pools.capacity });
}

/** Random problems of up to `countMax` activities; later ones may wait for earlier ones. */
export function anyProblem(countMax: number, durationMax = 9): fc.Arbitrary<Problem> {
  return fc.integer({ min: 1, max: 3 }).chain((pools) =>
    fc.integer({ min: 1, max: countMax }).chain((count) =>
      fc
        .record({
          capacity: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: pools, maxLength: pools }),
          durations: fc.array(fc.integer({ min: 0, max: durationMax }), { minLength: count, maxLength: count }),
          shares: fc.array(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: pools, maxLength: pools }), {
            minLength: count,
            maxLength: count,
          }),
          links: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 2 * count }),
        })
        .map(({ capacity, durations, shares, links }) =>
          givenActivities(
            durations,
            links.filter(([from, to]) => from < to),
            {
              capacity,
              demands: shares.map((row) => row.map((share, pool) => Math.round((share / 100) * (capacity[pool] ?? 0)))),
            },
          ),
        ),
    ),
  );
}

/** Everything that is wrong with a schedule; empty when it keeps every link and every pool at every instant. */
export function faultsOf(problem: Problem, startMs: Float64Array): readonly string[] {
  const { count, durationMs, successors, classOf, demands, capacity } = problem;
  const endOf = (activity: number): number => (startMs[activity] ?? 0) + (durationMs[activity] ?? 0);
  const faults: string[] = [];
  for (let activity = 0; activity < count; activity++) {
    for (const next of successors.to.subarray(successors.start[activity], successors.start[activity + 1])) {
      if ((startMs[next] ?? 0) < endOf(activity)) faults.push(`${next} starts before ${activity} ends`);
    }
  }
  for (const instant of startMs) {
    const used = new Float64Array(capacity.length);
    for (let activity = 0; activity < count; activity++) {
      if ((startMs[activity] ?? 0) > instant || endOf(activity) <= instant) continue;
      const kind = classOf[activity] ?? 0;
      for (let slot = demands.start[kind] ?? 0; slot < (demands.start[kind + 1] ?? 0); slot++) {
        const pool = demands.pool[slot] ?? 0;
        used[pool] = (used[pool] ?? 0) + (demands.tokens[slot] ?? 0);
      }
    }
    used.forEach(
      (tokens, pool) => tokens > (capacity[pool] ?? 0) && faults.push(`pool ${pool} is oversubscribed at ${instant}`),
    );
  }
  return faults;
}

/** The end of the last activity. */
export function scheduleEndMs(problem: Problem, startMs: Float64Array): number {
  return startMs.reduce((last, start, activity) => Math.max(last, start + (problem.durationMs[activity] ?? 0)), 0);
}
