// Interrupts of a person while a run is coordinated: the first one stops the run, the second one ends its steps at once.
import type { RunRecord } from '../../shell/ports/log.ts';
import type { Store } from '../../shell/ports/store.ts';
import type { Observer } from './observer.ts';

/** Takes the handlers of the first and the second interrupt; returns a function that removes them. */
export type Interrupts = (on: { readonly onFirst: () => void; readonly onSecond: () => void }) => () => void;

export interface Interruptible {
  readonly store: Pick<Store, 'post'>;
  readonly record: RunRecord;
  readonly observer: Observer;
  /** Undefined where nothing interrupts the run but the commands that are posted to it. */
  readonly interrupts?: Interrupts | undefined;
}

interface Reached {
  /** Makes the loop read the stop that was posted. */
  readonly stop: () => void;
  /** Ends running steps, with their grace or now. */
  readonly end: (how: { readonly now: boolean }) => void;
}

export interface Interruption {
  /** Sets the handler from now on; without a handler an interrupt ends the process, as usual. */
  readonly reaches: (reached: Reached) => void;
  /** The run has ended: there is nothing to stop. The next interrupt says so, and one after it ends the process. */
  readonly closes: () => void;
  readonly hasCome: () => boolean;
  readonly end: () => void;
}

export function interruptible({ store, record, observer, interrupts }: Interruptible): Interruption {
  let hasCome = false;
  let isClosing = false;
  let reached: Reached | undefined;
  let end: (() => void) | undefined;
  const onClosing = (): void => {
    observer.onNote({ code: 'closing' });
    end?.();
    end = undefined;
  };
  const onFirst = (): void => {
    if (isClosing) return onClosing();
    hasCome = true;
    const posted = store.post(record.run, { type: 'stop', tasks: [] });
    if (posted.type === 'posted') {
      observer.onNote({ code: 'stopping' });
      reached?.stop();
    } else {
      // A full disk stores neither the command nor the events, so the steps are ended without them.
      observer.onNote({ code: 'stop-not-posted', failure: posted.failure });
      reached?.end({ now: false });
    }
  };
  const onSecond = (): void => {
    if (isClosing) return onClosing();
    observer.onNote({ code: 'ending-now' });
    reached?.end({ now: true });
  };
  return {
    reaches: (next) => {
      reached = next;
      isClosing = false;
      end ??= interrupts?.({ onFirst, onSecond });
    },
    closes: () => {
      isClosing = true;
    },
    hasCome: () => hasCome,
    end: () => end?.(),
  };
}
