// A channel for notifications, and the simplest one: the bell of the terminal.
import type { Notice } from '../../core/view/run/notification.ts';
import { capture, type CaptureEnd } from '../exec/capture.ts';

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

// Starts the program of a channel with a time limit. The program's whole process group is ended at the limit, and when
// this process is killed.

interface ProgramOrder {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

const OUTPUT_BYTES_MAX = 2_000;
const STDERR_SHOWN_MAX = 200;

export async function startProgram(request: ProgramOrder): Promise<Delivery> {
  const { argv, limitMs: timeoutMs, ...options } = request;
  const limits = { timeoutMs, keptBytesMax: OUTPUT_BYTES_MAX };
  const { end, stderr } = await capture(argv, { ...options, ...limits, group: 'leave', isTied: true });
  if (end.type === 'exited' && end.code === 0) return DELIVERED;
  const lastLine = stderr.toString('utf8').trim().split('\n').at(-1)?.trim().slice(0, STDERR_SHOWN_MAX) ?? '';
  return { type: 'failed', message: messageOf(end, { lastLine, timeoutMs }) };
}

interface About {
  readonly lastLine: string;
  readonly timeoutMs: number;
}

function messageOf(end: CaptureEnd, { lastLine, timeoutMs }: About): string {
  switch (end.type) {
    case 'exited':
      return withLine(`ended with exit code ${end.code}`, lastLine);
    case 'killed':
      return withLine(`was ended by ${end.signal}`, lastLine);
    case 'timeout':
      return `was ended: it took longer than ${timeoutMs / 1000} s.`;
    case 'aborted':
      return 'was ended, because the run is over and it was not.';
    case 'unstarted':
      return `could not be started: ${end.message}.`;
  }
}

const withLine = (how: string, lastLine: string): string => (lastLine === '' ? `${how}.` : `${how}: ${lastLine}`);
