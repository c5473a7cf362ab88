// A message of a host that waits for its reply: what the runs answer is collected, and sent together.
import { HOST_PROTOCOL, type HeardRun, type HostAsk, type HostMessageReply } from '../../core/protocol/host-message.ts';
import type { Reply } from '../../core/protocol/sync.ts';

export interface OpenPoll {
  readonly number: number;
  readonly isOpen: () => boolean;
  readonly reply: (run: string, reply: Reply) => void;
  readonly tellOver: (run: string) => void;
  readonly ask: (ask: HostAsk) => void;
  /** Sends what there is. */
  readonly end: () => void;
}

export interface PollOptions {
  readonly number: number;
  /** An empty reply is sent after this time. */
  readonly waitMs: number;
  /** Whether a reply of another run is becoming durable. */
  readonly isMoreComing: () => boolean;
  /** Of the runs that this server has, given those that it replies for. */
  readonly heard: (replied: readonly string[]) => readonly HeardRun[];
  readonly send: (reply: HostMessageReply) => void;
}

export const emptyReply = (number: number): HostMessageReply => ({
  protocol: HOST_PROTOCOL,
  number,
  runs: [],
  heard: [],
  over: [],
  asks: [],
});

/** For how long a reply waits for those of other runs. */
const TOGETHER_MS = 50;

export function openPoll({ number, waitMs, isMoreComing, heard, send }: PollOptions): OpenPoll {
  const runs: { readonly run: string; readonly reply: Reply }[] = [];
  const over = new Set<string>();
  const asks: HostAsk[] = [];
  let isOpen = true;
  let soon: NodeJS.Timeout | undefined;
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    clearTimeout(waiting);
    clearTimeout(soon);
    send({ ...emptyReply(number), runs, heard: heard(runs.map(({ run }) => run)), over: [...over], asks });
  };
  const waiting = setTimeout(end, waitMs);
  const endSoon = (): void => {
    soon ??= setTimeout(end, TOGETHER_MS);
    // Runs that heard the same message answer in the same turn of the event loop.
    setImmediate(() => {
      if (!isMoreComing()) end();
    });
  };
  return {
    number,
    isOpen: () => isOpen,
    reply: (run, reply) => {
      runs.push({ run, reply });
      endSoon();
    },
    tellOver: (run) => {
      over.add(run);
      endSoon();
    },
    ask: (ask) => {
      asks.push(ask);
      endSoon();
    },
    end,
  };
}
