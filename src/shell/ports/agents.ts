// The port of agents. An adapter knows how a turn is started, how the program's output is read, and what the outcome
// is.
import type { Agent, JsonSchema } from '../../core/plan/plan.ts';
import type { Conversation, TurnPermissions } from '../../core/protocol/assignment.ts';
import type { Permission, Reason, Result, Spend, Usage } from '../../core/protocol/result.ts';

/** For agents that send spans of their own into the trace of the run. */
export interface TurnTelemetry {
  /** Where spans are posted to, with the path. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Prompts may be part of them. */
  readonly hasContent: boolean;
}

/** The span of a claim, for what the claim starts. */
export interface ClaimTrace {
  /** In the form of the W3C's `traceparent`. */
  readonly parent: string;
  /** Undefined where agents keep their spans to themselves. */
  readonly telemetry: TurnTelemetry | undefined;
}

/** One turn for an agent. */
export interface TurnRequest {
  readonly agent: Agent;
  readonly prompt: string;
  readonly conversation: Conversation | undefined;
  /** Schema of the answer, for programs that can enforce one. */
  readonly schema: JsonSchema | undefined;
  /** Tools that the agent may use without asking, in the syntax of its program. */
  readonly allow?: readonly string[];
  /** Policy for permission requests not in `allow`; undefined allows everything without asking. */
  readonly permissions?: TurnPermissions | undefined;
  /** Ceiling of the cost in dollars, for programs that enforce one themselves; the host ends any other. */
  readonly ceilingUsd?: number | undefined;
  /** Set where the agent is to send spans of its own, below the span in `TRACEPARENT`. */
  readonly telemetry?: TurnTelemetry | undefined;
  /** The variables that the adapter may pass on, environment tags included. */
  readonly environment: Readonly<Record<string, string>>;
}

/** How a program is to be started for one turn of an agent. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  /** Written to standard input, which is then closed. */
  readonly input: string | undefined;
  /** Speaks with the program through its standard input and output, in place of `input`. */
  readonly dialogue?: Dialogue | undefined;
  /** The whole environment of the program. */
  readonly environment: Readonly<Record<string, string>>;
  /** Standard output is a file: the program exits before a pipe has taken all that it printed. */
  readonly isOutputFile?: boolean | undefined;
  /** The signal that asks the program to end; some report their cost after one signal and not after another. */
  readonly endSignal?: 'SIGTERM' | 'SIGINT' | undefined;
}

/** One turn of a program that expects answers while it runs. A dialogue never throws, whatever the program prints. */
export interface Dialogue {
  readonly begin: (peer: Peer) => void;
  /** Takes one line of the program's standard output; returns the lines for the reader in its place. */
  readonly receive: (line: string) => readonly string[];
}

/** The program at the other end of a dialogue. */
export interface Peer {
  readonly cwd: string;
  readonly write: (line: string) => void;
  /**
   * Closes standard input, because the turn is over: a program that runs longer is ended, and its exit code is ignored.
   */
  readonly leave: (withinMs: number) => void;
}

/** What happens during a turn, as its reader tells it. */
export type TurnEvent =
  /** The id by which the conversation can be continued. */
  | { readonly type: 'conversation'; readonly id: string }
  | { readonly type: 'text'; readonly text: string }
  /**
   * The agent calls a tool; while a tool runs, silence does not count against the agent. `about` is one line for
   * people.
   */
  | { readonly type: 'tool.called'; readonly id: string; readonly tool: string; readonly about: string }
  | { readonly type: 'tool.ended'; readonly id: string; readonly ok: boolean }
  /** The total spend of the turn so far, and the usage where the program reports it. */
  | { readonly type: 'spent'; readonly spend: Spend; readonly usage: Usage | undefined }
  /** The agent starts or stops work that it reports on only at its end. */
  | { readonly type: 'busy'; readonly isBusy: boolean }
  /** The turn will not end by itself: it is to be ended and judged by its output so far. */
  | { readonly type: 'stuck' }
  /** The provider rejected a call, and the program retries by itself. */
  | { readonly type: 'retrying'; readonly why: string; readonly afterMs: number | undefined }
  /** The agent asks a person. */
  | { readonly type: 'asked'; readonly question: string; readonly permission?: Permission | undefined }
  /** The agent asked for permission to use a tool, and this was the answer. */
  | { readonly type: 'permission'; readonly tool: string; readonly isAllowed: boolean };

/** How a program ended: with a code, or by a signal. */
export interface Exit {
  readonly code: number | undefined;
  readonly signal: string | undefined;
}

/** Facts about the end of a turn that its program did not report. */
export interface TurnEnding {
  readonly exit: Exit;
  /** Heddle ended the turn, because it was stuck. */
  readonly isOurs: boolean;
  /** Whether the sandbox has changed; undefined when unknown. */
  readonly hasChanges: boolean | undefined;
  /** The end of standard error. */
  readonly stderr: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** How a turn has ended. */
export type Verdict =
  /** The turn is complete; `hasChanges` says whether it changed files. */
  | { readonly type: 'finished'; readonly result: Result; readonly hasChanges: boolean | undefined }
  | { readonly type: 'failed'; readonly reason: Reason; readonly isFinal: boolean; readonly message: string }
  /** The account has reached its quota; undefined when the reset time is unknown. */
  | {
      readonly type: 'limited';
      readonly by: 'rate_limit' | 'quota';
      readonly until: number | undefined;
      readonly message: string;
    };

/** What a turn has cost. */
export interface TurnTotal {
  /** Parts that are unknown count as the reservation; nothing was spent on a turn that the provider rejected (P8). */
  readonly spend: Spend;
  readonly usage: Usage | undefined;
  /** At least this much was spent: the program ended before it reported its total. */
  readonly isPartial: boolean;
}

/** Reads the output of one turn's program. It never throws, whatever the program prints. */
export interface TurnReader {
  /** One line of standard output, without its line break. */
  readonly line: (line: string) => readonly TurnEvent[];
  /** One line of standard error. */
  readonly stderr: (line: string) => readonly TurnEvent[];
  /**
   * Called now and then while the program runs, for programs that write their spend to a file before they print it; `home`
   * stands in for the user's home folder there.
   */
  readonly poll?: (home: string | undefined) => readonly TurnEvent[];
  readonly verdict: (ending: TurnEnding) => Verdict;
  /** The spend of the turn, once its program has ended; it is asked for after the verdict, where there is one. */
  readonly total: () => TurnTotal;
  /** The conversation, for a later turn to continue; undefined when the program has named none. */
  readonly conversation: () => Omit<Conversation, 'mode'> | undefined;
}

/** The price of tokens of a model in US dollars; undefined when unknown. */
export type PriceOf = (model: string, usage: Usage) => number | undefined;

/**
 * One kind of agent. An adapter starts no process: the worker does, and enforces limits and process groups for all
 * kinds.
 */
export interface Adapter {
  /** For an impossible turn, a sentence that says why. */
  readonly launch: (request: TurnRequest) => Launch | Unlaunchable;
  readonly reader: (request: TurnRequest, priceOf: PriceOf) => TurnReader;
  /** Whether a conversation can be forked, and whether it can be continued in another folder. */
  readonly conversations: { readonly forks: boolean; readonly folder: 'any' | 'same' };
  /** Whether the program enforces this schema itself; other programs get it in the prompt. */
  readonly holdsToSchema?: (schema: JsonSchema) => boolean;
}

/** What a module exports under the name `adapter`: a kind of agent of your own, for `use: module` in a plan. */
export interface AgentModule extends Adapter {
  /** Variables for the program in addition to PATH, HOME and their like; a trailing star matches any suffix. */
  readonly environment?: readonly string[];
  /** Whether turns keep to the permissions of the plan; turns with permissions are refused otherwise. */
  readonly keepsPermissions?: boolean;
}

/** A turn that cannot be started, and why, in a sentence for people. */
export interface Unlaunchable {
  readonly type: 'unlaunchable';
  readonly message: string;
}
