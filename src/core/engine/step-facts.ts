// The facts of one step, of the pools that turns hold, and of repeated failures of one agent, as a fold of the log.
import type { TaskIndex } from '../compile/meaning.ts';
import type { Decision, Ended } from './event.ts';
import type { Whereabouts } from '../protocol/placement.ts';
import type { ClaimRef } from '../protocol/assignment.ts';
import type { Reason, Remembered, Result } from '../protocol/result.ts';

export interface StepFacts {
  /** How often it was claimed, in all rounds; the number of its latest attempt. */
  attempts: number;
  /** For a join: how often its steps were sent back in this round. */
  rejoined: number;
  /** How many of its claims in a row were lost. */
  lost: number;
  ended: Ended | undefined;
  result: Result | undefined;
  /** Its latest conversation, for later steps to take up. */
  conversation: Located | undefined;
  /** Where its latest claim that is over ran. */
  ranOn: Whereabouts | undefined;
  /** Why the work of its latest turn could not be saved; the next turn gets the same files and this reason. */
  unsaved: string | undefined;
  /** Set when its next turn continues the latest one. */
  goesOn: GoingOn | undefined;
  /** A person's decisions on its permission requests, until the step has ended. */
  decisions: readonly Decision[];
  /** Its next turn takes up no conversation, because the latest one was too long or failed for no known reason. */
  startsFresh: boolean;
  /** Excluded agents, and until when. */
  barred: readonly Barred[];
  /** How many of its attempts failed in a way that gives the next one to the next agent of `escalate`. */
  escalations: number;
  /** How many of its turns in a row the provider rejected: overloaded, or an account at its limit. */
  rejections: number;
  /** The cost of all its attempts in dollars, as the ledger counts them. */
  usd: number;
  /** The commit of the task since the agent's question, and the commit before it. */
  asked: { readonly before: string | undefined; readonly tip: string | undefined } | undefined;
  /** The commit of the task at the step's first claim in this round, and the number of that event. */
  startedFrom: { readonly commit: string | undefined; readonly event: number } | undefined;
}

/** A conversation, and where its files are as the latest turn of it left them. */
export interface Located extends Remembered, Whereabouts {
  /** The claim of that turn. */
  readonly by: ClaimRef;
}

/** Why a turn continues the one before it, and the text for the agent. */
export interface GoingOn {
  readonly type: 'answer' | 'output';
  readonly says: string;
  /** The agent's question. */
  readonly asked: string | undefined;
}

export interface Barred {
  readonly agent: string;
  readonly until: number;
}

/** For a step that has ended: nothing is left for another turn. */
export const NOTHING_LEFT = {
  goesOn: undefined,
  unsaved: undefined,
  asked: undefined,
  decisions: [],
  startsFresh: false,
  barred: [],
  rejections: 0,
} as const satisfies Partial<StepFacts>;

/** For a step whose agent has no turn yet, or starts afresh. */
export const NOTHING_SAID = {
  ...NOTHING_LEFT,
  conversation: undefined,
  rejoined: 0,
  escalations: 0,
} as const satisfies Partial<StepFacts>;

export const noStepFacts = (): StepFacts => ({
  attempts: 0,
  lost: 0,
  ended: undefined,
  result: undefined,
  ranOn: undefined,
  ...NOTHING_SAID,
  usd: 0,
  startedFrom: undefined,
});

/** A pool with an effective limit below its size. */
export interface Throttle {
  limit: number;
  /** When the limit is raised. */
  until: number;
  /** It was overloaded again, which is not in the log yet. */
  isNews: boolean;
}

/** One way in which turns of an agent failed since its last success. */
export interface RepeatedFailure {
  readonly agent: string;
  readonly reason: Reason;
  /** The end of the latest error message. */
  readonly says: string | undefined;
  /** The affected tasks, each once. */
  readonly tasks: readonly TaskIndex[];
}
