// The link between the coordinator and its hosts: messages of hosts, and replies.
import type { MergeRequest } from '../../core/engine/owed/merges.ts';
import type { Reply, Sync } from '../../core/protocol/sync.ts';
import type { MergeOutcome } from '../../core/protocol/work-outcome.ts';

/** Input of one step of the loop: messages of hosts, and a hint that commands may have come or a timer may be due. */
export interface Mail {
  readonly syncs: readonly Sync[];
  /** Reports of the merge queue, where there is one. */
  readonly merges?: readonly MergeOutcome[];
  readonly mayHaveCommands: boolean;
}

/** The merge queue, in the coordinator's own process. */
export interface MergeQueue {
  /**
   * The whole merge queue in order, sent again whenever it changes and after every restart. An entry that is no longer
   * listed is withdrawn. The queue must recognise merges that it has already made. It reports by mail.
   */
  readonly give: (orders: readonly MergeRequest[]) => void;
}

/** The loop waits here for its next input. */
export interface Mailbox {
  /** Resolves as soon as there is input, or after this many milliseconds. */
  readonly next: (withinMs: number | undefined) => Promise<Mail>;
  readonly reply: (host: string, reply: Reply) => void;
}
