// An agent is an adapter: how a turn is started, how the output of its program is read, what came of it.
import type { Agent, JsonSchema } from '../../core/plan/plan.ts';
import type { Conversation, TurnPermissions } from '../../core/protocol/assignment.ts';
import type { Permission, Reason, Result, Spend, Usage } from '../../core/protocol/result.ts';

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
