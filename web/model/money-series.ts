// Money over the time of a run: what was settled and what was reserved after each event that changed one of them.
import type { RunEvent } from '../../src/core/engine/event.ts';
import { endsClaim } from '../../src/core/engine/events/claim-events.ts';
import { exact, finalOf } from '../../src/core/engine/ledger.ts';
import type { Spend } from '../../src/core/protocol/result.ts';

export interface MoneyPoint {
  /** Since the run began. */
  readonly atMs: number;
  readonly settled: number;
  readonly reserved: number;
}

/** Starts at nothing; the last point is the latest change. */
export function moneySeries(events: readonly RunEvent[]): readonly MoneyPoint[] {
  const startedAt = events[0]?.at ?? 0;
  const open = new Map<string, Spend>();
  const points: MoneyPoint[] = [{ atMs: 0, settled: 0, reserved: 0 }];
  let [settled, reserved] = [0, 0];
  for (const event of events) {
    if (!('work' in event)) continue;
    const key = `${event.work} ${event.task} ${event.step ?? ''}`;
    const before = open.get(key);
    if (event.type === 'claim.made' || event.type === 'claim.raised') {
      reserved = exact(reserved + (event.reserve.usd ?? 0) - (before?.usd ?? 0));
      open.set(key, event.reserve);
    } else if (before !== undefined && endsClaim(event)) {
      open.delete(key);
      reserved = exact(reserved - (before.usd ?? 0));
      settled = exact(settled + (finalOf(before, event.spend).usd ?? 0));
    } else continue;
    points.push({ atMs: Math.max(points.at(-1)?.atMs ?? 0, event.at - startedAt), settled, reserved });
  }
  return points;
}

/** At most so many points, the last of each stretch of time. */
export function thinned(points: readonly MoneyPoint[], most: number): readonly MoneyPoint[] {
  if (points.length <= most) return points;
  const end = points.at(-1)?.atMs ?? 1;
  const kept = new Map(points.map((point) => [Math.floor((point.atMs / Math.max(1, end)) * most), point]));
  return [...kept.values()];
}
