// Tells people, beside the run and never in its way.
//
// notifier/X1. `tell` comes back at once. Each way has a queue of its own, so one that hangs holds up no other.
// notifier/X2. What was told is noted by the event that brought it once every way is through with it. After a crash
//     what is not noted is told, so a notice comes at least once, and mostly once.
// notifier/X3. Nothing that goes wrong here reaches the run; a person hears of it a few times, then no more.
import type { Notice } from '../../core/view/notice/notice.ts';
import { openNote } from './notification-note.ts';
import { DELIVERED, type Channel } from './channel.ts';

export interface NotifierGiven {
  readonly ways: readonly Channel[];
  /** Where it is noted up to which event people were told. */
  readonly file: string;
  readonly say: (sentence: string) => void;
}

export interface Notifier {
  readonly tell: (notice: Notice) => void;
  /** Waits until all is told, at most so long; what is not told by then is given up. */
  readonly close: (withinMs: number) => Promise<void>;
}

/** Notices that wait for one way; beyond this the newest are left out. */
const WAITING_MAX = 200;
const COMPLAINTS_MAX = 3;

export function openNotifier({ ways, file, say }: NotifierGiven): Notifier {
  const note = openNote(file);
  const giveUp = new AbortController();
  const queues = ways.map((way) => openQueue(way, giveUp.signal, say));
  return {
    tell: (notice) => {
      if (!note.isNews(notice.event)) return;
      const settle = note.begin(notice.event);
      void Promise.all(queues.map((queue) => queue.add(notice))).then(() => settle());
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
  readonly add: (notice: Notice) => Promise<void>;
  readonly idle: () => Promise<void>;
}

function openQueue(way: Channel, signal: AbortSignal, say: (sentence: string) => void): Queue {
  let last = Promise.resolve();
  let waiting = 0;
  let complaints = 0;
  const complain = (message: string): void => {
    complaints += 1;
    if (complaints > COMPLAINTS_MAX) return;
    const more = complaints === COMPLAINTS_MAX ? ' No more is said of it in this run.' : '';
    say(`${way.name} ${message}${more}`);
  };
  const tell = async (notice: Notice): Promise<void> => {
    // What is still waiting when all is given up is not begun.
    const told = signal.aborted ? DELIVERED : await way.tell(notice, signal);
    waiting -= 1;
    if (told.type === 'failed') complain(told.message);
  };
  return {
    add: (notice) => {
      if (waiting >= WAITING_MAX) {
        complain(`is too slow: more than ${WAITING_MAX} notices wait for it, and one was left out.`);
        return Promise.resolve();
      }
      waiting += 1;
      last = last.then(() => tell(notice));
      return last;
    },
    idle: () => last,
  };
}
