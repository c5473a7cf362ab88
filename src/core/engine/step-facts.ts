// What the log says of one step, of the pools that turns hold, and of how turns of one agent fail.
import type { TaskIndex } from '../compile/meaning.ts';
import type { Decision, Ended } from './event.ts';
import type { Reason, Remembered, Result } from '../protocol/result.ts';

export interface StepFacts {
  /** How often it was claimed, in all rounds; the number of its latest attempt. */
  attempts: number;
  /** Of a join: how often its steps were sent round again, this time round. */
  rejoined: number;
  /** How many of its claims in a row were lost. */
  lost: number;
  ended: Ended | undefined;
  result: Result | undefined;
  /** Its latest, to be taken up by those after it. */
  conversation: Remembered | undefined;
  /** Why the work of its latest attempt could not be saved; the next attempt has the same files, and is told. */
  unsaved: string | undefined;
  /** Set when its next turn is to go on where the latest stopped. */
  goesOn: GoingOn | undefined;
  /** What a person has decided about what it asked leave for; it holds until the step has ended. */
  decisions: readonly Decision[];
  /** Its next turn takes up no conversation, because the latest one had become too long or failed for no known reason. */
  startsFresh: boolean;
  /** Agents that are not to have it, and until when. */
  barred: readonly Barred[];
  /** How many of its turns in a row found no room at its provider: overloaded, or an account at its limit. */
  turnedAway: number;
  /** Dollars that all its attempts cost, as the ledger counts them. */
  usd: number;
  /** What the task's work is since its agent asked something, and what it was before. */
  asked: { readonly before: string | undefined; readonly tip: string | undefined } | undefined;
  /** What the task's work stood at when it was first claimed, this time round, and by which event it was. */
  startedFrom: { readonly commit: string | undefined; readonly event: number } | undefined;
}

/** Why a turn goes on where the one before it stopped, and what it is told. */
export interface GoingOn {
  readonly type: 'answer' | 'output';
  readonly says: string;
  /** What was asked. */
  readonly asked: string | undefined;
}

export interface Barred {
  readonly agent: string;
  readonly until: number;
}

/** Of a step whose agent has said nothing yet, or is to begin anew. */
export const NOTHING_SAID = {
  conversation: undefined,
  goesOn: undefined,
  unsaved: undefined,
  asked: undefined,
  decisions: [],
  startsFresh: false,
  barred: [],
  turnedAway: 0,
  rejoined: 0,
} as const satisfies Partial<StepFacts>;

export const noStepFacts = (): StepFacts => ({
  attempts: 0,
  lost: 0,
  ended: undefined,
  result: undefined,
  ...NOTHING_SAID,
  usd: 0,
  startedFrom: undefined,
});

/** A pool of which fewer tokens may be held than it has. */
export interface Throttle {
  width: number;
  /** When it is widened. */
  until: number;
  /** It was overloaded again, which the log is still to say. */
  isNews: boolean;
}

/** One way in which turns of an agent failed since one of them last went well. */
export interface Trouble {
  readonly agent: string;
  readonly reason: Reason;
  /** The last words of the latest. */
  readonly says: string | undefined;
  /** The tasks that it happened to, each once. */
  readonly tasks: readonly TaskIndex[];
}
