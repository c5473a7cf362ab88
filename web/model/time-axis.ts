// The axis of the replay bar: positions of the log along the time of the run, with idle gaps compressed.
//
// time-axis/X1. A later position is further right, and `positionAt` finds every position again.
// time-axis/X2. A time without events is no wider than a small share of the axis, however long it was.
import type { RunEvent } from '../../src/core/engine/event.ts';

export interface TimeAxis {
  /** How many positions there are: from 1 to this. */
  readonly length: number;
  /** From 0 to 1. */
  readonly shareOf: (position: number) => number;
  readonly positionAt: (share: number) => number;
  /** Compressed gaps, as the positions before them. */
  readonly gaps: readonly number[];
  /** Milliseconds from the first event to the one at a position. */
  readonly elapsedAt: (position: number) => number;
  /** The time along the whole axis, with gaps as long as they are shown. */
  readonly shownMs: number;
}

/** The longest gap that is shown in full, as a share of the time in which something happened. */
const GAP_SHARE = 1 / 12;
/** A gap is marked when it was this many times as long as it is shown, and long enough to be no accident. */
const GAP_MARKED = 2;
const GAP_MS_MIN = 20_000;
/** A share of the axis for the events themselves, so that events of one moment lie beside each other. */
const EVENT_SHARE = 1 / 20;

export function timeAxis(events: readonly Pick<RunEvent, 'at'>[]): TimeAxis {
  const { length } = events;
  const waits = waitsBetween(events);
  const gapMs = longestShown(waits);
  const gaps: number[] = [];
  const ends = new Float64Array(length);
  let shownMs = 0;
  waits.forEach((ms, index) => {
    if (ms > Math.max(GAP_MS_MIN, gapMs * GAP_MARKED)) gaps.push(index);
    shownMs += Math.min(ms, gapMs);
    ends[index] = shownMs;
  });
  const byTime = shownMs === 0 ? 0 : (1 - EVENT_SHARE) / shownMs;
  const byEvent = length < 2 ? 0 : (shownMs === 0 ? 1 : EVENT_SHARE) / (length - 1);
  for (let index = 0; index < length; index += 1) ends[index] = (ends[index] ?? 0) * byTime + index * byEvent;
  return {
    length,
    gaps,
    shownMs,
    elapsedAt: (position) =>
      Math.max(0, (events[Math.max(1, Math.min(length, position)) - 1]?.at ?? 0) - (events[0]?.at ?? 0)),
    shareOf: (position) => Math.min(1, ends[Math.max(0, Math.min(length, position) - 1)] ?? 0),
    positionAt: (share) => lastWithin(ends, share),
  };
}

const ROUNDS_MAX = 40;
const SAMPLES = 500;

/** A wait as long as its share of all that is shown, where longer ones are cut to it; and never less than most waits. */
function longestShown(waits: Float64Array): number {
  const every = Math.max(1, Math.floor(waits.length / SAMPLES));
  const some = waits.filter((ms, index) => ms > 0 && index % every === 0).sort();
  const usual = Math.max(1, some[some.length >> 1] ?? 0);
  let gapMs = Infinity;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = gapMs;
    gapMs = Math.max(usual, cutSum(waits, before) * GAP_SHARE);
    if (before - gapMs < gapMs / 100) break;
  }
  return gapMs;
}

function cutSum(waits: Float64Array, most: number): number {
  let total = 0;
  for (const ms of waits) total += ms < most ? ms : most;
  return total;
}

/** Clocks may go back; the axis does not. */
function waitsBetween(events: readonly Pick<RunEvent, 'at'>[]): Float64Array {
  const waits = new Float64Array(events.length);
  let latest = events[0]?.at ?? 0;
  events.forEach(({ at }, index) => {
    waits[index] = Math.max(0, at - latest);
    latest = Math.max(latest, at);
  });
  return waits;
}

/** The last position whose share is within, by halving; rounding of the shares does not lose a position. */
function lastWithin(ends: Float64Array, share: number): number {
  let [low, high] = [0, ends.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) <= share + 1e-12) low = middle;
    else high = middle;
  }
  return low + 1;
}
