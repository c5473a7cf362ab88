// Ctrl-C and its kin: the first asks the run to stop, the second ends its steps at once.

export interface Interrupted {
  readonly onFirst: () => void;
  readonly onSecond: () => void;
}

/** A terminal tells the launcher and us at once, and the launcher tells us too: that is one wish, not two. */
const SAME_WISH_MS = 300;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Returns how to stop listening. */
export function onInterrupts({ onFirst, onSecond }: Interrupted): () => void {
  let firstAt: number | undefined;
  const hear = (): void => {
    const at = performance.now();
    if (firstAt === undefined) {
      firstAt = at;
      onFirst();
    } else if (at - firstAt > SAME_WISH_MS) {
      onSecond();
    }
  };
  for (const signal of SIGNALS) process.on(signal, hear);
  return () => {
    for (const signal of SIGNALS) process.off(signal, hear);
  };
}
