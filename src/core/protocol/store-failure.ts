// Why a store could not be read or written, and what happened to it: codes, with the facts that a person needs.

export type StoreFailure =
  /** `absent` and `empty` are of readers: no run was ever started here. */
  | { readonly code: 'busy' | 'full' | 'read-only' | 'absent' | 'empty' | 'foreign'; readonly file: string }
  | { readonly code: 'unopened' | 'disk'; readonly file: string; readonly cause: string }
  | { readonly code: 'unsafe-sqlite'; readonly version: string | undefined; readonly least: string }
  | { readonly code: 'other-format'; readonly file: string; readonly format: number; readonly reads: number }
  /** The file is gone or empty, and the high-water marks of these runs are there. */
  | { readonly code: 'emptied'; readonly file: string; readonly home: string; readonly runs: readonly string[] }
  /** Another file is at its path; `rescued` is the copy of what was written, undefined when there are too many copies. */
  | { readonly code: 'replaced'; readonly file: string; readonly home: string; readonly rescued: string | undefined }
  | { readonly code: 'run-unknown'; readonly run: string; readonly file: string }
  /** Only a salvaged store can have a run without events. */
  | { readonly code: 'log-empty'; readonly run: string }
  /** Another version of Heddle wrote the event. */
  | { readonly code: 'event-unknown'; readonly run: string; readonly position: number; readonly cause: string }
  | { readonly code: 'damaged'; readonly damage: Damage; readonly salvage: Salvage | undefined }
  /** Two machines have given one id to two runs. */
  | { readonly code: 'run-taken'; readonly run: string; readonly file: string }
  /** Another process of this machine writes the copy of a run that an engine keeps. */
  | { readonly code: 'mirror-held'; readonly run: string; readonly pid: number | undefined }
  /** The copy of a run has events that the engine never had. */
  | { readonly code: 'mirror-ahead'; readonly run: string }
  /** Another server has moved a ref of the run on the remote that they share. */
  | { readonly code: 'shared-elsewhere'; readonly run: string; readonly remote: string; readonly ref: string }
  /** The server ended while the remote was away. */
  | { readonly code: 'shared-unreached'; readonly run: string; readonly remote: string }
  /** The engine that keeps the log is on other machines. */
  | { readonly code: 'engine'; readonly why: EngineFault; readonly engine: string; readonly cause: string };

/**
 * `away` may come back, `unanswered` may have been done; `newer` is a schema of a later Heddle; `refused` is an answer
 * that waiting does not change.
 */
export type EngineFault = 'away' | 'unanswered' | 'read-only' | 'full' | 'newer' | 'refused';

export type Damage =
  | { readonly type: 'file'; readonly file: string; readonly cause: string }
  /** Something that Heddle did not write. */
  | { readonly type: 'content'; readonly where: 'record' | 'event' }
  | { readonly type: 'content'; readonly where: 'column'; readonly column: string }
  | { readonly type: 'runs-missing'; readonly file: string; readonly home: string; readonly runs: readonly string[] }
  /** `events` is how many there were, where that is known. */
  | { readonly type: 'log-shortened'; readonly run: string; readonly events: number | undefined }
  | { readonly type: 'event-missing' | 'event-changed'; readonly run: string; readonly position: number };

/** The copy of what can be trusted in a damaged store. */
export type Salvage =
  | { readonly type: 'failed'; readonly failure: StoreFailure }
  | { readonly type: 'too-many'; readonly home: string }
  | { readonly type: 'nothing'; readonly home: string; readonly file: string }
  | {
      readonly type: 'salvaged';
      readonly home: string;
      readonly file: string;
      readonly salvaged: string;
      readonly runs: readonly SalvagedRun[];
      /** Whether SQLite could read every row. */
      readonly isAll: boolean;
    };

export interface SalvagedRun {
  readonly run: string;
  readonly kept: number;
  /** Rows behind the first broken link. */
  readonly beyond: number;
  readonly hasRecord: boolean;
  /** Events that the run had, where that is known. */
  readonly marked: number | undefined;
}

/** What went wrong without harm to the log. */
export type StoreWarning =
  | { readonly code: 'restored'; readonly file: string; readonly part: 'store' | 'companion' }
  | { readonly code: 'mark-unwritten'; readonly run: string; readonly failure: StoreFailure }
  | { readonly code: 'heartbeat-unwritten'; readonly run: string; readonly cause: string }
  | { readonly code: 'failed'; readonly failure: StoreFailure };
