// The log of a run: read by anybody, appended to by the one process that owns the run.
import type { RunEvent } from '../../core/engine/event.ts';
import type { RunEnd } from '../../core/engine/step/coordinator-state.ts';
import type { Answer } from '../../core/engine/step/step.ts';
import type { Posted } from './inbox.ts';

/** A run's identity, frozen when it is created. All that its state is made of is in its log. */
export interface RunRecord {
  readonly run: string;
  readonly createdAt: number;
  /** The plan's name. */
  readonly name: string;
  /** Where the plan came from, for messages. */
  readonly file: string;
  /** The plan as people wrote it, for people: no state is made of it. */
  readonly source: string;
}

/** A process, told apart from a later one with the same number. */
export interface Process {
  readonly pid: number;
  /** When it started, as the system says it; only ever compared. */
  readonly startedAt: string;
}

export interface Owner extends Process {
  readonly host: string;
  readonly since: number;
  readonly epoch: number;
}

export type Appended =
  | { readonly type: 'appended' }
  /** Another coordinator has taken the run over; nothing was written. */
  | { readonly type: 'fenced'; readonly by: Owner | undefined }
  /** Nothing was written; `message` says what, where and what to do. */
  | { readonly type: 'failed'; readonly message: string };

/** How a coordinator left its run. */
export type RunOver = RunEnd | Exclude<Appended, { readonly type: 'appended' }>;

/** One run's log in the hands of its one writer. */
export interface Log {
  readonly read: () => readonly RunEvent[];
  /**
   * All or nothing, durable when it resolves: the events, and what became of the commands that caused them. An append of
   * nothing says whether the run is still ours.
   */
  readonly append: (events: readonly RunEvent[], answers: readonly Answer[]) => Appended | Promise<Appended>;
  /** Commands that have come and are not answered, oldest first. */
  readonly commands: () => readonly Posted[];
}

/** A log on this machine's disk, which is durable as soon as an append returns. */
export interface LocalLog extends Log {
  readonly append: (...appending: Parameters<Log['append']>) => Appended;
}

export interface Events {
  readonly events: readonly RunEvent[];
  readonly position: number;
  /** What is wrong with the log behind these events and what to do about it, in words; undefined when nothing is. */
  readonly error: string | undefined;
}

export type Created =
  | { readonly type: 'created'; readonly record: RunRecord }
  | { readonly type: 'failed'; readonly message: string };

/** The logs of a store. Reading needs no ownership. */
export interface RunLogs {
  readonly runs: () => readonly RunRecord[];
  readonly find: (run: string) => RunRecord | undefined;
  /** Gives it the next free id made from the plan's name, none of `taken`; the log begins with `run.started`. */
  readonly create: (record: Omit<RunRecord, 'run'>, started: RunEvent, taken?: ReadonlySet<string>) => Created;
  /** Events from a position on, and the position after them; the coordinator may be appending meanwhile. */
  readonly eventsFrom: (run: string, position: number) => Events;
}
