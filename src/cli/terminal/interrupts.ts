// Ctrl-C and its kin, for as long as a run is coordinated or followed from this terminal.
//
// interrupts/I1. While another program has the terminal, as a pager does, Ctrl-C is that program's: it stops no run.

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let hasTerminal = true;

/** Calls `hear` at each interrupt; returns a function that stops listening. */
export function listenForInterrupts(hear: (signal: NodeJS.Signals) => void): () => void {
  const listen = (signal: NodeJS.Signals): void => {
    if (signal !== 'SIGINT' || hasTerminal) hear(signal);
  };
  for (const signal of SIGNALS) process.on(signal, listen);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listen);
  };
}

interface Interrupted {
  readonly onFirst: () => void;
  readonly onSecond: () => void;
  /** For a system that ends this process; undefined takes that for any other interrupt. */
  readonly onTerminate?: (() => void) | undefined;
}

/** A terminal signals the launcher and this process at once, and the launcher forwards its signal: one wish, not two. */
const SAME_WISH_MS = 300;

/** The first interrupt stops the run, the second kills its steps. Returns a function that stops listening. */
export function onInterrupts({ onFirst, onSecond, onTerminate }: Interrupted): () => void {
  let firstAt: number | undefined;
  return listenForInterrupts((signal) => {
    const at = performance.now();
    if (signal === 'SIGTERM' && onTerminate !== undefined) onTerminate();
    else if (firstAt === undefined) {
      firstAt = at;
      onFirst();
    } else if (at - firstAt > SAME_WISH_MS) {
      onSecond();
    }
  });
}

/** Without a listener the signal would end this process, and the pager with it. */
const ignore = (): void => {};

/** Until the work is over, or until the terminal closes, and with it the person's means to end the work. */
export async function withoutInterrupts(work: () => Promise<void>): Promise<void> {
  const hungUp = Promise.withResolvers<undefined>();
  const hangUp = (): void => hungUp.resolve(undefined);
  hasTerminal = false;
  process.on('SIGINT', ignore);
  process.on('SIGHUP', hangUp);
  try {
    await Promise.race([work(), hungUp.promise]);
  } finally {
    hasTerminal = true;
    process.off('SIGINT', ignore);
    process.off('SIGHUP', hangUp);
  }
}
