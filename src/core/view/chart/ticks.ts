// The time axis: round moments, as many as there is room for.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STEPS_MS: readonly number[] = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 28].map((count) => count * DAY),
];

/** Moments from 0 to the end, at most `ticksMax` steps of them. */
export function ticksOf(endMs: number, ticksMax: number): number[] {
  const least = endMs / Math.max(1, ticksMax);
  const longest = STEPS_MS.at(-1) ?? DAY;
  const step = STEPS_MS.find((ms) => ms >= least) ?? Math.ceil(least / longest) * longest;
  return Array.from({ length: Math.floor(endMs / step) + 1 }, (_, index) => index * step);
}
