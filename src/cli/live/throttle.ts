// Throttles the painting of the live view, by human perception and by the cost of painting.
//
// throttle/T1. Painting takes no more than a small share of the time, so that the live view does not slow down a run of ten
//     thousand tasks. A key is handled at once.

const PAINT_EVERY_MS = 200;
const PAINT_SHARE = 0.025;
/** The longest gap, at any cost of painting: a person must see progress. */
const PAINT_GAP_MAX_MS = 2_000;
const TICK_MS = 1_000;

export interface Throttle {
  /** Something has changed. */
  readonly touch: () => void;
  /** A person waits for the effect of a key. */
  readonly hurry: () => void;
  readonly end: () => void;
}

export interface Throttled {
  readonly paint: () => void;
  /** Once a second, beside the painting. */
  readonly tick: () => void;
}

export function openThrottle({ paint, tick }: Throttled): Throttle {
  let timer: NodeJS.Timeout | undefined;
  let mayPaintAt = 0;
  const paintNow = (): void => {
    clearTimeout(timer);
    timer = undefined;
    // On a busy machine it may take long and cost little.
    const before = process.cpuUsage();
    paint();
    const { user, system } = process.cpuUsage(before);
    const gapMs = Math.max(PAINT_EVERY_MS, (user + system) / 1000 / PAINT_SHARE);
    mayPaintAt = performance.now() + Math.min(gapMs, PAINT_GAP_MAX_MS);
  };
  const touch = (): void => {
    timer ??= setTimeout(paintNow, Math.max(0, mayPaintAt - performance.now())).unref();
  };
  const ticks = setInterval(() => {
    tick();
    touch();
  }, TICK_MS).unref();
  return {
    touch,
    hurry: paintNow,
    end: () => {
      clearTimeout(timer);
      clearInterval(ticks);
    },
  };
}
