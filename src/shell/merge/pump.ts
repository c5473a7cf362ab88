// Runs steps, one at a time, as long as one is due; and backs off after errors.
//
// pump/P1. A wake-up during a step is never lost: one more step follows.

export interface Pump {
  /** Something has changed: a step is due. */
  readonly wake: () => void;
  /** Backs off: wakes after this long. */
  readonly backOff: (backoffMs: number) => void;
  readonly isBackingOff: () => boolean;
  readonly isClosed: () => boolean;
  /** Resolves when no step is running; none starts any more. */
  readonly close: () => Promise<void>;
}

/** `ready` comes before the first step. */
export function openPump(ready: Promise<void>, step: () => Promise<void>): Pump {
  const state = { isDue: false, isStepping: false, isClosed: false };
  let stepping: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const takeSteps = async (): Promise<void> => {
    await ready;
    while (state.isDue && !state.isClosed) {
      state.isDue = false;
      await step();
    }
    state.isStepping = false;
  };
  const wake = (): void => {
    state.isDue = true;
    if (state.isStepping || state.isClosed) return;
    state.isStepping = true;
    stepping = takeSteps();
  };
  return {
    wake,
    backOff: (backoffMs) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        wake();
      }, backoffMs);
    },
    isBackingOff: () => timer !== undefined,
    isClosed: () => state.isClosed,
    close: async () => {
      state.isClosed = true;
      clearTimeout(timer);
      await stepping;
    },
  };
}
