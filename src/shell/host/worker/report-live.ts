// Reports the latest spend of a turn at a bounded rate.

/** Reporting costs something for programs that report often; but a turn that overruns a ceiling spends until it is heard. */
const GAP_MS = 250;

interface LiveReport<T> {
  readonly update: (value: T) => void;
  /** An unreported value stays unreported: the outcome has it. */
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
