// The state of a run: the fold of its log, and nothing else.
//
// state/A1. A state is made by `fold` and changed by `apply` alone, which consumes it: keep the log, not old states.
// state/A2. Two folds of one log are equal in everything that `snapshot` shows (P1).
import type { Compiled } from '../compile/compiled.ts';
import type { TaskIndex } from '../compile/meaning.ts';
import { markingOf, startPlay, type Play } from '../net/play.ts';
import type { WorkType } from '../protocol/assignment.ts';
import type { PlacedFor, WaitsForHost } from '../protocol/placement.ts';
import type { Permission, Spend } from '../protocol/result.ts';
import type { Author, PlanGiven, RunStarted } from './event.ts';
import { nothingDeferred, type Deferred } from './deferred.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { mergeOrderOf } from './merge-order.ts';
import { holdsByClaim, ranks, watched, type Order, type StepRef } from './order.ts';
import { starvationGuard, type StarvationGuard } from './starvation-guard.ts';
import type { RepeatedFailure, StepFacts, Throttle } from './step-facts.ts';
import { noFacts, type TaskFacts, type Why } from './task-facts.ts';
import { FRESH, type Token } from './token.ts';

export interface Claim {
  readonly work: WorkType;
  readonly task: TaskIndex;
  readonly step: number | undefined;
  readonly attempt: number;
  readonly at: number;
  /** The agent, where the work is an agent's turn. */
  readonly agent: string | undefined;
  /** Its sandbox is reset to the last checkpoint first. */
  readonly startsClean: boolean;
  /** Raised when it spends more. */
  reserve: Spend;
  /** To be stopped, and claimed again later. */
  preempting: boolean;
  /** Set when the claim is to be ended. */
  cancelling: Why | undefined;
  /** The host on another machine that has it; undefined on the coordinator's machine, and before it is placed. */
  host: string | undefined;
  /** The program of that host. */
  instance: string | undefined;
  placedFor: PlacedFor | undefined;
  /** It ends on its host when no server has heard the host for this long. */
  leaseMs: number | undefined;
  /** Why no host has it yet, where it has to wait for one. */
  waitsFor: WaitsForHost | undefined;
}

export interface Question {
  readonly task: TaskIndex;
  readonly step: number | undefined;
  /** The attempt of the step in question; for a gate, how often it has asked. */
  readonly attempt: number;
  /** The agent's question. */
  readonly asks: string | undefined;
  /** Set when the agent asks for permission to use a tool. */
  readonly permission?: Permission | undefined;
  /** When the step fails without an answer. */
  readonly until: number | undefined;
}

// Tasks to cancel because of another event, tasks that end with their check or merge, and tasks with steps that may have
// to be cancelled, as the facts then say. A fold of a whole log leaves many notes on tasks that ended long ago.
export type ToEnd =
  | { readonly type: 'task'; readonly task: TaskIndex; readonly why: Why }
  | { readonly type: 'steps' | 'closing'; readonly task: TaskIndex }
  /** The ceiling of a budget of this task or subplan, or of the run, was reached, and running steps are ended. */
  | { readonly type: 'spending'; readonly task: TaskIndex; readonly budget: string | undefined };

/** The state of a run, folded from its log. */
export interface State {
  readonly compiled: Compiled;
  readonly order: Order;
  readonly play: Play<Token>;
  readonly tasks: readonly TaskFacts[];
  readonly ledger: Ledger;
  /** By the place of the claim's working token. */
  readonly claims: Map<number, Claim>;
  /** Questions to a person, by the place that holds them. */
  readonly questions: Map<number, Question>;
  /** Tasks waiting to be merged, in order of arrival. */
  readonly queue: Set<TaskIndex>;
  readonly toEnd: ToEnd[];
  /** Enabled transitions that must not fire yet. */
  readonly deferred: Deferred;
  /** Counts of passed-over steps; undefined when no step could starve. */
  readonly guard: StarvationGuard | undefined;
  /** Tasks in merge order; undefined where they are merged as they finish. */
  readonly mergeOrder: readonly TaskIndex[] | undefined;
  /** By claim with a hold: the steps that should begin before it. */
  readonly holds: ReadonlyMap<number, readonly StepRef[]>;
  /** Pools whose account has no quota, and until when; `next` closes them in the net. */
  readonly exhausted: Map<string, number>;
  /** Agents without a pool whose account has no quota, and until when. */
  readonly exhaustedAgents: Map<string, number>;
  /** Pools whose provider is overloaded, by name. */
  readonly throttled: Map<string, Throttle>;
  /** Turns that failed in the same way, by agent and message; not reported until there are several. */
  readonly repeatedFailures: Map<string, RepeatedFailure>;
  /** Numbers of tasks that amended plans removed or restarted, by path: a task that returns continues from them. */
  readonly retired: Map<string, Retired>;
  /** An amendment that waits until the claims that it stops are over. */
  amending: Amending | undefined;
  /** The transition that the latest event fired; undefined after one that set a marking. */
  fired: number | undefined;
  readonly run: RunFacts;
}

export interface Amending extends PlanGiven {
  readonly compiled: Compiled;
  /** Nothing in these tasks and subplans is claimed. */
  readonly tasks: ReadonlySet<TaskIndex>;
}

export interface Retired extends Readonly<Pick<TaskFacts, 'merges' | 'checks' | 'asked' | 'life'>> {
  readonly steps: ReadonlyMap<string, Pick<StepFacts, 'attempts' | 'usd'>>;
}

export interface RunFacts {
  stage: 'new' | 'going' | 'paused' | 'ended';
  seed: number;
  inputs: RunStarted['inputs'];
  /** Why the run paused itself; undefined when a person did. */
  pausedFor: string | undefined;
  /** The commit that the run starts from; undefined when it works in place. */
  base: string | undefined;
  /** Its sandbox trees and isolation, as the latest coordinator found them; undefined when it works in place. */
  sandboxes: RunStarted['sandboxes'];
  /** The latest merge. */
  merged: string | undefined;
  /** The author of the published commits; undefined where git knows none. */
  author: Author | undefined;
  startedAt: number;
  endedAt: number | undefined;
  /** The latest time of any event; it never goes back, even when the clock does. */
  now: number;
  /** The number of events so far. */
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
    repeatedFailures: new Map(),
    retired: new Map(),
    amending: undefined,
    fired: undefined,
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
    repeatedFailures: [...state.repeatedFailures],
    paused: [...state.deferred.paused],
    amending: [...(state.amending?.tasks ?? [])],
    retired: [...state.retired.keys()],
    passes: [...(state.guard?.passes ?? [])].sort(([left], [right]) => left - right),
    run: state.run,
  };
}
