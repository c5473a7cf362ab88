// All that a store of runs offers: logs, inboxes and ownership.
import type { Inbox } from './inbox.ts';
import type { RunLogs } from './log.ts';
import type { Ownership } from './ownership.ts';

/** One file, one connection. */
export interface Store extends RunLogs, Inbox, Ownership {
  readonly close: () => void;
}
