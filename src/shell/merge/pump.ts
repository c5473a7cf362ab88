// Runs steps, one at a time, as long as one is due; and backs off after errors.
//
// pump/P1. A wake-up during a step is never lost: one more step follows.

export interface Pump {
  /** Something has changed: a step is due. */
  readonly wake: () => void;
  /** Wakes after this long. */
  readonly rest: (providerBackoffMs: number) => void;
  readonly isResting: () => boolean;
  readonly isClosed: () => boolean;
  /** Resolves when no step is running; none starts any more. */
  readonly close: () => Promise<void>;
}

/** `ready` comes before the first step. */
export function openPump(ready: Promise<void>, turn: () => Promise<void>): Pump {
  const state = { isDue: false, isTurning: false, isClosed: false };
  let turning: Promise<void> = Promise.resolve();
  let resting: NodeJS.Timeout | undefined;
  const takeTurns = async (): Promise<void> => {
    await ready;
    while (state.isDue && !state.isClosed) {
      state.isDue = false;
      await turn();
    }
    state.isTurning = false;
  };
  const wake = (): void => {
    state.isDue = true;
    if (state.isTurning || state.isClosed) return;
    state.isTurning = true;
    turning = takeTurns();
  };
  return {
    wake,
    rest: (providerBackoffMs) => {
      clearTimeout(resting);
      resting = setTimeout(() => {
        resting = undefined;
        wake();
      }, providerBackoffMs);
    },
    isResting: () => resting !== undefined,
    isClosed: () => state.isClosed,
    close: async () => {
      state.isClosed = true;
      clearTimeout(resting);
      await turning;
    },
  };
}
