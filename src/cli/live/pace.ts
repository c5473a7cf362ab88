// Paints again when there is something to see, as often as a person can follow and as its cost allows.
//
// N1. Painting takes no more than a small share of the time, so that a run of ten thousand tasks is not slowed down by
//     being watched. A key is answered at once.

const PAINT_EVERY_MS = 100;
const PAINT_SHARE = 0.05;
const TICK_MS = 1_000;

export interface Pace {
  /** Something has changed. */
  readonly touch: () => void;
  /** A person waits to see what their key did. */
  readonly hurry: () => void;
  readonly end: () => void;
}

export function keepPace(paint: () => void): Pace {
  let timer: NodeJS.Timeout | undefined;
  let mayPaintAt = 0;
  const paintNow = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const from = performance.now();
    paint();
    const until = performance.now();
    mayPaintAt = until + Math.max(PAINT_EVERY_MS, (until - from) / PAINT_SHARE);
  };
  const touch = (): void => {
    timer ??= setTimeout(paintNow, Math.max(0, mayPaintAt - performance.now())).unref();
  };
  const ticks = setInterval(touch, TICK_MS).unref();
  return {
    touch,
    hurry: paintNow,
    end: () => {
      clearTimeout(timer);
      clearInterval(ticks);
    },
  };
}
