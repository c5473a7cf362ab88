// Money over the time of a run: what was settled and what was reserved after each event that changed one of them.
import type { RunEvent } from '../../src/core/engine/event.ts';
import { endsClaim } from '../../src/core/engine/events/claim-events.ts';
import { exact, finalOf } from '../../src/core/engine/ledger.ts';
import type { Spend } from '../../src/core/protocol/result.ts';
import { countUpTo } from './count-up-to.ts';

export interface MoneyPoint {
  /** Since the run began. */
  readonly atMs: number;
  readonly settled: number;
  readonly reserved: number;
}

interface Series {
  seen: number;
  /** What open claims have reserved. */
  readonly open: Map<string, Spend>;
  readonly points: MoneyPoint[];
  /** Of each point the position after its event. */
  readonly positions: number[];
}

/** By log, which grows in place: what happened later does not change a point. */
const followedSeries = new WeakMap<readonly RunEvent[], Series>();

/** Starts at nothing; the last point is the latest change up to a position. */
export function moneySeries(events: readonly RunEvent[], position = events.length): readonly MoneyPoint[] {
  const series = followedSeries.get(events) ?? {
    seen: 0,
    open: new Map(),
    points: [{ atMs: 0, settled: 0, reserved: 0 }],
    positions: [0],
  };
  followedSeries.set(events, series);
  const startedAt = events[0]?.at ?? 0;
  for (; series.seen < events.length; series.seen += 1) {
    const event = events[series.seen];
    const before = series.points.at(-1);
    const sums = event === undefined || before === undefined ? undefined : sumsAfter(event, before, series.open);
    if (event === undefined || before === undefined || sums === undefined) continue;
    series.points.push({ ...sums, atMs: Math.max(before.atMs, event.at - startedAt) });
    series.positions.push(series.seen + 1);
  }
  return series.points.slice(0, countUpTo(series.positions, position));
}

/** Undefined for an event that neither reserves nor settles. */
function sumsAfter(
  event: RunEvent,
  { settled, reserved }: MoneyPoint,
  open: Map<string, Spend>,
): Omit<MoneyPoint, 'atMs'> | undefined {
  if (!('work' in event)) return undefined;
  const key = `${event.work} ${event.task} ${event.step ?? ''}`;
  const before = open.get(key);
  if (event.type === 'claim.made' || event.type === 'claim.raised') {
    open.set(key, event.reserve);
    return { settled, reserved: exact(reserved + (event.reserve.usd ?? 0) - (before?.usd ?? 0)) };
  }
  if (before === undefined || !endsClaim(event)) return undefined;
  open.delete(key);
  return {
    settled: exact(settled + (finalOf(before, event.spend).usd ?? 0)),
    reserved: exact(reserved - (before.usd ?? 0)),
  };
}

/** At most about so many points, the last of each stretch of time; found by halving, because times never go back. */
export function thinned(points: readonly MoneyPoint[], most: number): readonly MoneyPoint[] {
  if (points.length <= most) return points;
  const end = Math.max(1, points.at(-1)?.atMs ?? 1);
  const stretchOf = ({ atMs }: MoneyPoint): number => Math.floor((atMs / end) * most);
  const kept: MoneyPoint[] = [];
  for (let from = 0; from < points.length;) {
    const point = points[from];
    const stretch = point === undefined ? 0 : stretchOf(point);
    let [low, high] = [from + 1, points.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = points[middle];
      if (other !== undefined && stretchOf(other) <= stretch) low = middle + 1;
      else high = middle;
    }
    kept.push(...points.slice(low - 1, low));
    from = low;
  }
  return kept;
}
