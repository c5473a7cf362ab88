// The bell of the terminal, where there is one.
import { DELIVERED, type Channel } from './channel.ts';

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
