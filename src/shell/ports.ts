// What the loop needs of the world, as types. Each has one contract suite, run over the real part and the fake.
import type { Command } from '../core/engine/command.ts';
import type { Reason, Result, RunEvent, Spend } from '../core/engine/event.ts';
import type { Reply, Sync } from '../core/engine/hosts/sync.ts';
import type { MergeOrder } from '../core/engine/merges.ts';
import type { MergeOutcome } from '../core/engine/outcome.ts';
import type { Agent, Json } from '../core/plan/plan.ts';

export interface Clock {
  /** Milliseconds since the epoch; people may set it back. */
  readonly now: () => number;
  /** Milliseconds since some moment; never goes back. */
  readonly monotonic: () => number;
}

/** A run's identity and all that its state is folded with; frozen when it is created. */
export interface RunRecord {
  readonly run: string;
  readonly createdAt: number;
  /** The plan's name. */
  readonly name: string;
  /** Where the plan came from, for messages. */
  readonly file: string;
  /** The plan as people wrote it. */
  readonly source: string;
  /** The effective plan, every setting in it; what the run is folded with, whatever becomes of the files. */
  readonly text: string;
  readonly inputs: Readonly<Record<string, Json>>;
  readonly policy: 'parallel' | 'serial';
  readonly seed: number;
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

/** A command and what became of it. */
export interface Posted {
  readonly id: number;
  readonly command: Command;
  readonly at: number;
}

export type Appended =
  | { readonly type: 'appended' }
  /** Another coordinator has taken the run over; nothing was written. */
  | { readonly type: 'fenced'; readonly by: Owner | undefined }
  /** Nothing was written; `message` says what, where and what to do. */
  | { readonly type: 'failed'; readonly message: string };

/** One run's log in the hands of its one writer. Everything is synchronous. */
export interface Log {
  readonly read: () => readonly RunEvent[];
  /**
   * All or nothing, durable when it returns: the events, and what became of the commands that caused them. An append of
   * nothing says whether the run is still ours.
   */
  readonly append: (events: readonly RunEvent[], answers: readonly Answer[]) => Appended;
  /** Commands that have come and are not answered, oldest first. */
  readonly commands: () => readonly Posted[];
}

export interface Answer {
  readonly id: number;
  readonly answer: string;
}

/** What has come to the coordinator: messages of hosts, and a hint that commands may have come or time has. */
export interface Mail {
  readonly syncs: readonly Sync[];
  /** What the merge train reports, where there is one. */
  readonly merges?: readonly MergeOutcome[];
  readonly mayHaveCommands: boolean;
}

/** What merges, in the coordinator's own process. */
export interface Train {
  /**
   * All that is to be merged, in order, told again whenever it has changed and after every restart: what is not listed any
   * more is none of its business. What it did before it must find done. It reports by mail.
   */
  readonly give: (orders: readonly MergeOrder[]) => void;
}

/** Where the loop waits; the one thing that it awaits. */
export interface Mailbox {
  /** Resolves as soon as there is anything, or after so many milliseconds. */
  readonly next: (withinMs: number | undefined) => Promise<Mail>;
  readonly reply: (host: string, reply: Reply) => void;
}

/** A store of runs: one file, one connection. Reading needs no ownership. */
export interface Store {
  readonly runs: () => readonly RunRecord[];
  readonly find: (run: string) => RunRecord | undefined;
  /** Gives it the next free id made from the plan's name; the log begins with `run.started`. */
  readonly create: (record: Omit<RunRecord, 'run'>, started: RunEvent) => Created;
  /** Events from a position on, and the position after them; the coordinator may be appending meanwhile. */
  readonly eventsFrom: (run: string, position: number) => Events;
  /** Who took it last and has not given it up; that process may have died since. */
  readonly ownerOf: (run: string) => Owner | undefined;
  /** Makes this process the run's one writer, unless another that is alive is. */
  readonly own: (run: string, how: { readonly takesOver: boolean }) => Owned;
  readonly post: (run: string, command: Command) => Posting;
  /** What became of a command, once its coordinator has heeded it. */
  readonly answerTo: (id: number) => string | undefined;
  readonly close: () => void;
}

export interface Events {
  readonly events: readonly RunEvent[];
  readonly position: number;
  /** What is wrong with the log behind these events and what to do about it, in words; undefined when nothing is. */
  readonly trouble: string | undefined;
}

export type Created =
  | { readonly type: 'created'; readonly record: RunRecord }
  | { readonly type: 'failed'; readonly message: string };

export type Posting =
  | { readonly type: 'posted'; readonly id: number }
  | { readonly type: 'failed'; readonly message: string };

export type Owned =
  | { readonly type: 'owned'; readonly log: Log; readonly owner: Owner; readonly release: () => void }
  | { readonly type: 'refused'; readonly by: Owner; readonly silentMs: number }
  | { readonly type: 'failed'; readonly message: string };

/** How a program is to be started for one turn of an agent. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  /** Written to its standard input, which is then closed. */
  readonly input: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

export type TurnEvent =
  | { readonly type: 'text'; readonly text: string }
  /** A tool of the agent's begins or is over; while one runs, silence is not the agent's. */
  | { readonly type: 'tool'; readonly isRunning: boolean }
  /** Everything the turn has spent so far. */
  | { readonly type: 'spent'; readonly spend: Spend };

/** How a program ended, and who wanted it to. */
export interface Exit {
  readonly code: number | undefined;
  readonly signal: string | undefined;
}

export type Verdict =
  | { readonly type: 'finished'; readonly result: Result }
  | { readonly type: 'failed'; readonly reason: Reason; readonly isFinal: boolean; readonly message: string }
  | { readonly type: 'limited'; readonly until: number; readonly pool: string | undefined };

/** Reads what one turn's program prints. */
export interface TurnReader {
  /** One line of its standard output, without the line's end. */
  readonly line: (line: string) => readonly TurnEvent[];
  readonly verdict: (exit: Exit) => Verdict;
}

/** One kind of agent. It starts nothing itself: the worker does, and keeps limits and groups for all kinds alike. */
export interface Adapter {
  readonly launch: (turn: { readonly agent: Agent; readonly prompt: string }) => Launch;
  readonly reader: () => TurnReader;
}

/** Where one claim is carried out, and what becomes of what it makes. */
export interface Workplace {
  readonly cwd: string;
  /** To be added to what its programs see. */
  readonly environment: Readonly<Record<string, string>>;
  /** How a program is started there. */
  readonly wrap: (argv: readonly string[]) => readonly string[];
  /** Keeps what a step has made; to be called when nothing of it runs any more. */
  readonly keep: () => Promise<Kept>;
}

export type Kept =
  /** The commit that holds it, where there is one. */
  | { readonly type: 'kept'; readonly commit: string | undefined }
  | { readonly type: 'failed'; readonly message: string };

export type WorkplaceOpened =
  | { readonly type: 'opened'; readonly workplace: Workplace }
  | { readonly type: 'failed'; readonly message: string };
