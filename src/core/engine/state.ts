// Where a run stands: the fold of its log, and nothing else.
//
// state/A1. A state is made by `fold` and changed by `apply` alone. `apply` consumes the state it is given: keep the
//     log, not old states.
// state/A2. Two folds of one log are equal in everything that `snapshot` shows (P1).
import type { Compiled, CompiledTask } from '../compile/compiled.ts';
import type { TaskIndex } from '../compile/meaning.ts';
import { markingOf, startPlay, type Play } from '../net/play.ts';
import type { WorkType } from '../protocol/assignment.ts';
import type { Conflict, Permission, Reason, Result, Spend } from '../protocol/result.ts';
import type { Author, Decision, Ended, PlanGiven, RunStarted } from './event.ts';
import { nothingDeferred, type Deferred } from './deferred.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { mergeOrderOf } from './merge-order.ts';
import { holdsByClaim, ranks, watched, type Order, type StepRef } from './order.ts';
import { starvationGuard, type StarvationGuard } from './starvation-guard.ts';
import { noStepFacts, type Throttle, type StepFacts, type Trouble } from './step-facts.ts';
import { FRESH, type Token } from './token.ts';

/** Work that a host carries out. */
export interface Claim {
  readonly work: WorkType;
  readonly task: TaskIndex;
  readonly step: number | undefined;
  readonly attempt: number;
  readonly at: number;
  /** Who has it, where it is an agent's turn. */
  readonly agent: string | undefined;
  /** Its sandbox is reset to the last checkpoint first. */
  readonly startsClean: boolean;
  /** Raised when it spends more. */
  reserve: Spend;
  /** It is to be stopped, and claimed again later. */
  preempting: boolean;
  /** Set when it is to be ended. */
  cancelling: Why | undefined;
}

export interface Question {
  readonly task: TaskIndex;
  readonly step: number | undefined;
  /** The attempt of the step that it is about; of a gate, how often it has asked. */
  readonly attempt: number;
  /** What an agent wants to know. */
  readonly asks: string | undefined;
  /** Set when that is leave to use a tool. */
  readonly permission?: Permission | undefined;
  /** When the step fails unless somebody has answered. */
  readonly until: number | undefined;
}

export interface Why {
  readonly reason: Reason;
  readonly cause: string | undefined;
}

/** The latest conflict of a task. */
export interface ConflictFacts extends Conflict {
  /** Somebody has made it fit, and it is on its way to be merged again. */
  readonly isResolved: boolean;
  /** Why the last turn on it was not taken, if there was one. */
  readonly refused: string | undefined;
  /** Every task that it has conflicted with, in this conflict or before. */
  readonly ever: readonly string[];
}

/** How a task ends with its check or its merge. */
export interface Closing extends Ended {
  readonly result: Result | undefined;
}

/** The step whose failure fails its task, and why it failed. */
export interface Failing extends Why {
  readonly step: number;
}

export interface TaskFacts {
  readonly steps: StepFacts[];
  /** It is to end as cancelled, as soon as it can. */
  cancelling: Why | undefined;
  /** It is to end so, because its check or its merge did. */
  closing: Closing | undefined;
  /** A step that may not fail did, so the task will fail. */
  failing: Failing | undefined;
  /** How many of its needs have ended neither well nor skipped. */
  unmet: number;
  /** How often its merge was claimed. */
  merges: number;
  /** How often its check was claimed; the number of the latest, which never comes again. */
  checks: number;
  /** How often a gate has asked. */
  asked: number;
  /** How often an amended plan began it anew, from what it needs and not from what was made before. */
  life: number;
  /** How many of its checks in a row were lost. */
  checksLost: number;
  /** A subplan that was dropped, whose children are still to hear of it. */
  dropped: Ended | undefined;
  /** What a person has decided for all of its turns. */
  decisions: readonly Decision[];
  /** The latest commit of its work: a checkpoint, or what resolving a conflict came to. */
  tip: string | undefined;
  conflict: ConflictFacts | undefined;
  /** What the check said that sent it back to its agent. */
  failedCheck: string | undefined;
  /** Its sandbox may hold files of an attempt that came to nothing. */
  hasLeftovers: boolean;
  openedAt: number | undefined;
  /** Which event of the run opened it, and which one ended it: two may have come in one moment. */
  openingEvent: number;
  endingEvent: number;
  /** When the first of its steps was first claimed; it may have been open for long by then. */
  startedAt: number | undefined;
  endedAt: number | undefined;
  ended: Ended | undefined;
  result: Result | undefined;
}

/**
 * Tasks that are to be cancelled because of something else, tasks that end with their check or merge, and tasks some of
 * whose steps may have to be cancelled: which ones is read from the facts when it is their turn. Worked off one event at a time. A fold of a whole log leaves many that
 * have long been ended; they say nothing.
 */
export type ToEnd =
  | { readonly type: 'task'; readonly task: TaskIndex; readonly why: Why }
  | { readonly type: 'steps' | 'closing'; readonly task: TaskIndex }
  /** Of a budget of this task or subplan, or of the run: its ceiling was reached, and running steps are ended. */
  | { readonly type: 'spending'; readonly task: TaskIndex; readonly budget: string | undefined };

export interface State {
  readonly compiled: Compiled;
  readonly order: Order;
  readonly play: Play<Token>;
  readonly tasks: readonly TaskFacts[];
  readonly ledger: Ledger;
  /** By the place of its working token. */
  readonly claims: Map<number, Claim>;
  /** Questions to a person, by the place that holds them. */
  readonly questions: Map<number, Question>;
  /** Tasks waiting to be merged, in the order they came. */
  readonly queue: Set<TaskIndex>;
  readonly toEnd: ToEnd[];
  /** Transitions that are not to fire yet, though their tokens are there. */
  readonly deferred: Deferred;
  /** Who was passed over how often; undefined when nobody could starve. */
  readonly guard: StarvationGuard | undefined;
  /** Tasks in the order in which they are merged; undefined where they are merged as they are finished. */
  readonly mergeOrder: readonly TaskIndex[] | undefined;
  /** By claim that the order holds: the steps that should begin before it. */
  readonly holds: ReadonlyMap<number, readonly StepRef[]>;
  /** Pools whose account has no quota, and until when; closed when the net says so. */
  readonly exhausted: Map<string, number>;
  /** Agents without a pool whose account has no quota, and until when. */
  readonly exhaustedAgents: Map<string, number>;
  /** Pools whose provider is overloaded, by name. */
  readonly throttled: Map<string, Throttle>;
  /** Turns that failed in the same way, by who failed and how; told to nobody until there are several. */
  readonly troubles: Map<string, Trouble>;
  /** Numbers of what amended plans have taken away or begun anew, by path: should it come back, it goes on from them. */
  readonly retired: Map<string, Retired>;
  /** A plan that waits until what it stops is not at work any more. */
  amending: Amending | undefined;
  readonly run: RunFacts;
}

export interface Amending extends PlanGiven {
  readonly compiled: Compiled;
  /** Nothing of them, or of subplans all inside, is claimed. */
  readonly tasks: ReadonlySet<TaskIndex>;
}

export interface Retired {
  readonly merges: number;
  readonly checks: number;
  readonly asked: number;
  readonly life: number;
  readonly steps: ReadonlyMap<string, Pick<StepFacts, 'attempts' | 'usd'>>;
}

export interface RunFacts {
  stage: 'new' | 'going' | 'paused' | 'ended';
  seed: number;
  inputs: RunStarted['inputs'];
  /** Why it is paused, when nobody asked for it. */
  pausedFor: string | undefined;
  /** The commit that it starts from; undefined when it works in place. */
  base: string | undefined;
  /** Its trees and its isolation, as the latest coordinator found them; undefined when it works in place. */
  sandboxes: RunStarted['sandboxes'];
  /** The commit of the latest merge. */
  merged: string | undefined;
  /** The author of the published commits; undefined where git knows none. */
  author: Author | undefined;
  startedAt: number;
  endedAt: number | undefined;
  /** The latest time any event was at; a clock that jumps back does not take it along. */
  now: number;
  /** How many events there have been. */
  events: number;
}

export function startState(compiled: Compiled, order: Order): State {
  const deferred = nothingDeferred();
  const play = startPlay({
    net: compiled.net,
    colour: () => FRESH,
    priority: ranks(compiled, order),
    watch: watched(compiled),
  });
  return {
    compiled,
    order,
    play,
    guard: starvationGuard(compiled, order, { play, paused: deferred.paused }),
    tasks: compiled.tasks.map(noFacts),
    ledger: openLedger(compiled),
    claims: new Map(),
    questions: new Map(),
    queue: new Set(),
    toEnd: [],
    deferred,
    mergeOrder: mergeOrderOf(compiled),
    holds: holdsByClaim(compiled, order),
    exhausted: new Map(),
    exhaustedAgents: new Map(),
    throttled: new Map(),
    troubles: new Map(),
    retired: new Map(),
    amending: undefined,
    run: {
      stage: 'new',
      seed: 0,
      inputs: {},
      pausedFor: undefined,
      base: undefined,
      sandboxes: undefined,
      author: undefined,
      merged: undefined,
      startedAt: 0,
      endedAt: undefined,
      now: 0,
      events: 0,
    },
  };
}

const noFacts = ({ steps }: CompiledTask): TaskFacts => ({
  steps: steps.map(noStepFacts),
  cancelling: undefined,
  closing: undefined,
  failing: undefined,
  unmet: 0,
  merges: 0,
  checks: 0,
  asked: 0,
  life: 0,
  checksLost: 0,
  dropped: undefined,
  decisions: [],
  tip: undefined,
  conflict: undefined,
  failedCheck: undefined,
  hasLeftovers: false,
  openedAt: undefined,
  openingEvent: 0,
  endingEvent: 0,
  startedAt: undefined,
  endedAt: undefined,
  ended: undefined,
  result: undefined,
});

/** All of a state that the log determines, in a form that can be compared. */
export function snapshot(state: State): unknown {
  return {
    marking: markingOf(state.play),
    order: state.order,
    tasks: state.tasks,
    ledger: state.ledger.around,
    claims: [...state.claims.entries()].sort(([left], [right]) => left - right),
    questions: [...state.questions.entries()].sort(([left], [right]) => left - right),
    queue: [...state.queue],
    exhausted: [...state.exhausted],
    exhaustedAgents: [...state.exhaustedAgents],
    throttled: [...state.throttled],
    troubles: [...state.troubles],
    paused: [...state.deferred.paused],
    amending: [...(state.amending?.tasks ?? [])],
    retired: [...state.retired.keys()],
    passes: [...(state.guard?.passes ?? [])].sort(([left], [right]) => left - right),
    run: state.run,
  };
}
