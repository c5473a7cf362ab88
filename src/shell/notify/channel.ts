// A channel by which people are notified, and the plainest one: the bell of the terminal.
import type { Notice } from '../../core/view/notice/notice.ts';

export interface Channel {
  /** For sentences: `The webhook https://hooks.example.com/…`. */
  readonly name: string;
  /** Ends within its own limits, and soon after the signal says so. It never throws. */
  readonly tell: (notice: Notice, signal: AbortSignal) => Promise<Delivery>;
}

/** `failed` has a sentence on why, to follow the name. */
export type Delivery = { readonly type: 'told' } | { readonly type: 'failed'; readonly message: string };

export const DELIVERED: Delivery = { type: 'told' };

const BELL = '\u0007';

export interface Ringing {
  readonly isTTY?: boolean | undefined;
  readonly write: (text: string) => unknown;
}

/** The first of some streams that is a terminal; a run in the background has none and rings nothing. */
export const bell = (streams: readonly Ringing[]): Channel => ({
  name: 'The bell',
  tell: () => {
    streams.find(({ isTTY }) => isTTY === true)?.write(BELL);
    return Promise.resolve(DELIVERED);
  },
});
