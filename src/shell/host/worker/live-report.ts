// Reports the latest spend of a turn, no more often than every so often.

/** Reporting is half of what it costs to follow a turn, and a budget need not know at once. */
const GAP_MS = 2000;

export interface LiveReport<T> {
  readonly update: (value: T) => void;
  /** A value that was not reported yet stays unreported: the outcome has it. */
  readonly stop: () => void;
}

export function reportLive<T>(report: (value: T) => void): LiveReport<T> {
  let reportedAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let latest: T | undefined;
  const reportNow = (): void => {
    timer = undefined;
    reportedAt = performance.now();
    if (latest !== undefined) report(latest);
  };
  return {
    update: (value) => {
      latest = value;
      if (timer !== undefined) return;
      const waitMs = reportedAt + GAP_MS - performance.now();
      if (waitMs <= 0) reportNow();
      else timer = setTimeout(reportNow, waitMs);
    },
    stop: () => clearTimeout(timer),
  };
}
