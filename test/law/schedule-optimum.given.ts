// The best makespan of a tiny problem, found by trying every list of activities: the serial scheme reaches a best
// schedule from one of them. Implemented independently of the scheme under test, on a grid of whole times.

import type { Problem } from '../../src/core/schedule/problem.ts';

export function bestMakespan(problem: Problem): number {
  const horizon = problem.durationMs.reduce((sum, duration) => sum + duration, 0);
  const used = Array.from({ length: horizon + 1 }, () => new Float64Array(problem.capacity.length));
  const ends = new Map<number, number>();
  const visit = (longest: number): number => {
    if (ends.size === problem.count) return longest;
    let best = Infinity;
    for (let activity = 0; activity < problem.count; activity++) {
      const waitsFor = [
        ...problem.predecessors.to.subarray(
          problem.predecessors.start[activity],
          problem.predecessors.start[activity + 1],
        ),
      ];
      if (ends.has(activity) || !waitsFor.every((before) => ends.has(before))) continue;
      let start = Math.max(0, ...waitsFor.map((before) => ends.get(before) ?? 0));
      while (!fits({ problem, used }, activity, start)) start++;
      const end = start + (problem.durationMs[activity] ?? 0);
      occupy({ problem, used, sign: 1 }, activity, start);
      ends.set(activity, end);
      best = Math.min(best, visit(Math.max(longest, end)));
      ends.delete(activity);
      occupy({ problem, used, sign: -1 }, activity, start);
    }
    return best;
  };
  return visit(0);
}

interface Grid {
  readonly problem: Problem;
  readonly used: readonly Float64Array[];
}

function demandsOf(
  { classOf, demands }: Problem,
  activity: number,
): readonly (readonly [pool: number, tokens: number])[] {
  const kind = classOf[activity] ?? 0;
  const slots = Array.from(demands.pool.keys()).slice(demands.start[kind], demands.start[kind + 1]);
  return slots.map((slot) => [demands.pool[slot] ?? 0, demands.tokens[slot] ?? 0]);
}

function fits({ problem, used }: Grid, activity: number, start: number): boolean {
  const times = Array.from({ length: problem.durationMs[activity] ?? 0 }, (_, offset) => start + offset);
  return times.every((time) =>
    demandsOf(problem, activity).every(
      ([pool, tokens]) => (used[time]?.[pool] ?? 0) + tokens <= (problem.capacity[pool] ?? 0),
    ),
  );
}

function occupy({ problem, used, sign }: Grid & { readonly sign: number }, activity: number, start: number): void {
  for (let time = start; time < start + (problem.durationMs[activity] ?? 0); time++) {
    for (const [pool, tokens] of demandsOf(problem, activity)) {
      const row = used[time];
      if (row !== undefined) row[pool] = (row[pool] ?? 0) + sign * tokens;
    }
  }
}
