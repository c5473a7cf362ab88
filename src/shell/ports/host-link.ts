// The link between the coordinator and its hosts: messages of hosts, and replies.
import type { Reply, Sync } from '../../core/protocol/sync.ts';

/** Input of one step of the loop: messages of hosts, and a hint that commands may have come or a timer may be due. */
export interface Mail {
  readonly syncs: readonly Sync[];
  readonly mayHaveCommands: boolean;
}

/** The loop waits here for its next input. */
export interface Mailbox {
  /** Resolves as soon as there is input, or after this many milliseconds. */
  readonly next: (withinMs: number | undefined) => Promise<Mail>;
  readonly reply: (host: string, reply: Reply) => void;
}
