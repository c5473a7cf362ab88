// Throttles the painting of the live view and its ETA, by human perception and by their cost.
//
// throttle/T1. Painting takes no more than a small share of the time, so that the live view does not slow down a run of ten
//     thousand tasks. A key is handled at once.
import type { RunEvent } from '../../core/engine/event.ts';
import type { State } from '../../core/engine/state.ts';
import { etaOf, type Eta } from '../../core/simulate/eta.ts';
import { pastWorkOf, type PastWork } from '../../core/simulate/past-work.ts';

const PAINT_EVERY_MS = 200;
const PAINT_SHARE = 0.025;
/** The longest gap, at any cost of painting: a person must see progress. */
const PAINT_GAP_MAX_MS = 2_000;
const TICK_MS = 1_000;

export interface RepaintThrottle {
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

export function openThrottle({ paint, tick }: Throttled): RepaintThrottle {
  let timer: NodeJS.Timeout | undefined;
  let mayPaintAt = 0;
  const paintNow = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const gapMs = Math.max(PAINT_EVERY_MS, costOf(paint) / PAINT_SHARE);
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

/** In milliseconds of a processor: on a busy machine work takes long and costs little. */
function costOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const ETA_EVERY_MS = 2_000;
const ETA_SHARE = 0.02;

/** The run at present. */
export interface PresentRun {
  readonly state: State;
  /** From its first. */
  readonly events: readonly RunEvent[];
  readonly now: number;
}

export interface EtaKeeper {
  /** As it was found not long ago; undefined when nothing is known. */
  readonly current: (present: PresentRun) => Eta | undefined;
}

/** Computes the ETA repeatedly, within a small share of the time. `earlier` reads the work of earlier runs, once. */
export function keepEta(earlier: () => readonly PastWork[]): EtaKeeper {
  let known: Eta | undefined;
  let before: readonly PastWork[] | undefined;
  let againAt = 0;
  return {
    current: ({ state, events, now }) => {
      const from = performance.now();
      if (from < againAt) return known;
      const costMs = costOf(() => {
        known = etaOf({ state, past: () => [...(before ??= earlier()), pastWorkOf(events)], now });
      });
      againAt = from + Math.max(ETA_EVERY_MS, costMs / ETA_SHARE);
      return known;
    },
  };
}
