// The log of a run: any process may read it; only the owner of the run appends to it.
import type { RunEvent } from '../../core/engine/event.ts';
import type { LoopEnd } from '../../core/engine/step/coordinator-state.ts';
import type { ReplyToCommand } from '../../core/engine/step/step.ts';
import type { Awaitable, Local } from './awaitable.ts';
import type { Posted } from './inbox.ts';
import type { StoreFailure } from '../../core/protocol/store-failure.ts';

/** A run's identity, fixed when it is created. The state is folded from the log alone. */
export interface RunRecord {
  readonly run: string;
  readonly createdAt: number;
  /** The plan's name. */
  readonly name: string;
  /** Where the plan came from, for messages. */
  readonly file: string;
  /** The plan as people wrote it, for display only: no state is derived from it. */
  readonly source: string;
  /** What it is for, when it is no run of a person's plan: `draft` writes one. */
  readonly purpose?: 'draft' | undefined;
}

/** A process, distinguished by its start time from a later process with the same pid. */
export interface Process {
  readonly pid: number;
  /** When it started, in the system's own form; only compared for equality. */
  readonly startedAt: string;
}

export interface Owner extends Process {
  readonly host: string;
  readonly since: number;
  readonly epoch: number;
}

export type Appended =
  | { readonly type: 'appended' }
  /** Another coordinator owns the run now; nothing was written. */
  | { readonly type: 'fenced'; readonly by: Owner | undefined }
  /** Nothing was written. */
  | { readonly type: 'failed'; readonly failure: StoreFailure };

/** Why a coordinator's loop ended. */
export type RunOver = LoopEnd | Exclude<Appended, { readonly type: 'appended' }>;

/**
 * One run's log, as its one writer uses it. `read` and `commands` are views of what this process holds, so that the loop
 * waits in two places only. An engine on another machine fetches commands in the background and rings the loop.
 */
export interface Log {
  readonly read: () => readonly RunEvent[];
  /**
   * All or nothing, and durable when it resolves: the events, and the answers to the commands that caused them. An
   * empty append checks that this process still owns the run.
   */
  readonly append: (events: readonly RunEvent[], answers: readonly ReplyToCommand[]) => Awaitable<Appended>;
  /** Unanswered commands, oldest first. */
  readonly commands: () => readonly Posted[];
}

/** A log on this machine, which is durable as soon as an append returns. */
export type LocalLog = Local<Log>;

export interface Events {
  readonly events: readonly RunEvent[];
  readonly position: number;
  /** Why the log cannot be read beyond these events; undefined when it is whole. */
  readonly failure: StoreFailure | undefined;
}

/** An event as it is kept: proved by its checksum, and not parsed. */
export interface EventText {
  readonly type: string;
  readonly json: string;
}

export interface EventTexts extends Omit<Events, 'events'> {
  readonly texts: readonly EventText[];
}

export type Created =
  | { readonly type: 'created'; readonly record: RunRecord }
  | { readonly type: 'failed'; readonly failure: StoreFailure };

/** The logs of a store. Reading needs no ownership. */
export interface RunLogs {
  readonly runs: () => Awaitable<readonly RunRecord[]>;
  readonly find: (run: string) => Awaitable<RunRecord | undefined>;
  /** Gives the run the next free id made from the plan's name, none of `taken`; the log begins with `run.started`. */
  readonly create: (
    record: Omit<RunRecord, 'run'>,
    started: RunEvent,
    taken?: ReadonlySet<string>,
  ) => Awaitable<Created>;
  /**
   * Events from a position on, at most `max` of them, and the position after them; the coordinator may be appending
   * meanwhile.
   */
  readonly eventsFrom: (run: string, position: number, max?: number) => Awaitable<Events>;
  /** The same for a reader that passes the log on: an event that only another version knows is no failure here. */
  readonly textsFrom: (run: string, position: number, max?: number) => Awaitable<EventTexts>;
  /** The position after the last event, without reading the log; 0 of a run that does not exist. */
  readonly endOf: (run: string) => Awaitable<number>;
  /** Differs from the last call when anyone else has written meanwhile, so that readers can wait cheaply. */
  readonly version: () => Awaitable<number>;
}
