// What the loop needs of the world, as types. Each has one contract suite, run over the real part and the fake.
import type { Command } from '../core/engine/command.ts';
import type { CommandReply } from '../core/engine/commands/reply.ts';
import type { Permission, Reason, Result, Spend, Usage } from '../core/protocol/result.ts';
import type { RunEvent } from '../core/engine/event.ts';
import type { Conversation, TurnPermissions } from '../core/protocol/assignment.ts';
import type { Reply, Sync } from '../core/protocol/sync.ts';
import type { MergeOrder } from '../core/engine/owed/merges.ts';
import type { MergeOutcome } from '../core/protocol/work-outcome.ts';
import type { Agent, JsonSchema } from '../core/plan/plan.ts';

export interface Clock {
  /** Milliseconds since the epoch; people may set it back. */
  readonly now: () => number;
  /** Milliseconds since some moment; never goes back. */
  readonly monotonic: () => number;
}

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
  readonly reply: CommandReply;
}

/** What has come to the coordinator: messages of hosts, and a hint that commands may have come or time has. */
export interface Mail {
  readonly syncs: readonly Sync[];
  /** What the merge train reports, where there is one. */
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
  /** Gives it the next free id made from the plan's name, none of `taken`; the log begins with `run.started`. */
  readonly create: (record: Omit<RunRecord, 'run'>, started: RunEvent, taken?: ReadonlySet<string>) => Created;
  /** Events from a position on, and the position after them; the coordinator may be appending meanwhile. */
  readonly eventsFrom: (run: string, position: number) => Events;
  /** Who took it last and has not given it up; that process may have died since. */
  readonly ownerOf: (run: string) => Owner | undefined;
  /** How many have owned it, one after the other. */
  readonly ownersOf: (run: string) => number;
  /** Makes this process the run's one writer, unless another that is alive is. */
  readonly own: (run: string, how: { readonly takesOver: boolean }) => Owned;
  readonly post: (run: string, command: Command) => Posting;
  /** What became of a command, once its coordinator has handled it. */
  readonly replyTo: (id: number) => CommandReply | undefined;
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

/** One turn that an agent is to take. */
export interface TurnRequest {
  readonly agent: Agent;
  readonly prompt: string;
  readonly conversation: Conversation | undefined;
  /** The shape that its answer is to have, for those that can hold a model to one. */
  readonly schema: JsonSchema | undefined;
  /** What it may use without asking, in the words of its program. */
  readonly allow?: readonly string[];
  /** What becomes of what it asks leave for besides; undefined asks nobody and refuses nothing. */
  readonly permissions?: TurnPermissions | undefined;
  /** Dollars that it may spend, for programs that keep to that by themselves; the host ends any other. */
  readonly ceilingUsd?: number | undefined;
  /** What its adapter may choose from, marks included. */
  readonly environment: Readonly<Record<string, string>>;
}

/** How a program is to be started for one turn of an agent. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  /** Written to its standard input, which is then closed. */
  readonly input: string | undefined;
  /** Speaks with the program through its standard input and output, in place of `input`. */
  readonly dialogue?: Dialogue | undefined;
  /** All that it sees. */
  readonly environment: Readonly<Record<string, string>>;
}

/** One turn of a program that expects answers while it works, from its start on. It never throws, whatever is printed. */
export interface Dialogue {
  readonly begin: (peer: Peer) => void;
  /** Takes one line of the program's standard output; returns the lines for the reader in its place. */
  readonly receive: (line: string) => readonly string[];
}

export interface Peer {
  readonly cwd: string;
  readonly write: (line: string) => void;
  /** Closes its standard input, because its turn is over: a program that stays longer is ended, and its exit does not count. */
  readonly leave: (withinMs: number) => void;
}

export type TurnEvent =
  /** The name by which its conversation can be taken up again. */
  | { readonly type: 'conversation'; readonly id: string }
  | { readonly type: 'text'; readonly text: string }
  /** A tool of the agent's begins; while one runs, silence is not the agent's. `about` is one line for people. */
  | { readonly type: 'tool.called'; readonly id: string; readonly tool: string; readonly about: string }
  | { readonly type: 'tool.ended'; readonly id: string; readonly ok: boolean }
  /** Everything the turn has spent so far, and of what, where the program says it. */
  | { readonly type: 'spent'; readonly spend: Spend; readonly usage: Usage | undefined }
  /** It works, or has ceased to, on what it will tell of only when it is over. */
  | { readonly type: 'busy'; readonly isBusy: boolean }
  /** It will not come to an end by itself: to be ended, and judged by what it has said. */
  | { readonly type: 'stuck' }
  /** It had no answer and asks again by itself. */
  | { readonly type: 'retrying'; readonly why: string; readonly afterMs: number | undefined }
  /** It wants something of a person. */
  | { readonly type: 'asked'; readonly question: string; readonly permission?: Permission | undefined }
  /** It asked whether it may use a tool, and this was the answer. */
  | { readonly type: 'permission'; readonly tool: string; readonly isAllowed: boolean };

export interface Exit {
  readonly code: number | undefined;
  readonly signal: string | undefined;
}

/** What is known of a turn besides what its program said of itself. */
export interface TurnEnding {
  readonly exit: Exit;
  /** We ended it, because it was stuck. */
  readonly isOurs: boolean;
  /** Whether there is anything in the sandbox that was not there before; undefined where nobody can say. */
  readonly hasChanges: boolean | undefined;
  /** The end of what it wrote to its error stream. */
  readonly complaint: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type Verdict =
  /** The turn came to its end; that there are changes is another question, and `hasChanges` its answer. */
  | { readonly type: 'finished'; readonly result: Result; readonly hasChanges: boolean | undefined }
  | { readonly type: 'failed'; readonly reason: Reason; readonly isFinal: boolean; readonly message: string }
  /** Its account may not ask more; undefined when nobody said until when. */
  | {
      readonly type: 'limited';
      readonly by: 'rate_limit' | 'quota';
      readonly until: number | undefined;
      readonly message: string;
    };

/** Reads what one turn's program prints. It never throws, whatever that is. */
export interface TurnReader {
  /** One line of its standard output, without the line's end. */
  readonly line: (line: string) => readonly TurnEvent[];
  /** One line of its error stream. */
  readonly complaint: (line: string) => readonly TurnEvent[];
  readonly verdict: (ending: TurnEnding) => Verdict;
  /** The conversation as it stands, to be taken up by a later turn; undefined when the program has named none. */
  readonly conversation: () => Omit<Conversation, 'mode'> | undefined;
}

/** What tokens of a model cost, in US dollars; undefined when nobody has said. */
export type PriceOf = (model: string, usage: Usage) => number | undefined;

/** One kind of agent. It starts nothing itself: the worker does, and keeps limits and groups for all kinds alike. */
export interface Adapter {
  /** Of a turn that it cannot take, a sentence that says why. */
  readonly launch: (order: TurnRequest) => Launch | Unlaunchable;
  readonly reader: (order: TurnRequest, priceOf: PriceOf) => TurnReader;
  /** Whether one can branch off a conversation, and whether it can be taken up in another folder than its own. */
  readonly conversations: { readonly forks: boolean; readonly folder: 'any' | 'same' };
  /** Whether its program holds the model to this schema by itself; others are told of it in the prompt. */
  readonly holdsToSchema?: (schema: JsonSchema) => boolean;
}

export interface Unlaunchable {
  readonly type: 'unlaunchable';
  readonly message: string;
}

/** Where one claim is carried out, and what becomes of what it makes. */
export interface Workplace {
  readonly cwd: string;
  /** To be added to what its programs see. */
  readonly environment: Readonly<Record<string, string>>;
  /** How a program is started there. */
  readonly wrap: (argv: readonly string[]) => readonly string[];
  /** To be asked for before a program is started there, and stopped when it has ended. */
  readonly guard: (order: MonitorRequest) => Promise<ResourceMonitor>;
  /** Keeps what a step has made; to be called when nothing of it runs any more. */
  readonly keep: () => Promise<Kept>;
}

/** What watches over the programs of a workplace while they work. */
export interface ResourceMonitor {
  /** The program that was started; all others come from it. */
  readonly watch: (pid: number) => void;
  readonly stop: () => void;
}

export interface MonitorRequest {
  /** They took more than they may and are to be ended; the sentence says of what. Told once. */
  readonly onLimitExceeded: (message: string) => void;
  /** What a person should read among what they print. */
  readonly say: (sentence: string) => void;
}

export type Kept =
  /** The commit that holds it, where there is one, and whether it differs from what the step began with. */
  | { readonly type: 'kept'; readonly commit: string | undefined; readonly hasChanges?: boolean | undefined }
  | { readonly type: 'failed'; readonly message: string };

export type WorkplaceOpened =
  | { readonly type: 'opened'; readonly workplace: Workplace }
  | { readonly type: 'failed'; readonly message: string };
