// All that a store of runs offers: logs, inboxes and ownership.
import type { Local } from './awaitable.ts';
import type { Inbox } from './inbox.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import type { Created, RunLogs, RunRecord } from './log.ts';
import type { LocalOwned, Ownership } from './ownership.ts';

/** A store of any engine, on this machine or another. */
export type AnyStore = RunLogs & Inbox & Ownership;

/** A store on this machine: one file, one connection. Its results need not be awaited. */
export interface Store extends Local<Omit<AnyStore, 'own'>> {
  readonly own: (...owning: Parameters<Ownership['own']>) => LocalOwned;
  /** A run that an engine has created, under its id there. */
  readonly adopt: (record: RunRecord, started: RunEvent) => Created;
  readonly close: () => void;
}
