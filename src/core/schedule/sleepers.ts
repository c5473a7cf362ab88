// The demand classes of each pool by their demand, so that the best of those that the pool can serve is found without a
// look at the others.

import { emptySlots, leastOfFirst, setKey, type LeastOfFirst } from '../graph/least-of-first.ts';
import type { Demands, Problem } from './problem.ts';

/** The demand classes of a pool, the lightest first. */
export interface Sleepers {
  readonly classes: Int32Array;
  readonly tokens: Float64Array;
  /** The rank of the best activity of each class that sleeps on the pool. */
  readonly tops: LeastOfFirst;
}

export interface SleepersByPool {
  readonly sleepers: readonly Sleepers[];
  /** By class and pool of its demands, as `demands` lists them: its index among the sleepers of the pool. */
  readonly slotOf: Int32Array;
}

export function sleepersOf({ capacity, classCount, demands }: Problem): SleepersByPool {
  const byPool: { kind: number; tokens: number; slot: number }[][] = Array.from(capacity, () => []);
  for (let kind = 0; kind < classCount; kind++) {
    for (let slot = demands.start[kind] ?? 0; slot < (demands.start[kind + 1] ?? 0); slot++)
      byPool[demands.pool[slot] ?? 0]?.push({ kind, tokens: demands.tokens[slot] ?? 0, slot });
  }
  const slotOf = new Int32Array(demands.pool.length);
  const sleepers = byPool.map((wanting) => {
    wanting.sort((one, other) => one.tokens - other.tokens || one.kind - other.kind);
    wanting.forEach(({ slot }, index) => (slotOf[slot] = index));
    return {
      classes: Int32Array.from(wanting, ({ kind }) => kind),
      tokens: Float64Array.from(wanting, ({ tokens }) => tokens),
      tops: emptySlots(wanting.length),
    };
  });
  return { sleepers, slotOf };
}

/** The class with the best sleeping activity that fits the available tokens; -1 when there is none. */
export function bestWithin({ classes, tokens, tops }: Sleepers, available: number): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle] ?? 0) <= available) low = middle + 1;
    else high = middle;
  }
  const slot = leastOfFirst(tops, low);
  return slot < 0 ? -1 : (classes[slot] ?? -1);
}

/** Lays a class to sleep on a pool with the rank of its best activity; Infinity wakes it. */
export function setSleeper(
  { sleepers, slotOf }: SleepersByPool,
  { start, pool: pools }: Demands,
  { kind, pool, rank }: { readonly kind: number; readonly pool: number; readonly rank: number },
): void {
  for (let slot = start[kind] ?? 0; slot < (start[kind + 1] ?? 0); slot++) {
    const asleep = pools[slot] === pool ? sleepers[pool] : undefined;
    if (asleep !== undefined) setKey(asleep.tops, slotOf[slot] ?? 0, rank);
  }
}
