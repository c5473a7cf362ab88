// How many transfers there are at once, and how many may wait for their turn.

export interface TransferPlaces {
  /** Waits for a place; undefined where too many wait already, or when the caller has gone. */
  readonly take: (signal: AbortSignal) => Promise<TransferPlace | undefined>;
}

export interface TransferPlace {
  readonly release: () => void;
}

/** Each is a git process, some of which compress objects. */
const TRANSFERS_MAX = 8;
const WAITING_MAX = 256;

export function openTransferPlaces(): TransferPlaces {
  let taken = 0;
  const waiting = new Set<() => void>();
  const place: TransferPlace = {
    release: () => {
      const [next] = waiting;
      if (next === undefined) taken -= 1;
      else next();
    },
  };
  const wait = async (signal: AbortSignal): Promise<TransferPlace | undefined> =>
    new Promise((resolve) => {
      const begin = (): void => {
        waiting.delete(begin);
        resolve(place);
      };
      waiting.add(begin);
      const leave = (): void => {
        if (waiting.delete(begin)) resolve(undefined);
      };
      signal.addEventListener('abort', leave, { once: true });
    });
  return {
    take: async (signal) => {
      if (signal.aborted) return undefined;
      if (taken >= TRANSFERS_MAX) return waiting.size < WAITING_MAX ? wait(signal) : undefined;
      taken += 1;
      return place;
    },
  };
}
