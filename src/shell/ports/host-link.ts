// The link between the coordinator and its hosts: what they send, and what they are told.
import type { MergeOrder } from '../../core/engine/owed/merges.ts';
import type { Reply, Sync } from '../../core/protocol/sync.ts';
import type { MergeOutcome } from '../../core/protocol/work-outcome.ts';

/** What has come to the coordinator: messages of hosts, and a hint that commands may have come or time has. */
export interface Mail {
  readonly syncs: readonly Sync[];
  /** What the merge queue reports, where there is one. */
  readonly merges?: readonly MergeOutcome[];
  readonly mayHaveCommands: boolean;
}

/** What merges, in the coordinator's own process. */
export interface MergeQueue {
  /**
   * All that is to be merged, in order, told again whenever it has changed and after every restart: what is not listed any
   * more is none of its business. What it did before it must find done. It reports by mail.
   */
  readonly give: (orders: readonly MergeOrder[]) => void;
}

/** Where the loop waits for what comes. */
export interface Mailbox {
  /** Resolves as soon as there is anything, or after so many milliseconds. */
  readonly next: (withinMs: number | undefined) => Promise<Mail>;
  readonly reply: (host: string, reply: Reply) => void;
}
