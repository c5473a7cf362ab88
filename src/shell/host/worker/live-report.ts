// What a turn has spent so far, told to the host and kept in the attempt's folder, no more often than every so often.

/** Telling is half of what it costs to follow a turn, and a budget need not know at once. */
const GAP_MS = 2000;

export interface LiveReport<T> {
  readonly tell: (value: T) => void;
  /** What was not told yet stays untold: the outcome says it. */
  readonly stop: () => void;
}

export function reportLive<T>(report: (value: T) => void): LiveReport<T> {
  let toldAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let latest: T | undefined;
  const tellNow = (): void => {
    timer = undefined;
    toldAt = performance.now();
    if (latest !== undefined) report(latest);
  };
  return {
    tell: (value) => {
      latest = value;
      if (timer !== undefined) return;
      const waitMs = toldAt + GAP_MS - performance.now();
      if (waitMs <= 0) tellNow();
      else timer = setTimeout(tellNow, waitMs);
    },
    stop: () => clearTimeout(timer),
  };
}
