// A channel for notifications, and the simplest one: the bell of the terminal.
import type { Notice } from '../../core/view/run/notification.ts';

export interface Channel {
  /** For sentences: `The webhook https://hooks.example.com/…`. */
  readonly name: string;
  /** Returns within the channel's own time limits, and soon after the signal is aborted. It never throws. */
  readonly tell: (notice: Notice, signal: AbortSignal) => Promise<Delivery>;
}

/** The message of `failed` continues a sentence that begins with the channel's name. */
export type Delivery = { readonly type: 'replied' } | { readonly type: 'failed'; readonly message: string };

export const DELIVERED: Delivery = { type: 'replied' };

const BELL = '\u0007';

export interface Ringing {
  readonly isTTY?: boolean | undefined;
  readonly write: (text: string) => unknown;
}

/** Rings on the first stream that is a terminal; a run in the background has none. */
export const bell = (streams: readonly Ringing[]): Channel => ({
  name: 'The bell',
  tell: () => {
    streams.find(({ isTTY }) => isTTY === true)?.write(BELL);
    return Promise.resolve(DELIVERED);
  },
});
