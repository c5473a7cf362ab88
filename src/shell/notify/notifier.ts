// Delivers notifications without ever blocking the run.
//
// notifier/X1. `deliver` returns at once. Each channel has a queue of its own, so a channel that hangs delays no other.
// notifier/X2. Once every channel is done with a notification, its event is noted. After a crash the notifications that
//     are not noted are sent again: delivery is at least once, and mostly once.
// notifier/X3. No failure here reaches the run; people see the first few failures of a channel, then no more.
import type { RunNotification } from '../../core/view/run/notification.ts';
import { openNote } from './notification-note.ts';
import { DELIVERED, type Channel } from './channel.ts';

export interface NotifierGiven {
  readonly channels: readonly Channel[];
  /** Contains the last event with delivered notifications. */
  readonly file: string;
  readonly say: (sentence: string) => void;
}

export interface Notifier {
  readonly deliver: (notification: RunNotification) => void;
  /** Waits until everything is delivered, at most `withinMs`; then drops the rest. */
  readonly close: (withinMs: number) => Promise<void>;
}

/** Longest queue of one channel; beyond this the newest notifications are dropped. */
const WAITING_MAX = 200;
const ERRORS_MAX = 3;

export function openNotifier({ channels, file, say }: NotifierGiven): Notifier {
  const note = openNote(file);
  const giveUp = new AbortController();
  const queues = channels.map((channel) => openQueue(channel, giveUp.signal, say));
  return {
    deliver: (notification) => {
      if (!note.isNews(notification.event)) return;
      const settle = note.begin(notification.event);
      void Promise.all(queues.map((queue) => queue.add(notification))).then(() => settle());
    },
    close: async (withinMs) => {
      const idle = Promise.all(queues.map((queue) => queue.idle()));
      const timer = setTimeout(() => giveUp.abort(), withinMs);
      await idle;
      clearTimeout(timer);
    },
  };
}

interface Queue {
  readonly add: (notification: RunNotification) => Promise<void>;
  readonly idle: () => Promise<void>;
}

function openQueue(channel: Channel, signal: AbortSignal, say: (sentence: string) => void): Queue {
  let last = Promise.resolve();
  let waiting = 0;
  let errors = 0;
  const reportError = (message: string): void => {
    errors += 1;
    if (errors > ERRORS_MAX) return;
    const more = errors === ERRORS_MAX ? ' No more is said of it in this run.' : '';
    say(`${channel.name} ${message}${more}`);
  };
  const deliver = async (notification: RunNotification): Promise<void> => {
    // After an abort, queued notifications are dropped.
    const delivered = signal.aborted ? DELIVERED : await channel.deliver(notification, signal);
    waiting -= 1;
    if (delivered.type === 'failed') reportError(delivered.message);
  };
  return {
    add: (notification) => {
      if (waiting >= WAITING_MAX) {
        reportError(`is too slow: more than ${WAITING_MAX} notifications wait for it, and one was left out.`);
        return Promise.resolve();
      }
      waiting += 1;
      last = last.then(() => deliver(notification));
      return last;
    },
    idle: () => last,
  };
}
