// From time to places on an axis, with idle gaps compressed: a night without work takes a few pixels and is marked.
//
// time-scale/S1. `x` never goes back while time goes on, and `ms` is its inverse outside of gaps.

export interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
}

export interface TimeScale {
  readonly x: (ms: number) => number;
  readonly ms: (x: number) => number;
  /** Idle gaps that were compressed. */
  readonly gaps: readonly TimeSpan[];
}

interface Scaled extends TimeSpan {
  readonly width: number;
  /** When something happened. */
  readonly busy: readonly TimeSpan[];
}

const GAP_PX = 22;
/** A gap is compressed when it takes more of the range than this, and lasts longer than this. */
const GAP_SHARE_MIN = 0.12;
const GAP_MS_MIN = 20_000;

export function timeScale({ startMs, endMs, width, busy }: Scaled): TimeScale {
  const range = Math.max(1, endMs - startMs);
  const gaps = gapsIn(busy, { startMs, endMs }).filter(
    (gap) => gap.endMs - gap.startMs > Math.max(GAP_MS_MIN, range * GAP_SHARE_MIN),
  );
  const idle = gaps.reduce((sum, gap) => sum + gap.endMs - gap.startMs, 0);
  const gapPx = gaps.length * GAP_PX < width / 2 ? GAP_PX : 0;
  const perMs = Math.max(0, width - gaps.length * gapPx) / Math.max(1, range - idle);
  const x = (ms: number): number => {
    let at = (ms - startMs) * perMs;
    for (const gap of gaps) {
      const inside = Math.min(Math.max(0, ms - gap.startMs), gap.endMs - gap.startMs);
      at += (inside / (gap.endMs - gap.startMs)) * gapPx - inside * perMs;
    }
    return at;
  };
  return { x, gaps, ms: (at) => inverse(x, at, { startMs, endMs }) };
}

/** By halving: an axis has few thousand pixels. */
function inverse(x: (ms: number) => number, at: number, { startMs, endMs }: TimeSpan): number {
  let [low, high] = [startMs, endMs];
  for (let round = 0; round < 40; round += 1) {
    const middle = (low + high) / 2;
    if (x(middle) < at) low = middle;
    else high = middle;
  }
  return high;
}

/** The times in a range in which nothing happened. */
function gapsIn(busy: readonly TimeSpan[], { startMs, endMs }: TimeSpan): readonly TimeSpan[] {
  const gaps: TimeSpan[] = [];
  let until = startMs;
  for (const span of busy.toSorted((one, other) => one.startMs - other.startMs)) {
    if (span.startMs > until) gaps.push({ startMs: until, endMs: Math.min(endMs, span.startMs) });
    until = Math.max(until, span.endMs);
    if (until >= endMs) return gaps;
  }
  return [...gaps, { startMs: until, endMs }].filter((gap) => gap.endMs > gap.startMs);
}
