// A bound from activities of which no two can run at once, because one waits for the other or because some pool cannot
// serve both: they run one after another, so their durations add up.

import type { Problem } from './problem.ts';
import { windowBoundMs, type Windows } from './window-bound.ts';

/** The best bound over one such set grown greedily from every activity. */
export function cliqueBoundMs(problem: Problem, windows: Windows): number {
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
